"""Matches against the program."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from ._answers import Answer, Move, Step, Steps
from ._ask import checked_language

if TYPE_CHECKING:
    from ._position import Position

__all__ = ["Match"]

# The highest level, at which the program plays optimally.
_MAX_LEVEL = 10


class Match:
    """A match against the program: a starting position and the moves since.

    A notebook displays its board. If ``anywidget`` is installed, clicking on the board makes moves.

    >>> import grundy
    >>> match = grundy.nim(3, 4, 6).match()
    >>> match.play("take 1 from heap 1").position
    nim(1, 4, 6)
    >>> match.hint().text
    'You can win from here.'
    """

    def __init__(
        self,
        start: Position,
        *,
        level: int = _MAX_LEVEL,
        play: str = "normal",
        second: bool = False,
        seed: int = 0,
        lang: str | None = None,
    ) -> None:
        if isinstance(level, bool) or not isinstance(level, int) or not 0 <= level <= _MAX_LEVEL:
            raise ValueError(f"level: expected an integer from 0 to {_MAX_LEVEL}, not {level!r}")
        self.start = start
        self.level = level
        self.seed = seed
        self.normal = play != "misere"
        self.lang = checked_language(lang)
        self._play = play
        self._saved = ""
        self._undone: list[str] = []
        if second and not self.board().over:
            self._reply()

    def _ask(self, command: str, **question: Any) -> Answer:
        # Each request contains all moves; the library replays them from the starting position.
        request = {"play": self._play, "moves": self._saved, **question}
        return Answer(self.start._ask(command, request, lang=self.lang))

    def board(self, *, dark: bool = False) -> Answer:
        """Return the board.

        Its attributes are ``position``, ``mover``, ``over``, ``moves``, ``svg`` and ``made``, the
        moves so far.
        """
        return self._ask("board", dark=dark)

    @property
    def position(self) -> Position:
        """The current position."""
        from ._position import position

        return position(self.board().position, self.start._file) if not self.start._rules else self._replay()

    def _replay(self) -> Position:
        now = self.start
        for made in self.board().made:
            now = now.after(made["to"]) if made.get("to") else now.after(made["at"])
        return now

    @property
    def over(self) -> bool:
        """``True`` if the game is over."""
        return bool(self.board().over)

    @property
    def moves(self) -> list[str]:
        """The legal moves, as texts that :meth:`play` accepts."""
        return [move["move"] for move in self.board().moves]

    def play(self, move: str | Move) -> Match:
        """Make a move, given as text or as a :class:`grundy.Move`, and let the program reply."""
        self.make(move)
        if not self.over:
            self._reply()
        return self

    def make(self, move: str | Move) -> Match:
        """Make a move without a reply of the program, for a match between two people."""
        if isinstance(move, Move):
            matching = (one["write"] for one in self.board().moves if _is_move(one, move))
            move = next(matching, str(move))
        if not isinstance(move, str):
            raise TypeError(f"move: expected a string, not {type(move).__name__}")
        joined = f"{self._saved}; {move}" if self._saved else move
        previous = self._saved
        self._saved = joined
        try:
            self._saved = self.board().saved
        except ValueError:
            self._saved = previous
            raise
        self._undone.clear()
        return self

    def _reply(self) -> None:
        self._saved = self._ask("reply", level=self.level, seed=self.seed).saved

    def undo(self) -> Match:
        """Undo the last move and the reply of the program."""
        made = self.board().made
        if made:
            self._undone.append(self._saved)
            kept = made[: max(0, len(made) - 2)]
            self._saved = "; ".join(move["write"] for move in kept)
        return self

    def redo(self) -> Match:
        """Redo the moves that :meth:`undo` took back last."""
        if self._undone:
            self._saved = self._undone.pop()
        return self

    def hint(self, stage: int = 1) -> Answer:
        """Return a hint.

        Args:
            stage: 1 for the outcome, 2 for a move, 3 for the reason.
        """
        return self._ask("hint", stage=stage)

    def why(self) -> Steps:
        """Return the argument for the outcome of the current position."""
        return Steps(Step(step) for step in self.hint(3)._data.get("steps", []))

    def review(self) -> Answer:
        """Return an analysis of the match.

        Its attribute ``strip`` has the outcome before each move, for the player to move, and
        ``mistakes`` lists the moves that worsened it.
        """
        return self._ask("review")

    @property
    def saved(self) -> str:
        """The moves so far, as text.

        ``grundy play EXPR --moves TEXT`` resumes the match from it.
        """
        return self._saved

    def widget(self) -> Any:
        """Return the board as a widget; requires ``anywidget`` (``pip install grundy[widget]``)."""
        from .widget import Board

        return Board(self)

    def __repr__(self) -> str:
        board = self.board()
        state = "over" if board.over else f"{board.mover} to move"
        return f"<{board.position}: {state}>"

    def _repr_mimebundle_(self, **settings: Any) -> Any:
        # The static board is added for viewers without widgets and for notebooks without a kernel.
        fallback = {"text/plain": repr(self), "text/html": self._repr_html_()}
        try:
            shown = self.widget()._repr_mimebundle_(**settings)
        except ImportError:
            return fallback
        if isinstance(shown, tuple):
            return {**shown[0], **fallback}, shown[1]
        return {**shown, **fallback} if shown else fallback

    def _repr_html_(self) -> str:
        board = self.board()
        moves = "".join(f"<li>{html.escape(move['move'])}</li>" for move in board.moves[:50])
        return f"{board.svg}<p>{html.escape(repr(self))}</p><ol start='0'>{moves}</ol>"


def _is_move(listed: dict[str, Any], move: Move) -> bool:
    return listed["component"] == move.component and tuple(listed["at"]) == move.at
