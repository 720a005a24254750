def grundy_main():
    grundy_check()
    for line in sys.stdin:
        if line.split():
            @WHAT@ = grundy_@WHAT@(grundy_position(*map(int, line.split())))
            print(@PRINT@)


grundy_main()
