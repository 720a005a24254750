int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        u64 n, total = 0, count = 0;
        while (words >> n) {
            total ^= grundy(n);
            ++count;
        }
        if (count > 0) std::cout << (total ? "N " : "P ") << total << "\n";
    }
}
