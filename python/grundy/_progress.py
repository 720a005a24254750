"""Progress of long computations, shown on standard error."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

__all__ = ["progress", "progress_callback"]

ProgressCallback = Callable[[str, "tuple[int, int] | None"], None]

# The delay in seconds before progress is shown.
_DELAY = 1.0


class _Settings:
    enabled: bool | None = None


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
        _Settings.enabled = wanted
    if _Settings.enabled is not None:
        return _Settings.enabled
    return sys.stderr.isatty() or "ipykernel" in sys.modules


class _Line:
    """A progress report on one line of the terminal, which each update overwrites."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.started = time.monotonic()
        self.width = 0

    def update(self, what: str, counts: tuple[int, int] | None) -> None:
        elapsed = time.monotonic() - self.started
        if elapsed < _DELAY:
            return
        fraction = ""
        if counts is not None:
            done, of = counts
            fraction = f" {done:,} of {of:,}"
        text = f"{self.command}:{fraction} {what}".rstrip() + f"  {elapsed:.0f} s"
        print("\r" + text.ljust(self.width), end="", file=sys.stderr, flush=True)
        self.width = len(text)

    def end(self) -> None:
        if self.width:
            print("\r" + " " * self.width + "\r", end="", file=sys.stderr, flush=True)


@contextlib.contextmanager
def progress_callback(command: str) -> Iterator[ProgressCallback | None]:
    """Provide the progress callback of a long call, or ``None`` if progress is not shown."""
    if not progress():
        yield None
        return
    line = _Line(command)
    try:
        yield line.update
    finally:
        line.end()
