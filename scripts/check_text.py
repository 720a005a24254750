#!/usr/bin/env python3
"""Checks the text of the project: doc comments, comments, messages and Markdown.

    python3 scripts/check_text.py [--count] [PATH ...]

PATHs are files or folders (default: the whole project). The rules, which CONTRIBUTING.md explains:

1. A doc comment of a function begins with a verb in the third person ("Returns", "Parses"). No doc
   comment begins with What, Who, Whether, How or Where.
2. A sentence has at most 25 words in comments and in Markdown. Code counts as one word.
3. A line of a comment or of Markdown has at most 100 columns. Tables, code and links may be longer.
4. Text of the library names no option of one interface: `--max-memory` is known to the terminal only.
5. No phrase of PHRASES.

EXEMPT names items that break rule 1 for a reason. --count prints figures instead of the findings.
Exits with 1 if a rule is broken.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys

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
    (r"(somebody|anybody|everybody|nobody)('s)?", "name them: a player, the client, the caller; none"),
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
PHRASE = [(re.compile(rf"(?<![\w`-])(?:{text})(?![\w`-])", re.IGNORECASE), text, say) for text, say in PHRASES]

# Items whose doc comment breaks rule 1 for a reason: "path: name".
EXEMPT = []

HEADLESS = ("What", "Who", "Whether", "How", "Where")
FUNCTION = re.compile(r"(pub(\([\w: ]+\))? )?((const|async|unsafe|extern \"\w+\") )*fn (\w+)")
OPTION = re.compile(r"(?<![\w-])--(max-\w+|timeout|json|jsonl|tables?|threads|svg|html|misere|of|form)\b")
# The crates whose text may name options of the terminal.
TERMINAL = ("crates/cli/", "crates/wording/", "cluster/", "crates/grundy/examples/", "crates/grundy/benches/")


def files(paths):
    """The text files among the paths."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", *paths], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        path = ROOT / name
        generated = name.startswith(("testdata/", "docs/images/", "docs/certificates/", "examples/tablebases/", "crates/server/assets/", "fuzz/corp"))
        if path.suffix in (".rs", ".py", ".ts", ".mjs", ".md", ".sh", ".v", ".yml") and not generated and path.is_file():
            if name not in ("scripts/check_text.py", "LICENSE"):
                yield name, path


def comment_blocks(lines, marks):
    """Comments of whole lines: (first line, mark, texts, the line that follows)."""
    number = 0
    while number < len(lines):
        stripped = lines[number].lstrip()
        mark = next((mark for mark in marks if stripped.startswith(mark)), None)
        if mark is None:
            number += 1
            continue
        first, texts = number, []
        while number < len(lines) and lines[number].lstrip().startswith(mark):
            if next(m for m in marks if lines[number].lstrip().startswith(m)) != mark:
                break
            texts.append(lines[number].lstrip()[len(mark):])
            number += 1
        item = number
        while item < len(lines) and lines[item].lstrip().startswith(("#[", ")]", "//", "#![")):
            item += 1
        yield first, mark, texts, lines[item].strip() if item < len(lines) else ""


def sentences(texts):
    """The sentences of some lines of prose, each with the index of its line."""
    fence, start, parts = False, 0, []

    def ended():
        if parts:
            text = re.sub(r"`[^`]*`|\$[^$]*\$|https?://\S+", "Code", " ".join(parts))
            text = re.sub(r"\b(?:[A-Z]\.|e\.g\.|i\.e\.|cf\.|vs\.|Prop\.|Ann\.|Math\.|Proc\.|Trans\.|Soc\.|J\.|pp?\.|No\.|Thm?\.|etc\.)", "", text)
            for sentence in re.split(r"(?<=[.!?])[\")*_]*\s+(?=[\"(*_\[`A-Z0-9])", text):
                yield start, sentence
        parts.clear()

    for index, line in enumerate(texts):
        text = line.strip()
        if text.startswith("```") or text.startswith("~~~"):
            fence = not fence
            yield from ended()
            continue
        if fence or not text or text.startswith(("|", "#", "<", "![")) or re.match(r"\[[^\]]+\]: ", text) or line.startswith("     "):
            yield from ended()
            continue
        if re.match(r"([-*]|\d+\.) ", text):
            yield from ended()
            text = re.sub(r"^([-*]|\d+\.) ", "", text)
        if not parts:
            start = index
        parts.append(text)
    yield from ended()


def words_of(sentence):
    """The number of words: letters and digits, of which a formula counts as one."""
    return len(re.findall(r"[A-Za-z][A-Za-z'’-]+|\ba\b|\bI\b", sentence))


def reference(sentence):
    """Citations are no prose."""
    return re.search(r"\b(1[6-9]|20)\d\d\b", sentence) is not None and re.search(r"\d+-\d+|Math|Press|Theory|Games", sentence) is not None


