"""One way to ask: a command of the contract and its keys."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from . import _native
from ._errors import LimitError, of_object
from ._progress import telling

if TYPE_CHECKING:
    from ._rules import Rule, RuleFile

__all__ = ["ask", "lang", "limits"]

_LANGUAGES = ("en", "zh")


class _Settings:
    """What holds for every question that does not say otherwise."""

    language: str = "en"
    seconds: float | None = None
    positions: int | None = None
    memory: int | None = None
    output: int | None = None


def lang(code: str | None = None) -> str:
    """The language of explanations, legends and errors: ``"en"`` or ``"zh"``. With an argument it is set.

    >>> import grundy
    >>> grundy.lang()
    'en'
    """
    if code is not None:
        _Settings.language = known_language(code)
    return _Settings.language


def known_language(code: str | None) -> str:
    """The language that is meant."""
    if code is None:
        return _Settings.language
    if code not in _LANGUAGES:
        raise ValueError(f"lang: 'en' or 'zh' is expected, not {code!r}")
    return code


@contextlib.contextmanager
def limits(
    *,
    seconds: float | None = None,
    positions: int | None = None,
    memory: int | None = None,
    output: int | None = None,
) -> Iterator[None]:
    """Limits for everything that is asked inside a ``with`` block.

    Args:
        seconds: The time that one question may take; no limit where it is left out.
        positions: The most positions that are kept.
        memory: The most bytes that an answer may take while it is computed.
        output: The most bytes of an answer as text; 64 MiB where it is left out.

    >>> import grundy
    >>> with grundy.limits(positions=100):
    ...     grundy.domineering(["......"] * 6).outcome
    Traceback (most recent call last):
    ...
    grundy._errors.LimitError: more than 100 positions would be needed
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


def bounds() -> dict[str, Any]:
    """The limits that hold now, as arguments of the compiled functions."""
    return {"positions": _Settings.positions, "memory": _Settings.memory}


def seconds(asked: float | None) -> float | None:
    """How long a question may take."""
    chosen = asked if asked is not None else _Settings.seconds
    if chosen is not None and not chosen >= 0:
        raise ValueError(f"timeout: a number of seconds is expected, not {chosen!r}")
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
    """The answer to a question of the contract, in its JSON: what everything else in this package stands on.

    Args:
        command: The name of a command, such as ``"solve"``.
        question: Its keys; those that are ``None`` or ``False`` are left out.
        it: The position that expressions in it call ``it``.
        other: The position that they call ``other``.
        rules: Rules by name.
        file: A rule file.
        tables: The folder with tablebases.
        timeout: The seconds that it may take.
        lang: The language of words.

    Raises:
        GrundyError: What the error object says.
        LimitError: A limit stopped the work before there was an answer; ``partial`` is what is known.

    >>> import grundy
    >>> grundy.ask("nimber", {"game": "22 + 51"})
    {'value': 37}
    """
    keys = {key: value for key, value in question.items() if value is not None and value is not False}
    keys["lang"] = known_language(lang)
    keys["interface"] = "python"
    if _Settings.output is not None:
        keys["limits"] = {"output": _Settings.output}
    with telling(command) as progress:
        text, wrong = _native.ask(
            command,
            json.dumps(keys),
            it,
            [(name, rule._rule) for name, rule in (rules or {}).items()],
            None if file is None else file._file,
            tables=tables,
            seconds=seconds(timeout),
            progress=progress,
            other=other,
            **bounds(),
        )
    answer: dict[str, Any] = json.loads(text)
    if wrong:
        raise of_object(answer["error"])
    if command not in _PARTIAL and "stopped" in answer and _BARE.issuperset(answer):
        known: dict[str, Any] = whole(answer, answer)
        return known
    return answer


# Questions whose answers say what is known where a limit stopped the work.
_PARTIAL = frozenset({"solve", "value"})

# Keys of an answer that say nothing of its own: a limit stopped the work before there was more.
_BARE = frozenset({"id", "game", "play", "outcome", "status", "stopped", "stats", "plain", "files"})


# How the picture is called that comes back with an answer.
PICTURE = "picture.svg"


def svg_of(answer: Mapping[str, Any]) -> str | None:
    """The picture that came back with an answer."""
    picture: str | None = answer.get("files", {}).get(PICTURE)
    return picture


def whole(answer: dict[str, Any], made: Any) -> Any:
    """The answer, unless a limit has kept something of it back: what is known is then part of the exception."""
    if answer.get("status") != "partial":
        return made
    error = of_object(answer.get("stopped") or {"kind": "limit", "message": "a limit was reached"})
    if isinstance(error, LimitError):
        error.partial = made
    raise error
