def grundy_search(start, results, result_of):
    key = grundy_key
    stack, opened = [start], set()
    while stack:
        position = stack[-1]
        if key(position) in results:
            stack.pop()
            continue
        options = grundy_options(position)
        missing = [p for option in options for p in option if key(p) not in results]
        if missing:
            if key(position) in opened:
                sys.exit(f"the position {position} can recur")
            opened.add(key(position))
            stack.extend(missing)
            continue
        results[key(position)] = result_of(position, options)
        stack.pop()
    return results[key(start)]


