const u64 FIRST = @FIRST@;
const @TYPE@ NONE = @NONE@;  // there is no such position
const std::vector<@TYPE@> @LIST@ = {
    @CELLS@
};

@TYPE@ @GET@(u64 n) {
    if (n < FIRST || n - FIRST >= @LIST@.size()) {
        std::cerr << "the @WHAT@ of " << n << " is not in the table\n";
        std::exit(1);
    }
    if (@LIST@[n - FIRST] == NONE) {
        std::cerr << "there is no position " << n << "\n";
        std::exit(1);
    }
    return @LIST@[n - FIRST];
}

