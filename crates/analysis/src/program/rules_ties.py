grundy_known_results = {}


def grundy_result(position, options):
    for option in options:
        if len(option) != 1:
            sys.exit("a game with ties has no sums")
    if options:
        return max(-grundy_known_results[grundy_key(p)] for (p,) in options)
    result = value(grundy_copy(position))
    return {"win": 1, "tie": 0, "lose": -1}.get(result, result)


def grundy_outcome(start):
    result = grundy_search(start, grundy_known_results, grundy_result)
    return {1: "win", 0: "tie", -1: "lose"}[result]


