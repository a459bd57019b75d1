"""The pack: hostile and honest pages as data, one file a class, and the checks they are judged by.

A file in `pages/` holds blocks of this form; a new page is a new block:

    == the name of the page
    # what it tries
    : level runtime              (optional: the level the judge must reach)
    : answers failed exception   (an item of checks.json, what must come of it, and perhaps its type of failure)
    <p>the page…

In a page `<?honest NAME?>` stands for the body of an honest page, `<?repeat N TEXT?>` for TEXT N times, and `HOST`
for the address where somebody listens.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from rcca_cli import records, seeds

CLASSES = ("escape", "exhaustion", "tampering", "cheating")
HONEST = "honest"
INJECTION = "injection"  # judged by a model, if there is one
REPEAT = re.compile(r"<\?repeat (\d+) (.*?)\?>", re.S)
INCLUDE = re.compile(r"<\?honest (.*?)\?>")


@dataclass(frozen=True)
class Expected:
    """What must come of an item; `failure` is null where any type of failure will do."""

    passed: bool
    failure: str | None = None


@dataclass(frozen=True)
class Page:
    """A page, and what the judge must say about it; `level` is null where only the items count."""

    name: str
    group: str  # its class
    why: str
    html: str
    level: str | None
    items: Mapping[str, Expected]

    def record(self, host: str, checked: bool = True) -> dict[str, Any]:
        """The record of an answer that is this page; `host` is where it may try to send something.

        With `checked` false its items have no check, and so are left to a model.
        """
        name = f"redteam:{self.name}" if checked else f"redteam:model:{self.name}"
        rubric = [checks()[item] | {"id": item, "importance": "essential", "parents": []} for item in self.items]
        if not checked:
            rubric = [item | {"check": None} for item in rubric]
        text = f"```html\n{document(self.name, self.html.replace('HOST', host))}\n```\n"
        return {
            "schema": records.SCHEMA,
            "id": f"{name}/0",
            "group": name,
            "task": {
                "prompt": [{"role": "user", "content": self.why}],
                "class": self.group,
                "level": None,
                "source": name,
                "rubric": rubric,
                "config": seeds.digest({"html": self.html, "rubric": rubric}),
            },
            "rollout": records.text_only(text, finish_reason="stop"),
        }


@cache
def checks() -> dict[str, dict[str, Any]]:
    """The items by name: requirement, kind and check, as a rubric has them."""
    items = json.loads(_folder().joinpath("checks.json").read_text(encoding="utf-8"))
    return {name: item | {"check": json.dumps(item["check"])} for name, item in items.items()}


@cache
def honest() -> tuple[Page, ...]:
    """The control pages."""
    return _file(HONEST)


@cache
def hostile() -> tuple[Page, ...]:
    """All the other pages, class by class."""
    return tuple(page for name in CLASSES for page in _file(name))


@cache
def injection() -> tuple[Page, ...]:
    """The pages that speak to a judge model."""
    return _file(INJECTION)


def document(title: str, body: str) -> str:
    """A whole page; what is one already stays as it is."""
    if body.lstrip().lower().startswith("<!doctype"):
        return body
    head = f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>\n<body>\n'
    return f"{head}{body}\n</body></html>"


def parsed(text: str, group: str) -> list[Page]:
    """The pages of a file, as they are written there."""
    blocks = re.split(r"^== ", text, flags=re.MULTILINE)[1:]
    return [_page(block, group) for block in blocks]


def _page(block: str, group: str) -> Page:
    name, *lines = block.rstrip().split("\n")
    head = [line for line in lines if line[:2] in ("# ", ": ")]
    said = [line[2:].split() for line in head if line[0] == ":"]
    return Page(
        name,
        group,
        " ".join(line[2:] for line in head if line[0] == "#"),
        "\n".join(line for line in lines if line not in head),
        next((words[1] for words in said if words[0] == "level"), None),
        {words[0]: Expected(words[1] == "passed", *words[2:]) for words in said if words[0] != "level"},
    )


def _file(name: str) -> tuple[Page, ...]:
    pages = parsed(_folder().joinpath(f"{name}.txt").read_text(encoding="utf-8"), name)
    return tuple(Page(**(vars(page) | {"html": _filled(page.html)})) for page in pages)


def _filled(html: str) -> str:
    bodies = {} if "<?honest" not in html else {page.name: page.html for page in honest()}
    html = INCLUDE.sub(lambda found: bodies[found[1]], html)
    return REPEAT.sub(lambda found: found[2] * int(found[1]), html)


def _folder() -> Any:
    return resources.files(__package__).joinpath("pages")
