#!/usr/bin/env python3
"""Checks the text of the project: doc comments, comments, messages and Markdown.

    python3 scripts/check_text.py [--count] [PATH ...]

PATHs are files or folders (default: the whole project). CONTRIBUTING.md explains the rules:

1. A doc comment of a function in Rust begins with a verb in the third person ("Returns", "Parses").
   No doc comment or docstring begins with What, Who, Whether, How or Where.
2. A sentence has at most 25 words in comments, docstrings and Markdown. Code counts as one word.
3. A line of a comment, a docstring or Markdown has at most 100 columns. Tables, code, pictures and
   Chinese may be longer.
4. Text of the library names no option of one interface. Only the terminal knows `--max-memory`.
5. No text contains a phrase of PHRASES. Strings of the code are texts, too.

EXEMPT names items that break rule 1 for a reason. --count prints figures instead of the findings.
Exits with 1 if a rule is broken.
"""

import argparse
import collections
import io
import pathlib
import re
import subprocess
import sys
import tokenize
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = 100
WORDS = 25

# A pattern, and what to write instead. At most 60 entries: the check guards, people write.
PHRASES = [
    (r"so many(-th)?", "the number itself: `n` threads, every n-th"),
    (r"(go|goes|going|gone|went) on (with|from|where|there)", "continue, resume"),
    (r"anew", "again, from the start"),
    (r"beside", "next to, with, in addition to"),
    (r"(hold|holds|held) (\w+ ){0,4}against", "check against, compare with"),
    (r"(is|are|was|were|be) told", "is notified, is passed, receives"),
    (r"told apart", "distinguished"),
    (r"one who", "the player who, the client that"),
    (r"by whatever", "say which"),
    (r"(work|works|worked|working) (\w+ )?out", "compute, derive"),
    (
        r"(somebody|anybody|everybody|nobody)('s)?",
        "name them: a player, the client, the caller; none",
    ),
    (r"(is|are|was|were|be) worth", "has the value"),
    (r"own moves", "partizan, moves of one player"),
    (r"from 0 on", "non-negative, n >= 0"),
    (r"(look|looks|looked|looking) at", "visit, examine, search, read"),
    (r"at hand", "available, installed"),
    (r"(is|are|was|were) there already", "exists"),
    (r"the like", "and similar"),
    (r"as (it|they) (is|are|was|were)", "unchanged"),
    (r"(hang|hangs|hung) together", "connected, depends on"),
    (r"put on the disk", "written to disk"),
    (r"met", "visited, found, reached"),
    (r"of (its|their|his) own", "its own X, a separate X"),
    (r"(deal|deals|dealt) out", "distribute"),
    (r"(hand|hands|handed) (over|out|to)", "pass, return, give"),
    (r"speaks?", "print, use, send"),
    (r"(say|says|said|saying) so", "report it"),
    (r"as far as (that|it|they) (goes|go)", "up to that point"),
    (r"keeper", "operator"),
    (r"in company", "with others"),
    (r"(has|have|had) company", "runs with other workers"),
    (r"from (the )?\w+ to \w+ and back again", "in both directions"),
    (r"take care of itself", "say what happens"),
    (r"is nothing else than", "is"),
    (r"be gone", "has been removed, has disconnected"),
    (r"what (not|ever)", "say what"),
    (r"(lie|lies|lay) (near|there)", "is"),
    (r"(come|comes|came|coming) to (nothing|an end)", "ends, fails"),
    (r"(come|comes|came) (over|in|up) (to|from) (him|it|them)", "arrives"),
    (r"of old", "earlier"),
    (r"in the end", "finally, or leave it out"),
    (r"(bear|bears|borne|bore) with", "wait"),
    (r"it pays to", "it is faster to, say what is saved"),
    (r"that many", "the number itself"),
    (r"(he|him|his) (who|that)", "the player who"),
    (r"none of it", "nothing, no part"),
    (r"(give|gives|given|gave) up on", "stop, abandon"),
    (r"(stand|stands|stood) (for itself|alone|there)", "is"),
]
PHRASE = [
    (re.compile(rf"(?<![\w`-])(?:{text})(?![\w`-])", re.IGNORECASE), advice) for text, advice in PHRASES
]

# Items whose doc comment breaks rule 1 for a reason: "path: name".
EXEMPT = []

QUESTION_WORDS = ("What", "Who", "Whether", "How", "Where")
FUNCTION = re.compile(r"(pub(\([\w: ]+\))? )?((const|async|unsafe|extern \"\w+\") )*fn (\w+)")
OPTION = re.compile(
    r"(?<![\w-])--(max-\w+|timeout|json|jsonl|tables?|threads|svg|html|misere|of|form)\b"
)
# The crates whose text may name options of the terminal.
TERMINAL = ("crates/cli/", "crates/wording/", "cluster/", "crates/core/examples/")
TERMINAL += ("crates/core/benches/",)

