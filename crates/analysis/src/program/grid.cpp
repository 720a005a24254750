const u64 FIRST_ROW = @ROW@, FIRST_COLUMN = @COLUMN@;
const @TYPE@ NONE = @NONE@;  // there is no such position
const std::vector<std::vector<@TYPE@>> @LIST@ = {
@CELLS@
};

int main() {
    std::string row, column;
    while (std::cin >> row >> column) {
        u64 i = number(row) - FIRST_ROW, j = number(column) - FIRST_COLUMN;
        if (i >= @LIST@.size() || j >= @LIST@[i].size()) {
            std::cerr << "the position " << row << " " << column << " is not in the table\n";
            return 1;
        }
        @TYPE@ @WHAT@ = @LIST@[i][j];
        if (@WHAT@ == NONE) {
            std::cerr << "there is no position " << row << " " << column << "\n";
            return 1;
        }
        std::cout << @PRINT@ << "\n";
    }
}
