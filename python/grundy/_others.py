"""Matrix games, nimber arithmetic, descriptions of games, and exercises."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from ._answers import Answer, MatrixSolution
from ._ask import PICTURE, ask, svg_of

__all__ = ["exercises", "help", "matrix", "nimber"]


def matrix(
    payoffs: Any,
    *,
    dominance: str | None = None,
    extreme: int | None = None,
    trace: bool = False,
    row_strategy: Any = None,
    col_strategy: Any = None,
    timeout: float | None = None,
) -> MatrixSolution:
    """Solve a two-person zero-sum or constant-sum matrix game exactly.

    Args:
        payoffs: The payoffs from the column player to the row player, by rows. One of these:

            - nested lists or a NumPy array of numbers; a ``float`` stands for the shortest decimal
              that rounds to it, so 0.1 is 1/10;
            - nested lists of pairs, or an array of shape ``(m, n, 2)``: the payoffs of both
              players, which have the same sum everywhere;
            - a pandas table, whose labels are the names of the rows and columns;
            - a text in any format that ``grundy matrix`` reads, such as CSV, Markdown or LaTeX;
            - the path of a file.
        dominance: ``"strict"``, ``"weak"`` or ``"mixed"``: the kind of dominance used to eliminate
            rows and columns first.
        extreme: The maximum number of extreme optimal strategies to list.
        trace: If true, include the pivots of the simplex method.
        row_strategy: A mixed strategy of the row player to compare with the optimal ones.
        col_strategy: A mixed strategy of the column player to compare with the optimal ones.
        timeout: The time limit in seconds.

    >>> import grundy
    >>> grundy.matrix([[0, 2, -1], [-2, 0, 3], [1, -3, 0]]).row_strategy
    [Fraction(1, 2), Fraction(1, 6), Fraction(1, 3)]
    >>> solved = grundy.matrix(",left,right\\nup,1,-1\\ndown,-1,1")
    >>> solved.value, solved.row_names, solved.col_names
    (Fraction(0, 1), ['up', 'down'], ['left', 'right'])
    """
    settings: dict[str, Any] = {"dominance": dominance, "extreme": extreme, "trace": trace}
    for name, strategy in (("row_strategy", row_strategy), ("col_strategy", col_strategy)):
        settings[name] = None if strategy is None else _strategy_text(strategy, name)
    if isinstance(payoffs, os.PathLike):
        file = Path(payoffs)
        return _solve_matrix(str(file), file.read_text(encoding="utf-8"), settings, timeout)
    if isinstance(payoffs, str):
        return _solve_matrix("matrix.txt", payoffs, settings, timeout)
    names: dict[str, list[str]] = {}
    if hasattr(payoffs, "to_numpy") and hasattr(payoffs, "columns"):
        names["col_names"] = [str(name) for name in payoffs.columns]
        if hasattr(payoffs, "index"):
            names["row_names"] = [str(name) for name in payoffs.index]
        payoffs = payoffs.to_numpy()
    rows = payoffs.tolist() if hasattr(payoffs, "tolist") else payoffs
    if isinstance(rows, (str, bytes)) or not isinstance(rows, Sequence):
        raise TypeError(f"payoffs: expected a list of rows, not {type(payoffs).__name__}")
    numbers = []
    for index, row in enumerate(rows):
        if hasattr(row, "tolist"):
            row = row.tolist()
        if isinstance(row, (str, bytes)) or not isinstance(row, Sequence):
            raise TypeError(f"payoffs[{index}]: expected a row of numbers, not {type(row).__name__}")
        numbers.append([_entry(value, f"payoffs[{index}][{column}]") for column, value in enumerate(row)])
    game = {"matrix": numbers, **names} if names else numbers
    return _solve_matrix("matrix.json", json.dumps(game), settings, timeout)


def _entry(value: Any, name: str) -> Any:
    """Return an entry as a text, or the payoffs of both players as two texts."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)) and len(value) == 2:
        return [_fraction_text(payoff, f"{name}[{player}]") for player, payoff in enumerate(value)]
    return _fraction_text(value, name)


def _strategy_text(strategy: Any, name: str) -> str:
    shares = strategy.tolist() if hasattr(strategy, "tolist") else strategy
    if isinstance(shares, str):
        return shares
    return ",".join(_fraction_text(share, f"{name}[{index}]") for index, share in enumerate(shares))


def _solve_matrix(file: str, text: str, settings: dict[str, Any], timeout: float | None) -> MatrixSolution:
    question = {"file": file, "files": {file: text}, **settings}

    def render() -> str | None:
        try:
            return svg_of(ask("matrix", {**question, "svg": PICTURE}, timeout=timeout))
        except ValueError:
            # Only matrices with two rows or two columns have pictures.
            return None

    return MatrixSolution(ask("matrix", question, timeout=timeout), render)


def _fraction_text(value: Any, name: str) -> str:
    try:
        if isinstance(value, str):
            return str(Fraction(value))
        if isinstance(value, bool):
            raise TypeError
        if isinstance(value, float):
            return str(Fraction(Decimal(repr(value))))
        return str(Fraction(value))
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise TypeError(f"{name}: expected a number, not {value!r}") from None


def nimber(expression: str | int, *, explain: bool = False) -> Any:
    """Evaluate an expression in nimbers.

    ``+`` is the nim-sum and ``*`` the nim-product; ``/``, ``a**n`` and ``sqrt(a)`` are available.

    Args:
        expression: An expression such as ``"22 + 51"``.
        explain: If true, return an :class:`grundy.Answer` with the steps of the computation.

    >>> import grundy
    >>> grundy.nimber("22 + 51"), grundy.nimber("2 * 3")
    (37, 1)
    """
    answer = ask("nimber", {"game": str(expression), "explain": explain})
    return Answer(answer) if explain else int(answer["value"])


def help(name: str | None = None, *, lang: str | None = None) -> Answer:
    """Return the rules, notation, example, theorem and reference of a game.

    Without a name, return the list of all games.

    >>> import grundy
    >>> grundy.help("nim").summary
    'take any number of chips from one heap'
    """
    return Answer(ask("help", {"game": name}, lang=lang))


def exercises(
    game: str,
    *,
    count: int = 10,
    level: int = 3,
    seed: int = 0,
    play: str = "normal",
    lang: str | None = None,
    **ranges: str,
) -> Answer:
    """Generate a sheet of exercises with answers.

    Args:
        game: The name of a game, or a family whose variables are drawn from ``ranges``.
        count: The number of exercises.
        level: The difficulty.
        seed: The seed of the random generator.
        play: ``"normal"`` or ``"misere"``.
        lang: The language of the exercises.
        ranges: The range of each variable of a family.

    >>> import grundy
    >>> len(grundy.exercises("nim", count=3, seed=1).exercises)
    3
    """
    question = {
        "game": game,
        "count": count,
        "level": level,
        "seed": seed,
        "play": play,
        "ranges": [f"{name}={values}" for name, values in ranges.items()],
    }
    return Answer(ask("exercises", question, lang=lang))
