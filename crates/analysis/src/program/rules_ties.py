grundy_known_results = {}


def grundy_outcome(start):
    results, key = grundy_known_results, grundy_key
    words = {"win": 1, "tie": 0, "lose": -1}
    stack, opened = [start], set()
    while stack:
        position = stack[-1]
        if key(position) in results:
            stack.pop()
            continue
        options = []
        for option in grundy_options(position):
            if len(option) != 1:
                sys.exit("a game with ties has no sums")
            options.append(option[0])
        missing = [p for p in options if key(p) not in results]
        if missing:
            if key(position) in opened:
                sys.exit(f"the position {position} can recur")
            opened.add(key(position))
            stack.extend(missing)
            continue
        if options:
            result = max(-results[key(p)] for p in options)
        else:
            result = value(grundy_copy(position))
            result = words.get(result, result)
        results[key(position)] = result
        stack.pop()
    return {1: "win", 0: "tie", -1: "lose"}[results[key(start)]]


