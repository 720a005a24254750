#!/usr/bin/env python3
"""A preprocessor of mdBook for links to files of the repository.

mdBook calls it by `book.toml`. A link to a page of the book is made relative to the chapter, also in
chapters that include a file of another folder. A link to any other file of the repository becomes
text with the path of that file.
"""

import json
import os
import re
import sys

LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")

# Files outside docs/ that a chapter includes, and the chapter.
INCLUDED = {
    "CONTRIBUTING.md": "contributing.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "README.md": "introduction.md",
    "npm/README.md": "javascript.md",
}


def chapters(items):
    """All chapters of the book, nested ones included."""
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter:
            yield chapter
            yield from chapters(chapter["sub_items"])


def source_of(path):
    """The file whose text a chapter shows, relative to the root of the repository."""
    outside = [file for file, chapter in INCLUDED.items() if chapter == path]
    return outside[0] if outside else f"docs/{path}"


def rewritten(text, source, pages):
    """The text of a chapter with links that lead somewhere in the book."""

    def link(match):
        mark, label, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match.group()
        path, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(source), path))
        page = INCLUDED.get(file) or (file.removeprefix("docs/") if file.startswith("docs/") else None)
        if page in pages:
            return f"{mark}[{label}]({page}{'#' + anchor if anchor else ''})"
        if file.startswith("docs/") and os.path.isfile(file) and not file.endswith(".md"):
            return f"{mark}[{label}]({file.removeprefix('docs/')})"
        shown = label.strip("`")
        return f"`{file}`" if shown == file or shown == path else f"{label} (`{file}`)"

    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)


def main():
    if sys.argv[1:2] == ["supports"]:
        return 0
    _, book = json.load(sys.stdin)
    found = list(chapters(book.get("items") or book["sections"]))
    pages = {chapter["path"] for chapter in found if chapter["path"]}
    for chapter in found:
        if chapter["path"]:
            chapter["content"] = rewritten(chapter["content"], source_of(chapter["path"]), pages)
    json.dump(book, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
