@CONSTANTS@
@LIST@ = [
    @CELLS@
]


def @GET@(n):
    if n < FIRST:
        sys.exit(f"the @WHAT@ of {n} is not known")
    i = n - FIRST
    turns = max(0, (i - len(@LIST@)) // PERIOD + 1)
    return @LIST@[i - turns * PERIOD]@PLUS@


