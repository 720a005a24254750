def grundy_main():
    grundy_check()
    for line in sys.stdin:
        if line.split():
            total = 0
            for number in map(int, line.split()):
                total ^= grundy_value(grundy_position(number))
            print("N" if total else "P", total)


grundy_main()
