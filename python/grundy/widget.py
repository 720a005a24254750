"""A board widget for JupyterLab, VS Code and Colab."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ._match import Match

__all__ = ["Board"]

_HERE = Path(__file__).parent


class Board(anywidget.AnyWidget):
    """A board for a match against the program, on which moves are made by clicking.

    The widget contains no rules of games: the engine draws the board and lists the legal moves.

    >>> import grundy
    >>> from grundy.widget import Board
    >>> board = Board(grundy.nim(3, 4, 5).match())
    >>> board.state["position"]
    'nim(3, 4, 5)'
    """

    _esm = _HERE / "widget.js"
    _css = _HERE / "widget.css"

    state = traitlets.Dict().tag(sync=True)

    def __init__(self, match: Match) -> None:
        super().__init__()
        self.match = match
        self.on_msg(self._handle_board_message)
        self._show("")

    def _show(self, text: str) -> None:
        board = self.match.board()
        self.state = {
            "position": board.position,
            "svg": board.svg,
            "moves": [{key: move[key] for key in ("write", "move", "at", "component")} for move in board.moves],
            "mover": board.mover,
            "over": board.over,
            "standing": board.standing,
            "made": [move["move"] for move in board.made],
            "saved": board.saved,
            "text": text,
        }

    def _handle_board_message(self, _: Any, content: Any, __: Any) -> None:
        text = ""
        try:
            request = content.get("ask") if isinstance(content, dict) else None
            if request == "play":
                self.match.play(str(content.get("move", "")))
            elif request == "undo":
                self.match.undo()
            elif request == "redo":
                self.match.redo()
            elif request == "hint":
                text = self.match.hint(min(3, max(1, int(content.get("stage", 1))))).text
        except ValueError as error:
            text = str(error)
        self._show(text)
