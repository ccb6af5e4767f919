"""Checks the built site of the docs: every link leads to a file and an anchor of the site, and nothing is loaded from
the network.

site.py FOLDER; prints what is wrong.
"""
import os
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """ids: the anchors. links: (target, whether it is loaded with the page)."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links = set(), []
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.ids.update(attributes[key] for key in ("id", "name") if attributes.get(key))
        for key in ("href", "src"):
            if attributes.get(key):
                self.links.append((attributes[key], key == "src" or tag == "link"))


def main():
    root = os.path.abspath(sys.argv[1])
    found = [os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names if name.endswith(".html")]
    pages = {path: Page(path) for path in found if os.path.basename(path) != "404.html"}
    problems = []
    for path, page in pages.items():
        for target, loaded in page.links:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                if loaded:
                    problems.append(f"{path} loads {target}")
                continue
            to = os.path.normpath(os.path.join(os.path.dirname(path), unquote(parts.path))) if parts.path else path
            to = os.path.join(to, "index.html") if os.path.isdir(to) else to
            if not os.path.exists(to):
                problems.append(f"{path}: there is no {target}")
            elif parts.fragment and to in pages and unquote(parts.fragment) not in pages[to].ids | {"__skip"}:
                problems.append(f"{path}: there is no anchor {target}")
    print("\n".join(problems) if problems else f"{len(pages)} pages, all links lead to something")
    return 1 if problems or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
