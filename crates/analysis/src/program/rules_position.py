def grundy_position(@VARIABLES@):
    return (@POSITION@)


# The first positions of the table, and the @WHAT@ of each.
grundy_table = [
    @CHECKS@
]


def grundy_check():
    for variables, expected in grundy_table:
        if grundy_@WHAT@(grundy_position(*variables)) != expected:
            sys.exit(f"in Python, these rules have another @WHAT@ at {variables}")


