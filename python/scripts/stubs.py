"""Writes the stub file of the constructors from the list of games in the library.

Run ``python scripts/stubs.py`` after adding a game.
"""

from __future__ import annotations

import inspect
from pathlib import Path

import grundy
from grundy._constructors import parameters
from grundy._native import games

STUB = Path(__file__).parent.parent / "grundy" / "_constructors.pyi"

HEAD = '''"""The constructors of the notation. Written by ``scripts/stubs.py``: not to be edited."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ._position import Position

__all__ = [
{names}]

def parameters(signature: str) -> list[inspect.Parameter]: ...
'''

# The type of a parameter by its name, or by game and name. All other parameters are integers.
TYPES = {
    "G": "Position",
    "H": "Position",
    "board": "Sequence[str]",
    "code": "str",
    "colors": "str",
    "diagonals": "bool",
    "directed": "bool",
    "edges": "Any",
    "endless": "str",
    "ends": "Mapping[Any, str]",
    "exclude": "Iterable[int] | Callable[[int], bool] | str",
    "forbidden": "Sequence[Sequence[int]]",
    "geography.start": "int",
    "ground": "int | Sequence[int]",
    "moves": "Mapping[Any, Any] | Sequence[Any]",
    "row": "str",
    "left": "Iterable[int] | Callable[[int], bool] | str",
    "northcott.rows": "Sequence[Sequence[int]]",
    "right": "Iterable[int] | Callable[[int], bool] | str",
    "slope": "Sequence[str]",
    "start": "Any",
    "strip": "str",
    "take": "Iterable[int] | Callable[[int], bool] | str",
    "taken": "str",
    "to_move": "str",
    "visited": "Sequence[int]",
}


def parameter(game: str, one: inspect.Parameter) -> str:
    star = "*" if one.kind is inspect.Parameter.VAR_POSITIONAL else ""
    kind = "int" if star else TYPES.get(f"{game}.{one.name}") or TYPES.get(one.name, "int")
    default = "" if one.default is inspect.Parameter.empty else " = ..."
    return f"{star}{one.name}: {kind}{default}"


def stub() -> str:
    """Return the text of the stub file."""
    listed = sorted(games())
    names = "".join(f'    "{name}",\n' for name, _, _ in listed)
    lines = [HEAD.format(names=names)]
    for name, signature, _ in listed:
        arguments = ", ".join(parameter(name, one) for one in parameters(signature))
        document = getattr(grundy, name).__doc__.splitlines()[0]
        lines.append(f'def {name}({arguments}) -> Position:\n    """{document}"""\n')
    return "\n".join(lines)


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
