

class GrundySum(tuple):
    pass


def sum_of(positions):
    return GrundySum(positions)


@BUILTINS@# The rules.
@SOURCE@


def grundy_options(position):
    found = []
    for option in @MOVES@(position):
        if isinstance(option, tuple) and len(option) == 2 and isinstance(option[0], str):
            option = option[1]  # a pair of a label and a position
        found.append(option if isinstance(option, GrundySum) else GrundySum([option]))
    return found


def grundy_key(position):
    return tuple(map(grundy_key, position)) if isinstance(position, (list, tuple)) else position


