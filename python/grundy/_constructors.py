"""The constructors of the notation, written from the one list of the library: a new game appears here by itself."""

from __future__ import annotations

import inspect
import re
from typing import Any

from . import _native
from ._ask import ask
from ._boards import Board
from ._graphs import columns, pairs
from ._position import Position, made

__all__: list[str] = []


def parameters(signature: str) -> list[inspect.Parameter]:
    """The parameters of a constructor, from how the notation writes its call: ``subtraction(take, n, ...)``."""
    inner = signature[signature.index("(") + 1 : -1]
    pieces: list[str] = []
    depth = 0
    for character in inner:
        if character == "," and depth == 0:
            pieces.append("")
            continue
        depth += {"[": 1, "]": -1}.get(character, 0)
        if not pieces:
            pieces.append("")
        pieces[-1] += character
    found: list[inspect.Parameter] = []
    for piece in (piece.strip() for piece in pieces):
        name, _, default = piece.partition("=")
        if piece == "...":
            # More of the last one: c1, c2, ... are c.
            last = found.pop().name.rstrip("0123456789")
            while found and found[-1].name.rstrip("0123456789") == last:
                found.pop()
            found.append(inspect.Parameter(last, inspect.Parameter.VAR_POSITIONAL))
        elif piece.endswith("..."):
            found.append(inspect.Parameter(piece[:-3], inspect.Parameter.VAR_POSITIONAL))
        elif piece.startswith("["):
            # Only Northcott's game writes out what its rows are.
            found.append(inspect.Parameter("rows", inspect.Parameter.POSITIONAL_OR_KEYWORD))
        else:
            value = _DEFAULTS.get(default, _Said(default)) if default else inspect.Parameter.empty
            found.append(inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=value))
    return found


class _Said:
    """A default that the notation says in words."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


_DEFAULTS: dict[str, Any] = {"0": 0, "True": True, "False": False, '"left"': "left", '"X"': "X"}


def _example(written: str) -> str:
    """A call as it is written where only the package is known: games in it are those of the package, too."""
    names = "|".join(["board", *(name for name, _, _ in _native.games())])
    return re.sub(rf"(?<![\w.])((?:{names})\()", r"grundy.\1", written)


def _documented(name: str, signature: str) -> str:
    told = ask("help", {"game": name}, lang="en")
    lines = [f"{told['title']}: {told['summary']}.", "", told["rules"], "", f"``{signature}``: {told['arguments']}."]
    theorem = told.get("theorem")
    if theorem:
        lines += ["", f"{theorem['name']}: {theorem['statement']} ({theorem['source']})."]
    lines += [
        "",
        ">>> import grundy",
        f">>> {_example(told['example'])}.solve().outcome",
        repr(told["answer"].split(":")[0]),
    ]
    return "\n".join(lines)


def _edges(edges: list[Any]) -> Any:
    """Edges given as pairs of numbers, or as triples with a colour, as the notation writes them; else what they were."""
    if all(len(edge) in (2, 3) and all(isinstance(end, int) for end in edge[:2]) for edge in edges):
        return " ".join(f"{edge[0]}-{edge[1]}" + "".join(f":{colour}" for colour in edge[2:]) for edge in edges)
    return edges


def _plain(value: Any) -> Any:
    """What constructors read: for a graph of NetworkX, or a table with the columns ``from`` and ``to``, the map of moves; for a position
    what the library holds; for an empty board its size, which is all that some games ask of it."""
    if isinstance(value, Position):
        return value._inner
    if isinstance(value, Board):
        return value._plain()
    if type(value).__module__.split(".")[0] == "networkx":
        return {str(vertex): [str(other) for other in value.adj[vertex]] for vertex in value.nodes}
    if isinstance(value, list) and value and all(isinstance(edge, tuple) for edge in value):
        return _edges(value)
    table = columns(value)
    if table is not None:
        moves: dict[str, list[str]] = {}
        for source, target in pairs(*table):
            options = moves.setdefault(str(source), [])
            if target is not None:
                options.append(str(target))
                moves.setdefault(str(target), [])
        return moves
    return value


def _constructor(name: str, signature: str) -> Any:
    def constructor(*arguments: Any, **named: Any) -> Position:
        plain = {key: _plain(value) for key, value in named.items()}
        rules = (rule for one in (*arguments, *named.values()) if isinstance(one, Position) for rule in one._rules)
        return made(_native.construct(name, tuple(map(_plain, arguments)), plain), tuple(rules))

    constructor.__name__ = constructor.__qualname__ = name
    constructor.__module__ = "grundy"
    constructor.__doc__ = _documented(name, signature)
    constructor.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        parameters(signature), return_annotation=Position
    )
    return constructor


for _name, _signature, _ in _native.games():
    globals()[_name] = _constructor(_name, _signature)
    __all__.append(_name)
