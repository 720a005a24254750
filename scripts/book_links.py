#!/usr/bin/env python3
"""A preprocessor of mdBook for links to files of the repository.

`book.toml` configures mdBook to run it. A chapter may include a file of another folder, whose links
are relative to that folder. A link to a page of the book becomes relative to the chapter. A link to
any other file of the repository becomes text with the path of that file.
"""

import json
import os
import re
import sys

LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def chapters(items):
    """Yields all chapters of the book, nested ones included."""
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter:
            yield chapter
            yield from chapters(chapter["sub_items"])


def source_of(path):
    """Returns the file whose text a chapter shows, relative to the root of the repository."""
    with open(f"docs/{path}", encoding="utf-8") as chapter:
        included = re.fullmatch(r"\{\{#include \.\./(\S+)\}\}\s*", chapter.read())
    return included.group(1) if included else f"docs/{path}"


def rewrite_links(text, source, pages):
    """Returns the text of a chapter with links that are valid in the book.

    `pages` maps each source file to its chapter.
    """

    def link(match):
        mark, label, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match.group()
        path, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(source), path))
        if file in pages:
            return f"{mark}[{label}]({pages[file]}{'#' + anchor if anchor else ''})"
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
    found = [chapter for chapter in chapters(book.get("items") or book["sections"]) if chapter["path"]]
    sources = [source_of(chapter["path"]) for chapter in found]
    # A link may name the chapter or the file that it includes.
    pages = {f"docs/{chapter['path']}": chapter["path"] for chapter in found}
    pages |= {source: chapter["path"] for source, chapter in zip(sources, found)}
    for source, chapter in zip(sources, found):
        chapter["content"] = rewrite_links(chapter["content"], source, pages)
    json.dump(book, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
