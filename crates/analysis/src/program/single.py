for line in sys.stdin:
    if line.split():
        print(outcome(int(line)))
