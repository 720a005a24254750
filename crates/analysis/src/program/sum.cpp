int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        u64 total = 0, count = 0;
        for (std::string word; words >> word; ++count) total ^= grundy(number(word));
        if (count > 0) std::cout << (total ? "N " : "P ") << total << "\n";
    }
}
