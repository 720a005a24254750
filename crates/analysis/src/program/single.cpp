int main() {
    u64 n;
    while (std::cin >> n) std::cout << outcome(n) << "\n";
}
