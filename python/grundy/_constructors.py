"""The constructors of the notation, generated from the list of games in the compiled library."""

from __future__ import annotations

import inspect
import re
from typing import Any

from . import _native
from ._ask import ask
from ._boards import Board
from ._graphs import columns, pairs
from ._position import Position, wrap

__all__: list[str] = []


def parameters(signature: str) -> list[inspect.Parameter]:
    """Return the parameters of a constructor, parsed from a signature of the notation.

    An example is ``subtraction(take, n, ...)``.
    """
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
            # An ellipsis makes the last parameter variadic. Numbered parameters such as
            # `c1, c2, ...` become one variadic parameter c.
            last = found.pop().name.rstrip("0123456789")
            while found and found[-1].name.rstrip("0123456789") == last:
                found.pop()
            found.append(inspect.Parameter(last, inspect.Parameter.VAR_POSITIONAL))
        elif piece.endswith("..."):
            found.append(inspect.Parameter(piece[:-3], inspect.Parameter.VAR_POSITIONAL))
        elif piece.startswith("["):
            # Only the signature of Northcott's game has a list in place of a name.
            found.append(inspect.Parameter("rows", inspect.Parameter.POSITIONAL_OR_KEYWORD))
        else:
            value = _DEFAULTS.get(default, _DescribedDefault(default)) if default else inspect.Parameter.empty
            found.append(inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=value))
    return found


class _DescribedDefault:
    """A default value that the signature describes in words, which ``repr`` returns."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


_DEFAULTS: dict[str, Any] = {"0": 0, "True": True, "False": False, '"left"': "left", '"X"': "X"}


def _example(example: str) -> str:
    """Return an example of the notation as Python code, in which calls begin with ``grundy.``."""
    names = "|".join(["board", *(name for name, _, _ in _native.games())])
    return re.sub(rf"(?<![\w.])((?:{names})\()", r"grundy.\1", example)


def _docstring(name: str, signature: str) -> str:
    sheet = ask("help", {"game": name}, lang="en")
    lines = [
        f"{sheet['title']}: {sheet['summary']}.",
        "",
        sheet["rules"],
        "",
        f"``{signature}``: {sheet['arguments']}.",
    ]
    theorem = sheet.get("theorem")
    if theorem:
        lines += ["", f"{theorem['name']}: {theorem['statement']} ({theorem['source']})."]
    lines += [
        "",
        ">>> import grundy",
        f">>> {_example(sheet['example'])}.solve().outcome",
        repr(sheet["answer"].split(":")[0]),
    ]
    return "\n".join(lines)


def _edge_text(edges: list[Any]) -> Any:
    """Convert pairs of numbers, or triples with a colour, to the edge text of the notation.

    Other edges are returned unchanged.
    """
    if all(len(edge) in (2, 3) and all(isinstance(end, int) for end in edge[:2]) for edge in edges):
        return " ".join(f"{edge[0]}-{edge[1]}" + "".join(f":{colour}" for colour in edge[2:]) for edge in edges)
    return edges


def _native_argument(value: Any) -> Any:
    """Convert an argument to a value that the compiled constructors accept.

    NetworkX graphs and tables with the columns ``from`` and ``to`` become mappings from a vertex to
    its options. A position becomes its compiled object and an empty board its size.
    """
    if isinstance(value, Position):
        return value._inner
    if isinstance(value, Board):
        return value._native_argument()
    if type(value).__module__.split(".")[0] == "networkx":
        return {str(vertex): [str(other) for other in value.adj[vertex]] for vertex in value.nodes}
    if isinstance(value, list) and value and all(isinstance(edge, tuple) for edge in value):
        return _edge_text(value)
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
        plain = {key: _native_argument(value) for key, value in named.items()}
        rules = (rule for one in (*arguments, *named.values()) if isinstance(one, Position) for rule in one._rules)
        return wrap(_native.construct(name, tuple(map(_native_argument, arguments)), plain), tuple(rules))

    constructor.__name__ = constructor.__qualname__ = name
    constructor.__module__ = "grundy"
    constructor.__doc__ = _docstring(name, signature)
    constructor.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        parameters(signature), return_annotation=Position
    )
    return constructor


for _name, _signature, _ in _native.games():
    globals()[_name] = _constructor(_name, _signature)
    __all__.append(_name)
