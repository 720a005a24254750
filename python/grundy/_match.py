"""Games against the program."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from ._answers import Answer, Move, Step, Steps
from ._ask import known_language

if TYPE_CHECKING:
    from ._position import Position

__all__ = ["Match"]

# The strongest the program plays.
_PERFECT = 10


class Match:
    """A game against the program. It remembers where it began and the moves since; a notebook shows its board, on which one plays by
    clicking where ``anywidget`` is installed.

    >>> import grundy
    >>> match = grundy.nim(3, 4, 6).match()
    >>> match.play("take 1 from heap 0").position
    nim(1, 4, 6)
    >>> match.hint().text
    'You can win from here.'
    """

    def __init__(
        self,
        start: Position,
        *,
        level: int = _PERFECT,
        play: str = "normal",
        second: bool = False,
        seed: int = 0,
        lang: str | None = None,
    ) -> None:
        if isinstance(level, bool) or not isinstance(level, int) or not 0 <= level <= _PERFECT:
            raise ValueError(f"level: a number from 0 to {_PERFECT} is expected, not {level!r}")
        self.start = start
        self.level = level
        self.seed = seed
        self.normal = play != "misere"
        self.lang = known_language(lang)
        self._play = play
        self._saved = ""
        self._undone: list[str] = []
        if second and not self.board().over:
            self._reply()

    def _ask(self, command: str, **question: Any) -> Answer:
        # Who begins is no question where only one may.
        asked = {"play": self._play, "moves": self._saved, **question}
        return Answer(self.start._ask(command, asked, lang=self.lang))

    def board(self, *, dark: bool = False) -> Answer:
        """What stands on the board: ``position``, ``mover``, ``over``, ``moves``, ``svg``, ``made``."""
        return self._ask("board", dark=dark)

    @property
    def position(self) -> Position:
        """The position now."""
        from ._position import position

        return position(self.board().position, self.start._file) if not self.start._rules else self._replayed()

    def _replayed(self) -> Position:
        now = self.start
        for made in self.board().made:
            now = now.after(made["to"]) if made.get("to") else now.after(made["at"])
        return now

    @property
    def over(self) -> bool:
        """Whether nobody can move any more."""
        return bool(self.board().over)

    @property
    def moves(self) -> list[str]:
        """The moves there are, as :meth:`play` takes them."""
        return [move["move"] for move in self.board().moves]

    def play(self, move: str | Move) -> Match:
        """Makes a move, as one would write it or a :class:`grundy.Move`, and lets the program answer."""
        self.make(move)
        if not self.over:
            self._reply()
        return self

    def make(self, move: str | Move) -> Match:
        """Makes a move, without an answer: for two people."""
        if isinstance(move, Move):
            written = (one["write"] for one in self.board().moves if _same(one, move))
            move = next(written, str(move))
        if not isinstance(move, str):
            raise TypeError(f"move: its words are expected, not {type(move).__name__}")
        joined = f"{self._saved}; {move}" if self._saved else move
        before = self._saved
        self._saved = joined
        try:
            self._saved = self.board().saved
        except ValueError:
            self._saved = before
            raise
        self._undone.clear()
        return self

    def _reply(self) -> None:
        self._saved = self._ask("reply", level=self.level, seed=self.seed).saved

    def undo(self) -> Match:
        """Takes back the last move and the program's answer."""
        made = self.board().made
        if made:
            self._undone.append(self._saved)
            kept = made[: max(0, len(made) - 2)]
            self._saved = "; ".join(move["write"] for move in kept)
        return self

    def redo(self) -> Match:
        """Makes again what was taken back."""
        if self._undone:
            self._saved = self._undone.pop()
        return self

    def hint(self, stage: int = 1) -> Answer:
        """A hint: 1 says how it stands, 2 the move, 3 why."""
        return self._ask("hint", stage=stage)

    def why(self) -> Steps:
        """Why it stands as it does."""
        return Steps(Step(step) for step in self.hint(3)._data.get("steps", []))

    def review(self) -> Answer:
        """How the game went: ``strip``, how it stood before each move for whoever was to move, and ``mistakes``."""
        return self._ask("review")

    @property
    def saved(self) -> str:
        """The moves so far, as ``grundy play EXPR --moves`` goes on from them."""
        return self._saved

    def widget(self) -> Any:
        """The board as a widget, which ``anywidget`` makes possible: ``pip install grundy[widget]``."""
        from .widget import Board

        return Board(self)

    def __repr__(self) -> str:
        board = self.board()
        state = "over" if board.over else f"{board.mover} to move"
        return f"<{board.position}: {state}>"

    def _repr_mimebundle_(self, **settings: Any) -> Any:
        # What shows no widget, or is read when nothing runs any more, shows the board as it stands.
        still = {"text/plain": repr(self), "text/html": self._repr_html_()}
        try:
            shown = self.widget()._repr_mimebundle_(**settings)
        except ImportError:
            return still
        if isinstance(shown, tuple):
            return {**shown[0], **still}, shown[1]
        return {**shown, **still} if shown else still

    def _repr_html_(self) -> str:
        board = self.board()
        moves = "".join(f"<li>{html.escape(move['move'])}</li>" for move in board.moves[:50])
        return f"{board.svg}<p>{html.escape(repr(self))}</p><ol start='0'>{moves}</ol>"


def _same(told: dict[str, Any], move: Move) -> bool:
    return told["component"] == move.component and tuple(told["at"]) == move.at
