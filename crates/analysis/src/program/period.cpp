const u64 @CONSTANTS@;
const std::vector<@TYPE@> @LIST@ = {
    @CELLS@
};

@TYPE@ @GET@(u64 n) {
    if (n - FIRST > n) {
        std::cerr << "the @WHAT@ of " << n << " is not known\n";
        std::exit(1);
    }
    u64 i = n - FIRST, size = @LIST@.size();
    u64 turns = i < size ? 0 : (i - size) / PERIOD + 1;
    return @LIST@[i - turns * PERIOD]@PLUS@;
}

