"""The function that sends requests to the engine, and the default settings of requests."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from . import _native
from ._errors import LimitError, of_object
from ._progress import progress_callback

if TYPE_CHECKING:
    from ._rules import Rule, RuleFile

__all__ = ["ask", "lang", "limits"]

_LANGUAGES = ("en", "zh")


class _Settings:
    """The defaults for requests that do not override them."""

    language: str = "en"
    seconds: float | None = None
    positions: int | None = None
    memory: int | None = None
    output: int | None = None


def lang(code: str | None = None) -> str:
    """Return the language of explanations, legends and errors.

    Args:
        code: The language to set first, ``"en"`` or ``"zh"``.

    >>> import grundy
    >>> grundy.lang()
    'en'
    """
    if code is not None:
        _Settings.language = checked_language(code)
    return _Settings.language


def checked_language(code: str | None) -> str:
    """Return ``code`` if it is a valid language code, or the default language for ``None``."""
    if code is None:
        return _Settings.language
    if code not in _LANGUAGES:
        raise ValueError(f"lang: expected 'en' or 'zh', not {code!r}")
    return code


@contextlib.contextmanager
def limits(
    *,
    seconds: float | None = None,
    positions: int | None = None,
    memory: int | None = None,
    output: int | None = None,
) -> Iterator[None]:
    """Set limits for every request inside a ``with`` block.

    A limit that is left out keeps its value from the enclosing block.

    Args:
        seconds: The time limit for each request; there is none by default.
        positions: The maximum number of positions stored.
        memory: The maximum number of bytes used during the computation.
        output: The maximum size of the JSON answer in bytes; 64 MiB by default.

    >>> import grundy
    >>> with grundy.limits(positions=100):
    ...     grundy.domineering(["......"] * 6).outcome
    Traceback (most recent call last):
    ...
    grundy._errors.LimitError: the computation needs more than 100 positions
      `grundy.limits(positions=...)` raises the limit
    """
    before = _Settings.seconds, _Settings.positions, _Settings.memory, _Settings.output
    _Settings.seconds = seconds if seconds is not None else before[0]
    _Settings.positions = positions if positions is not None else before[1]
    _Settings.memory = memory if memory is not None else before[2]
    _Settings.output = output if output is not None else before[3]
    try:
        yield
    finally:
        _Settings.seconds, _Settings.positions, _Settings.memory, _Settings.output = before


def current_limits() -> dict[str, Any]:
    """Return the current limits as keyword arguments of the compiled functions."""
    return {"positions": _Settings.positions, "memory": _Settings.memory}


def time_limit(requested: float | None) -> float | None:
    """Return the time limit of a request: ``requested`` if given, else the current default."""
    chosen = requested if requested is not None else _Settings.seconds
    if chosen is not None and not chosen >= 0:
        raise ValueError(f"timeout: expected a number of seconds, not {chosen!r}")
    return chosen


def ask(
    command: str,
    question: Mapping[str, Any],
    *,
    it: _native.Position | None = None,
    other: _native.Position | None = None,
    rules: Mapping[str, Rule] | None = None,
    file: RuleFile | None = None,
    tables: str | None = None,
    timeout: float | None = None,
    lang: str | None = None,
) -> dict[str, Any]:
    """Send a request to the engine and return its JSON answer as a dictionary.

    Most functions of this package call this one.

    Args:
        command: The name of a command, such as ``"solve"``.
        question: The keys of the request; keys with the value ``None`` or ``False`` are left out.
        it: The position named ``it`` in the expressions of the request.
        other: The position named ``other`` in these expressions.
        rules: The rules that these expressions refer to, by name.
        file: The rule file that these expressions refer to.
        tables: The folder with tablebases.
        timeout: The time limit in seconds.
        lang: The language of texts in the answer.

    Raises:
        GrundyError: The request is invalid or has no answer.
        LimitError: A limit was reached; ``partial`` has the partial results.

    >>> import grundy
    >>> grundy.ask("nimber", {"game": "22 + 51"})
    {'value': 37}
    """
    keys = {key: value for key, value in question.items() if value is not None and value is not False}
    keys["lang"] = checked_language(lang)
    keys["interface"] = "python"
    if _Settings.output is not None:
        keys["limits"] = {"output": _Settings.output}
    with progress_callback(command) as progress:
        text, failed = _native.ask(
            command,
            json.dumps(keys),
            it,
            [(name, rule._rule) for name, rule in (rules or {}).items()],
            None if file is None else file._file,
            tables=tables,
            seconds=time_limit(timeout),
            progress=progress,
            other=other,
            **current_limits(),
        )
    answer: dict[str, Any] = json.loads(text)
    if failed:
        raise of_object(answer["error"])
    if (
        command not in _COMMANDS_WITH_PARTIAL_ANSWERS
        and "stopped" in answer
        and _KEYS_WITHOUT_RESULT.issuperset(answer)
    ):
        known: dict[str, Any] = raise_if_partial(answer, answer)
        return known
    return answer


# Commands whose callers handle a partial answer themselves, with `raise_if_partial`.
_COMMANDS_WITH_PARTIAL_ANSWERS = frozenset({"solve", "value"})

# Keys that carry no result. A stopped answer with no other key is raised as an error; one with
# further keys is returned, since its partial results are useful.
_KEYS_WITHOUT_RESULT = frozenset({"id", "game", "play", "outcome", "status", "stopped", "stats", "plain", "files"})


# The name under which the answer returns the picture file.
PICTURE = "picture.svg"


def svg_of(answer: Mapping[str, Any]) -> str | None:
    """Return the SVG picture attached to an answer, or ``None``."""
    picture: str | None = answer.get("files", {}).get(PICTURE)
    return picture


def raise_if_partial(answer: dict[str, Any], result: Any) -> Any:
    """Return ``result``, the object built from the answer; raise an error if it is partial.

    The exception has ``result`` as its attribute ``partial``.
    """
    if answer.get("status") != "partial":
        return result
    error = of_object(answer.get("stopped") or {"kind": "limit", "message": "a limit was reached"})
    if isinstance(error, LimitError):
        error.partial = result
    raise error