class Findings:
    def __init__(self):
        self.list = []
        self.count = collections.Counter()

    def add(self, name, line, rule, text):
        self.list.append(f"{name}:{line + 1}: {text}")
        self.count[rule] += 1


def check_prose(found, name, first, texts):
    for index, sentence in sentences(texts):
        found.count["sentences"] += 1
        count = words_of(sentence)
        if count > WORDS and not reference(sentence):
            found.add(name, first + index, "long sentences", f"a sentence of {count} words: {sentence[:60]}...")


def check_rust(found, name, lines):
    for first, mark, texts, item in comment_blocks(lines, ("///", "//!", "//")):
        check_prose(found, name, first, texts)
        if mark == "//":
            found.count["comment lines"] += len(texts)
            continue
        found.count["doc comments"] += 1
        word = re.match(r"[`\w-]*", texts[0].strip()).group()
        function = FUNCTION.match(item)
        called = function.group(5) if function else item[:40]
        if f"{name}: {called}" in EXEMPT:
            found.count["exempt"] += 1
        elif word in HEADLESS:
            found.add(name, first, "headless", f"a doc comment begins with {word} ({called})")
            found.count[word] += 1
        elif mark == "///" and function and not re.match(r"[A-Z][a-z-]+s$", word):
            found.add(name, first, "no verb", f"the doc comment of a function begins with {word!r}, not with a verb ({called})")
    for number, line in enumerate(lines):
        code = line.strip()
        if code and not code.startswith("//"):
            found.count["code lines"] += 1
            if not name.startswith(TERMINAL) and "/tests/" not in name and OPTION.search(line):
                found.add(name, number, "options", "library text names an option of the terminal")


def is_comment(name, text):
    """Whether a line is a comment as a whole."""
    if name.endswith((".sh", ".py", ".yml")):
        return text.startswith("#") and not text.startswith("#!")
    return text.startswith("(*" if name.endswith(".v") else ("//", "* ", "/*"))


def prose_of(name, line):
    """The text of a line: all of Markdown and of comments, and the strings and comments of code."""
    text = line.strip()
    if name.endswith((".md", ".sh", ".yml")) or is_comment(name, text):
        return line
    if name.endswith(".py") and not re.match(r"[\w\[\])}@.\"'(*]+( \w+)* ?[=(.:\[]|(return|if|for|with|def|class)\b", text):
        # A line of a docstring.
        return line
    # A string of one word is a name.
    strings = [string for string in re.findall(r'"(?:\\.|[^"\\])*"', line) if " " in string]
    trailing = re.search(r"(?:\s//|  #) .*$", line)
    return " ".join(strings) + (trailing.group() if trailing else "")


def check_lines(found, name, lines):
    fence = False
    for number, line in enumerate(lines):
        text = line.strip()
        markdown = name.endswith(".md")
        if markdown and text.startswith(("```", "~~~")):
            fence = not fence
        comment = is_comment(name, text) and not markdown
        wrapped = markdown and "zh-CN" not in name and not fence and not text.startswith("|") and "](" not in text[-COLUMNS:] and " " in text[10:]
        if len(line) > COLUMNS and (comment or wrapped):
            found.add(name, number, "long lines", f"a line of {len(line)} columns")
        if fence:
            continue
        prose = prose_of(name, line)
        for pattern, _, say in PHRASE:
            if match := pattern.search(prose):
                found.add(name, number, "phrases", f"{match.group()!r}: write {say}")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--count", action="store_true")
    arguments.add_argument("paths", nargs="*")
    asked = arguments.parse_args()
    assert len(PHRASES) <= 60
    found = Findings()
    for name, path in files(asked.paths):
        lines = path.read_text(encoding="utf-8").split("\n")
        if name.endswith(".rs"):
            check_rust(found, name, lines)
        elif name.endswith(".md") and "zh-CN" not in name:
            check_prose(found, name, 0, lines)
        elif name.endswith((".ts", ".mjs")):
            for first, _, texts, _ in comment_blocks(lines, ("///", "//", "*")):
                check_prose(found, name, first, texts)
        check_lines(found, name, lines)
    if not asked.count:
        print("\n".join(found.list))
    docs, comments, code = (found.count[key] for key in ("doc comments", "comment lines", "code lines"))
    if asked.count or found.list:
        print(dict(found.count))
        if docs and code:
            print(f"headless: {found.count['headless'] / docs:.1%} of {docs} doc comments; comments: {comments / code:.1%} of {code} lines of code")
    assert found.count["exempt"] <= 0.02 * max(docs, 1)
    return 1 if found.list else 0


if __name__ == "__main__":
    sys.exit(main())
