for line in sys.stdin:
    if line.split():
        total = 0
        for n in map(int, line.split()):
            total ^= grundy(n)
        print("N" if total else "P", total)
