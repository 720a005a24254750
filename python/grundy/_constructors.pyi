"""The constructors of the notation. Written by ``scripts/stubs.py``: not to be edited."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ._position import Position

__all__ = [
    "all_but",
    "amazons",
    "arc_kayles",
    "at_least_half",
    "at_most",
    "at_most_half",
    "calendar",
    "cannibal_clobber",
    "chomp",
    "clobber",
    "col",
    "cram",
    "cutcake",
    "dawsons_chess",
    "dawsons_kayles",
    "domineering",
    "elephants",
    "euclid",
    "fibonacci_nim",
    "fission",
    "geography",
    "graph",
    "grundys_game",
    "hackenbush",
    "impartial",
    "k_in_a_row",
    "kayles",
    "kayles_row",
    "king",
    "knight",
    "konane",
    "laskers_nim",
    "literal",
    "maundy_cake",
    "mock_turtles",
    "moore_nim",
    "nim",
    "nim_except",
    "nimble",
    "node_kayles",
    "nogo",
    "northcott",
    "officers",
    "ordinal_sum",
    "partizan_subtraction",
    "push",
    "queen",
    "rook",
    "ruler",
    "ski_jumps",
    "snort",
    "staircase_nim",
    "strip_coins",
    "subtraction",
    "take_and_break",
    "tic_tac_toe",
    "tic_toe",
    "toads_and_frogs",
    "toppling_dominoes",
    "treblecross",
    "treblecross_row",
    "tree",
    "turning_turtles",
    "twins",
    "wythoff",
]

def parameters(signature: str) -> list[inspect.Parameter]: ...

def all_but(exclude: Iterable[int] | Callable[[int], bool] | str, *n: int) -> Position:
    """All-but game: take any number of chips from one heap, except for a few forbidden numbers."""

def amazons(board: Sequence[str]) -> Position:
    """Amazons: move like a chess queen, then burn a square with an arrow."""

def arc_kayles(edges: Any) -> Position:
    """Arc Kayles: take an edge of a graph and all edges that touch it."""

def at_least_half(*n: int) -> Position:
    """Take at least half: take at least half of one heap."""

def at_most(p: int, q: int, *n: int) -> Position:
    """Take at most a fraction: take at least one chip and at most floor(p n / q) from one heap of n."""

def at_most_half(*n: int) -> Position:
    """Take at most half: take at most half of one heap, and at least one chip."""

def calendar(year: int, month: int, day: int) -> Position:
    """Calendar Game: go to the next day, or to the same day of the next month; reach November 4, 2001."""

def cannibal_clobber(board: Sequence[str]) -> Position:
    """Cannibal Clobber: Clobber in which a stone may also capture a stone of its own colour."""

def chomp(*rows: int) -> Position:
    """Chomp: bite off the lower right part of a chocolate bar; the top left square is poisoned."""

def clobber(board: Sequence[str]) -> Position:
    """Clobber: capture an adjacent stone of the opponent by moving onto it."""

def col(edges: Any, colors: str) -> Position:
    """Col: colour the vertices of a graph; adjacent vertices may not have the same colour."""

def cram(board: Sequence[str]) -> Position:
    """Cram: place dominoes on a board, vertically or horizontally."""

def cutcake(rows: int, columns: int) -> Position:
    """Cutcake: cut a cake along its grid lines: Left between columns, Right between rows."""

def dawsons_chess(*n: int) -> Position:
    """Dawson's Chess: take-and-break 0.137: take a heap of one, two chips without a split, or three chips with or without a split."""

def dawsons_kayles(*n: int) -> Position:
    """Dawson's Kayles: take-and-break 0.07: take two chips, then split the rest of the heap if you like."""

def domineering(board: Sequence[str]) -> Position:
    """Domineering: place dominoes on a board: Left vertically, Right horizontally."""

def elephants(strip: str) -> Position:
    """Elephants and Rhinos: Left's elephants step right, Right's rhinos step left; there are no jumps."""

def euclid(a: int, b: int) -> Position:
    """Euclid's Game: two numbers: subtract a multiple of the smaller from the larger."""

def fibonacci_nim(n: int, most: int = ...) -> Position:
    """Fibonacci Nim: one heap; take at most twice as many chips as the previous move."""

def fission(board: Sequence[str]) -> Position:
    """Fission: split a stone in two: Left vertically, Right horizontally."""

def geography(edges: Any, start: int, directed: bool = ..., taken: str = ..., visited: Sequence[int] = ...) -> Position:
    """Geography: move the token along an edge to a vertex that it has not visited before."""

def graph(edges: Any, start: Any, endless: str = ...) -> Position:
    """A game on a graph: move a counter along the arrows of a graph that you define; cycles are allowed."""

def grundys_game(*n: int) -> Position:
    """Grundy's Game: split one heap into two of different sizes."""

def hackenbush(edges: Any, ground: int | Sequence[int] = ...) -> Position:
    """Hackenbush: cut an edge of a picture; everything no longer connected to the ground falls away."""

def impartial(G: Position) -> Position:
    """Impartial version of a game: both players have all moves of Left and Right in a partizan game."""

def k_in_a_row(board: Sequence[str], k: int, diagonals: bool = ...) -> Position:
    """k in a row: k marks in a row on any board."""

def kayles(*n: int) -> Position:
    """Kayles: take-and-break 0.77: take one or two chips, then split the rest of the heap if you like."""

