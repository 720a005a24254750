"""How far long work is, told on standard error where somebody looks."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

__all__ = ["progress", "telling"]

Told = Callable[[str, "tuple[int, int] | None"], None]

# Work that ends sooner than this says nothing.
_PATIENCE = 1.0


class _Shown:
    wanted: bool | None = None


def progress(wanted: bool | None = None) -> bool:
    """Whether long calls say how far they are. With an argument it is set; else they do on a terminal and in a notebook.

    >>> import grundy
    >>> grundy.progress(False)
    False
    """
    if wanted is not None:
        _Shown.wanted = wanted
    if _Shown.wanted is not None:
        return _Shown.wanted
    return sys.stderr.isatty() or "ipykernel" in sys.modules


class _Line:
    """One line that is written anew."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.begun = time.monotonic()
        self.width = 0

    def tell(self, what: str, counted: tuple[int, int] | None) -> None:
        past = time.monotonic() - self.begun
        if past < _PATIENCE:
            return
        far = ""
        if counted is not None:
            done, of = counted
            far = f" {done:,} of {of:,}"
        text = f"{self.command}:{far} {what}".rstrip() + f"  {past:.0f} s"
        print("\r" + text.ljust(self.width), end="", file=sys.stderr, flush=True)
        self.width = len(text)

    def end(self) -> None:
        if self.width:
            print("\r" + " " * self.width + "\r", end="", file=sys.stderr, flush=True)


@contextlib.contextmanager
def telling(command: str) -> Iterator[Told | None]:
    """What a long call tells how far it is; nothing where nobody looks."""
    if not progress():
        yield None
        return
    line = _Line(command)
    try:
        yield line.tell
    finally:
        line.end()
