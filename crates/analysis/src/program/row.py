FIRST = @FIRST@
@LIST@ = [
    @CELLS@
]


def @GET@(n):
    if not FIRST <= n < FIRST + len(@LIST@):
        sys.exit(f"the @WHAT@ of {n} is not in the table")
    found = @LIST@[n - FIRST]
    if found is None:
        sys.exit(f"there is no position {n}")
    return found


