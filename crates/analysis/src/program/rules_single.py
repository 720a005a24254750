def grundy_position(@VARIABLES@):
    return @POSITION@


def grundy_main():
    for line in sys.stdin:
        if line.split():
            @WHAT@ = grundy_@WHAT@(grundy_position(*map(int, line.split())))
            print(@PRINT@)


grundy_main()
