grundy_known_outcomes = {}


def grundy_sum_key(parts):
    return tuple(sorted(map(grundy_key, parts), key=repr))


def grundy_outcome(start):
    # Retrograde analysis. It begins at the positions without options, and goes back from each
    # decided position. A position that is never decided is a draw.
    known, key = grundy_known_outcomes, grundy_sum_key
    sums, keys = [GrundySum([start])], [key([start])]
    number, before, missing, decided = {keys[0]: 0}, [[]], [], []
    while len(missing) < len(sums):
        here = len(missing)
        parts, options = sums[here], {}
        if keys[here] in known:
            missing.append(0)
            if known[keys[here]] != "D":
                decided.append(here)
            continue
        for i, part in list(enumerate(parts)):
            for option in grundy_options(part):
                option = GrundySum(parts[:i] + option + parts[i + 1 :])
                options[key(option)] = option
        for name, option in options.items():
            if name not in number:
                number[name] = len(sums)
                sums.append(option)
                keys.append(name)
                before.append([])
            before[number[name]].append(here)
        missing.append(len(options))
        if not options:
            known[keys[here]] = "@LAST@"
            decided.append(here)
    for here in decided:
        for earlier in before[here]:
            missing[earlier] -= 1
            if keys[earlier] in known:
                continue
            if known[keys[here]] == "P":
                known[keys[earlier]] = "N"
                decided.append(earlier)
            elif known[keys[here]] == "N" and missing[earlier] == 0:
                known[keys[earlier]] = "P"
                decided.append(earlier)
    for name in keys:
        known.setdefault(name, "D")
    return known[keys[0]]