SUFFIXES = (".rs", ".py", ".ts", ".mjs", ".md", ".sh", ".v", ".yml")
# Files that programs write, and expected outputs.
GENERATED = ("testdata/", "docs/images/", "docs/certificates/", "examples/tablebases/")
GENERATED += ("crates/server/assets/", "fuzz/corp")

ABBREVIATION = re.compile(
    r"\b(?:[A-Z]\.|e\.g\.|i\.e\.|cf\.|vs\.|Prop\.|Ann\.|Math\.|Proc\.|Trans\.|Soc\.|J\.|pp?\.|No\.|Thm?\."
    r"|etc\.)"
)


class Text(typing.NamedTuple):
    """A piece of text: `kind` is "doc", "comment", "markdown" or "string".

    `first` is the index of its first line, `lines` are its lines without comment marks, and `item`
    is the line of code that it documents.
    """

    kind: str
    first: int
    lines: list
    item: str = ""


def files(paths):
    """Lists the files with text among the paths."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *paths]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.suffix in SUFFIXES and not name.startswith(GENERATED) and path.is_file():
            yield name, path


def blocks_of_comments(lines, marks):
    """Yields blocks of adjacent comment lines.

    `marks` maps the marks that begin a comment to kinds of texts. The first mark that fits applies.
    """
    number = 0
    mark_of = lambda line: next((mark for mark in marks if line.lstrip().startswith(mark)), None)
    while number < len(lines):
        mark = mark_of(lines[number])
        if mark is None:
            number += 1
            continue
        first = number
        while number < len(lines) and mark_of(lines[number]) == mark:
            number += 1
        item = number
        while item < len(lines) and lines[item].lstrip().startswith(("#[", ")]", "//", "#![")):
            item += 1
        texts = [line.lstrip()[len(mark) :] for line in lines[first:number]]
        yield Text(marks[mark], first, texts, lines[item].strip() if item < len(lines) else "")


def strings(lines, comments):
    """Yields the strings of the code, and the comments at ends of lines.

    Strings of one word are left out, since they are names.
    """
    for number, line in enumerate(lines):
        if line.lstrip().startswith(comments):
            continue
        for string in re.findall(r'"(?:\\.|[^"\\])*"', line):
            if " " in string:
                yield Text("string", number, [string])
        if trailing := re.search(r"\s//[ /].*$", line):
            yield Text("string", number, [trailing.group()])


def python_texts(source):
    """Yields the comments, docstrings and strings of a Python file."""
    before = None
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith("#!"):
            yield Text("comment", token.start[0] - 1, [token.string.lstrip("#")])
        elif token.type == tokenize.STRING:
            alone = before in (None, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
            text = re.sub(r"^\w*(\"{3}|'{3}|\"|')|(\"{3}|'{3}|\"|')$", "", token.string)
            if alone or " " in text:
                yield Text("doc" if alone else "string", token.start[0] - 1, text.split("\n"))
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            before = token.type


def texts_of(name, source):
    """Yields all texts of a file."""
    lines = source.split("\n")
    if name.endswith(".md"):
        yield Text("markdown", 0, lines)
    elif name.endswith(".py"):
        yield from python_texts(source)
    elif name.endswith(".rs"):
        marks = {"///": "doc", "//!": "doc", "//": "comment"}
        yield from blocks_of_comments(lines, marks)
        yield from strings(lines, "//")
    elif name.endswith((".ts", ".mjs")):
        marks = {"//": "comment", "/*": "comment", "* ": "comment"}
        yield from blocks_of_comments(lines, marks)
        yield from strings(lines, tuple(marks))
    elif name.endswith(".v"):
        yield from blocks_of_comments(lines, {"(*": "comment"})
    else:
        yield from blocks_of_comments(lines, {"#!": "mark", "#": "comment"})
        yield from strings(lines, "#")


def unfenced(text):
    """Yields the lines outside of code blocks, with their indices."""
    fence = False
    for index, line in enumerate(text.lines):
        if line.strip().startswith(("```", "~~~")):
            fence = not fence
        elif not fence:
            yield index, line


def is_prose(line):
    """Returns whether a line is prose: no table, heading, picture, link definition or code."""
    stripped = line.strip()
    other = stripped.startswith(("|", "#", "<", "![", ">>>")) or line.startswith("     ")
    return not other and not re.match(r"\[[^\]]+\]: ", stripped)


def sentences(text):
    """Yields the sentences of a text, each with the index of the first line of its paragraph."""
    start, parts = 0, []

    def ended():
        joined = re.sub(r"`[^`]*`|\$[^$]*\$|https?://\S+", "Code", " ".join(parts))
        joined = ABBREVIATION.sub("", joined)
        for sentence in re.split(r"(?<=[.!?])[\")*_]*\s+(?=[\"(*_\[`A-Z0-9])", joined):
            if sentence:
                yield start, sentence
        parts.clear()

    before = -1
    for index, line in unfenced(text):
        stripped = line.strip()
        item = re.match(r"([-*]|\d+\.|\(\w\)) ", stripped)
        if not stripped or item or not is_prose(line) or index > before + 1:
            yield from ended()
        before = index
        if stripped and is_prose(line):
            if not parts:
                start = index
            parts.append(stripped[item.end() :] if item else stripped)
    yield from ended()


def words_of(sentence):
    """Counts the words of a sentence. A formula has none."""
    return len(re.findall(r"[A-Za-z][A-Za-z'’-]+|\ba\b|\bI\b", sentence))


def is_reference(sentence):
    """Returns whether a sentence is a citation, which may be long."""
    year = re.search(r"\b(1[6-9]|20)\d\d\b", sentence)
    return bool(year and re.search(r"\d+-\d+|Math|Press|Theory|Games", sentence))


class Findings:
    """The broken rules, and counts of what was checked."""

    def __init__(self):
        self.list = []
        self.count = collections.Counter()

    def add(self, name, line, rule, text):
        """Adds a finding in the line with this index."""
        self.list.append(f"{name}:{line + 1}: {text}")
        self.count[rule] += 1


def check_first_word(found, name, text):
    """Checks rule 1."""
    found.count["doc comments"] += 1
    word = re.match(r"[`\w-]*", text.lines[0].strip()).group()
    function = FUNCTION.match(text.item)
    item_name = function.group(5) if function else text.item[:40]
    if f"{name}: {item_name}" in EXEMPT:
        found.count["exempt"] += 1
    elif word in QUESTION_WORDS:
        found.add(name, text.first, "headless", f"a doc comment begins with {word} ({item_name})")
        found.count[word] += 1
    elif function and not re.match(r"[A-Z][a-z-]+s$", word):
        message = f"the doc comment of a function begins with {word!r}, not a verb ({item_name})"
        found.add(name, text.first, "no verb", message)


def check_text(found, name, text, lines):
    """Checks rules 1, 2, 3 and 5 in one text."""
    if text.kind == "doc":
        check_first_word(found, name, text)
    if text.kind == "comment" and name.endswith(".rs"):
        found.count["comment lines"] += len(text.lines)
    if text.kind in ("doc", "comment", "markdown") and "zh-CN" not in name:
        for index, sentence in sentences(text):
            found.count["sentences"] += 1
            count = words_of(sentence)
            if count > WORDS and not is_reference(sentence):
                message = f"a sentence of {count} words: {sentence[:60]}..."
                found.add(name, text.first + index, "long sentences", message)
    markdown = text.kind == "markdown"
    for index, line in unfenced(text) if markdown else enumerate(text.lines):
        number = text.first + index
        # A line of Markdown that is one link cannot be wrapped.
        words = re.sub(r"\[[^\]]*\]\S*", "", line) if markdown else line
        wraps = "zh-CN" not in name and (not markdown or is_prose(line) and " " in words)
        if wraps and text.kind != "string" and len(lines[number]) > COLUMNS:
            found.add(name, number, "long lines", f"a line of {len(lines[number])} columns")
        for pattern, advice in PHRASE:
            if match := pattern.search(line):
                found.add(name, number, "phrases", f"{match.group()!r}: write {advice}")


def check_options(found, name, lines):
    """Checks rule 4 in the code of the library."""
    for number, line in enumerate(lines):
        code = line.strip()
        if code and not code.startswith("//"):
            found.count["code lines"] += 1
            if not name.startswith(TERMINAL) and "/tests/" not in name and OPTION.search(line):
                found.add(name, number, "options", "library text names an option of the terminal")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", action="store_true")
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    assert len(PHRASES) <= 60
    found = Findings()
    for name, path in files(options.paths):
        source = path.read_text(encoding="utf-8")
        lines = source.split("\n")
        for text in texts_of(name, source):
            # The patterns of this file are not prose.
            if name != "scripts/check_text.py" or text.kind != "string":
                check_text(found, name, text, lines)
        if name.endswith(".rs"):
            check_options(found, name, lines)
    if not options.count:
        print("\n".join(found.list))
    counted = ("doc comments", "comment lines", "code lines")
    docs, comments, code = (found.count[key] for key in counted)
    if options.count or found.list:
        print(dict(found.count))
        if docs and code:
            headless = found.count["headless"] / docs
            print(f"headless: {headless:.1%} of {docs} doc comments")
            print(f"comments: {comments / code:.1%} of {code} lines of code")
    assert found.count["exempt"] <= 0.02 * max(docs, 1)
    return 1 if found.list else 0


if __name__ == "__main__":
    sys.exit(main())
