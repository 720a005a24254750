int main() {
    std::string word;
    while (std::cin >> word) std::cout << outcome(number(word)) << "\n";
}
