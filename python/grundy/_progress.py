"""Progress of long computations, shown on standard error."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

__all__ = ["progress", "telling"]

Told = Callable[[str, "tuple[int, int] | None"], None]

# The delay in seconds before progress is shown.
_PATIENCE = 1.0


class _Shown:
    wanted: bool | None = None


def progress(wanted: bool | None = None) -> bool:
    """Return whether long calls show their progress.

    Args:
        wanted: The setting to store first. Without one, progress is shown on a terminal and in a
            notebook.

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
    """A line of the terminal that is overwritten at each report."""

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
    """Provide the progress callback of a long call, or ``None`` if progress is not shown."""
    if not progress():
        yield None
        return
    line = _Line(command)
    try:
        yield line.tell
    finally:
        line.end()
