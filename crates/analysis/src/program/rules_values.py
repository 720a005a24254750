grundy_known_values = {}


def grundy_value(start):
    values, key = grundy_known_values, grundy_key
    stack, opened = [start], set()
    while stack:
        position = stack[-1]
        if key(position) in values:
            stack.pop()
            continue
        found = grundy_options(position)
        missing = [p for option in found for p in option if key(p) not in values]
        if missing:
            if key(position) in opened:
                sys.exit(f"the position {position} can recur")
            opened.add(key(position))
            stack.extend(missing)
            continue
        taken = set()
        for option in found:
            total = 0
            for p in option:
                total ^= values[key(p)]
            taken.add(total)
        value = 0
        while value in taken:
            value += 1
        values[key(position)] = value
        stack.pop()
    return values[key(start)]


