

class GrundySum(tuple):
    pass


def sum_of(positions):
    return GrundySum(positions)


@BUILTINS@# The rules.
@SOURCE@


def grundy_is_pair(value):
    # A tuple of a text and another value may be a label and a position.
    is_pair = isinstance(value, tuple) and not isinstance(value, GrundySum) and len(value) == 2
    return is_pair and isinstance(value[0], str)


def grundy_copy(position):
    # The rules may change a list.
    if isinstance(position, list):
        return [grundy_copy(part) for part in position]
    return tuple(map(grundy_copy, position)) if isinstance(position, tuple) else position


def grundy_options(position):
    pairs, found = grundy_is_pair(position), []
    for option in @MOVES@(grundy_copy(position)):
        if grundy_is_pair(option):
            label, left = option
            if not pairs or grundy_is_pair(left) or isinstance(left, GrundySum):
                option = left
        found.append(option if isinstance(option, GrundySum) else GrundySum([option]))
    return found


def grundy_key(position):
    if isinstance(position, list):
        return (GrundySum, *map(grundy_key, position))
    return tuple(map(grundy_key, position)) if isinstance(position, tuple) else position


