"""An engine for combinatorial games: outcomes, values, winning moves and explanations.

Each constructor of the notation is a function, and ``+`` forms the sum of two positions. Hence an
expression of the notation is also an expression of Python.

>>> import grundy
>>> g = grundy.nim(3, 4) + grundy.kayles(7)
>>> g.outcome, g.grundy
('N', 5)
>>> grundy.sequence("0.137", 10)
array([0, 1, 1, 2, 0, 3, 1, 1, 0, 3], dtype=uint8)
"""

from ._answers import (
    Answer,
    Explanation,
    MatrixSolution,
    Move,
    Period,
    Picture,
    Quotient,
    Solution,
    Step,
    Steps,
    Table,
    Tree,
    Verified,
)
from ._ask import ask, lang, limits
from ._boards import board
from ._constructors import *
from ._constructors import __all__ as _games
from ._errors import GrundyError, LimitError
from ._families import Rows, period, quotient, rows, sequence, solve_many, table, verify
from ._forms import MisereValue, Relation, Thermograph, Value, compare, value
from ._graphs import Label, Labels, label
from ._match import Match
from ._native import __version__
from ._others import exercises, help, matrix, nimber
from ._position import Misere, Position, draw, explain, position, solve, solve_tree, sum_of
from ._progress import progress
from ._rules import Rule, RuleFile, game, picture_file, rule_file
from ._tablebase import Tablebase, tablebase
from ._values import Infinity

__all__ = [
    "Answer",
    "Explanation",
    "GrundyError",
    "Infinity",
    "Label",
    "Labels",
    "LimitError",
    "Match",
    "MatrixSolution",
    "Misere",
    "MisereValue",
    "Move",
    "Period",
    "Quotient",
    "Picture",
    "Position",
    "Relation",
    "Rows",
    "Rule",
    "RuleFile",
    "Solution",
    "Step",
    "Steps",
    "Table",
    "Tablebase",
    "Thermograph",
    "Tree",
    "Value",
    "Verified",
    "__version__",
    "ask",
    "board",
    "compare",
    "draw",
    "exercises",
    "explain",
    "game",
    "help",
    "label",
    "lang",
    "limits",
    "matrix",
    "nimber",
    "period",
    "picture_file",
    "position",
    "quotient",
    "progress",
    "rows",
    "rule_file",
    "sequence",
    "solve",
    "solve_many",
    "solve_tree",
    "sum_of",
    "table",
    "tablebase",
    "value",
    "verify",
    *_games,
]