def kayles_row(row: str) -> Position:
    """Kayles, a row of pins: knock down one pin of a row, or two adjacent pins."""

def king(x: int, y: int) -> Position:
    """King to the corner: one king: move one step left, down or diagonally, towards the corner."""

def knight(x: int, y: int) -> Position:
    """Knight to the corner: one knight: make one of the four moves that lead towards the corner."""

def konane(board: Sequence[str]) -> Position:
    """Konane: jump over the opponent's stones in a straight line and capture them."""

def laskers_nim(*n: int) -> Position:
    """Lasker's Nim: take any number of chips from one heap, or split a heap into two."""

def literal(text: int) -> Position:
    """A game written out: a game in the notation for values: {2|-1/2}, 3/4v[3]*, Tiny(2)."""

def maundy_cake(rows: int, columns: int, copies: int = ...) -> Position:
    """Maundy Cake: cut a piece into equal parts: Left between columns, Right between rows."""

def mock_turtles(*head: int) -> Position:
    """Mock Turtles: turn one, two or three coins, the rightmost from heads to tails."""

def moore_nim(k: int, *n: int) -> Position:
    """Moore's Nim: reduce at least one and at most k heaps."""

def nim(*n: int) -> Position:
    """Nim: take any number of chips from one heap."""

def nim_except(forbidden: Sequence[Sequence[int]], *n: int) -> Position:
    """Nim with forbidden moves: take any number of chips from one heap, unless the list forbids it."""

def nimble(*c: int) -> Position:
    """Nimble: move one coin on a strip to the left, past other coins if you like."""

def node_kayles(edges: Any) -> Position:
    """Node Kayles: take a vertex of a graph and all its neighbours."""

def nogo(board: Sequence[str]) -> Position:
    """NoGo: place stones so that every block of either colour keeps a free point."""

def northcott(width: int, rows: Sequence[Sequence[int]], to_move: str = ...) -> Position:
    """Northcott's Game: move one of your counters along its row, without jumping."""

def officers(*n: int) -> Position:
    """Officers: take-and-break 0.6: take one chip and leave the rest in one or two heaps, never none."""

def ordinal_sum(G: Position, H: Position) -> Position:
    """One game on top of another: the ordinal sum G:H, in which a move in G ends H."""

def partizan_subtraction(left: Iterable[int] | Callable[[int], bool] | str, right: Iterable[int] | Callable[[int], bool] | str, *n: int) -> Position:
    """Partizan subtraction: take chips from a heap; Left and Right have different sets of allowed numbers."""

def push(strip: str) -> Position:
    """Push: push one of your pieces one square to the left, together with those in front of it."""

def queen(x: int, y: int) -> Position:
    """Queen to the corner: one queen: move any distance left, down or diagonally, towards the corner."""

def rook(x: int, y: int) -> Position:
    """Rook to the corner: one rook: move any distance left or down, towards the corner."""

def ruler(*head: int) -> Position:
    """Ruler: turn consecutive coins, the rightmost from heads to tails."""

def ski_jumps(slope: Sequence[str]) -> Position:
    """Ski Jumps: Left's skiers move right, Right's move left, and jumpers jump over opponents below them."""

def snort(edges: Any, colors: str) -> Position:
    """Snort: colour the vertices of a graph; adjacent vertices may not have different colours."""

def staircase_nim(*c: int) -> Position:
    """Staircase Nim: move coins from one step of a staircase down to the next."""

def strip_coins(*c: int) -> Position:
    """Coins on a strip: move one coin on a strip to the left, without passing another or landing on it."""

def subtraction(take: Iterable[int] | Callable[[int], bool] | str, *n: int) -> Position:
    """Subtraction game: take k chips from one heap, where k is in a given set."""

def take_and_break(code: str, *n: int) -> Position:
    """Octal game: octal and hexadecimal games: take chips and split the rest as a code specifies."""

def tic_tac_toe() -> Position:
    """Tic-Tac-Toe: three in a row on a 3 by 3 board."""

def tic_toe() -> Position:
    """Tic-Toe: two in a row on a 2 by 2 board, without diagonals."""

def toads_and_frogs(strip: str) -> Position:
    """Toads and Frogs: Left's toads move right, Right's frogs move left: one step, or a jump over an opposing piece."""

def toppling_dominoes(row: str) -> Position:
    """Toppling Dominoes: topple one of your dominoes, together with all dominoes on one side of it."""

def treblecross(*n: int) -> Position:
    """Treblecross, as heaps: take-and-break 0.007, the heaps behind Treblecross; treblecross_row is the game on a row."""

def treblecross_row(row: str) -> Position:
    """Treblecross: put a cross on a square of a row; three adjacent crosses win."""

def tree(moves: Mapping[Any, Any] | Sequence[Any], start: Any, ends: Mapping[Any, str], to_move: str = ...) -> Position:
    """A game tree with ties: a game that ends in a win, a tie or a loss, listed position by position."""

def turning_turtles(*head: int) -> Position:
    """Turning Turtles: turn a coin from heads to tails and, if you like, another coin to its left."""

def twins(*head: int) -> Position:
    """Twins: turn exactly two coins, the right one from heads to tails."""

def wythoff(a: int, b: int) -> Position:
    """Wythoff's Game: two heaps: take from one, or the same number from both."""
