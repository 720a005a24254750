#!/usr/bin/env python3
"""Checks the links of a built book: every file and every anchor that a page links to exists.

    python3 scripts/check_book.py FOLDER

Exits with 1 and prints each broken link. Links to other sites are not followed.
"""

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name"):
                self.anchors.add(value)
            if value and name in ("href", "src"):
                self.links.add(value)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    broken, checked = [], 0
    for path, page in pages.items():
        # The print version repeats all pages, and the error page has absolute links.
        if path.name in ("print.html", "404.html", "toc.html"):
            continue
        for link in sorted(page.links):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            checked += 1
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            anchor = urllib.parse.unquote(parts.fragment)
            if not target.is_file():
                broken.append(f"{path.relative_to(folder)}: {link}: no such file")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                broken.append(f"{path.relative_to(folder)}: {link}: no such anchor")
    print("\n".join(broken + [f"{checked} links in {len(pages)} pages, {len(broken)} broken"]))
    return 1 if broken or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
