def grundy_position(@VARIABLES@):
    return (@POSITION@)


# The first positions of the table, and the @WHAT@ of each.
grundy_table = [
    @CHECKS@
]


def grundy_main():
    for variables, expected in grundy_table:
        if grundy_@WHAT@(grundy_position(*variables)) != expected:
            sys.exit(f"in Python, these rules have another @WHAT@ at {variables}")
    for line in sys.stdin:
        if line.split():
            @WHAT@ = grundy_@WHAT@(grundy_position(*map(int, line.split())))
            print(@PRINT@)


grundy_main()
