#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

typedef unsigned long long u64;

