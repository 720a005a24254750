#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

typedef unsigned long long u64;

u64 number(const std::string& word) {
    u64 value = 0;
    for (char digit : word) {
        if (digit < '0' || digit > '9' || value > (~0ULL - (digit - '0')) / 10) {
            std::cerr << word << " is not a number of 64 bits\n";
            std::exit(1);
        }
        value = 10 * value + (digit - '0');
    }
    return value;
}

