grundy_known_values = {}


def grundy_mex(position, options):
    taken = set()
    for option in options:
        total = 0
        for p in option:
            total ^= grundy_known_values[grundy_key(p)]
        taken.add(total)
    value = 0
    while value in taken:
        value += 1
    return value


def grundy_value(start):
    return grundy_search(start, grundy_known_values, grundy_mex)


