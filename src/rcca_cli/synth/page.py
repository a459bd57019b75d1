"""The page around the features: one skeleton with small variation; and where the text of each slot lies in it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

PLACE = re.compile("«([^»]+)»")

SKELETON = """\
```html
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>$title</title>
<style>
body { font-family: $font; max-width: 32rem; margin: 2rem auto; }
h1 { color: $accent; }
section { padding: 1rem; border-top: 2px solid $accent; }
$css</style>
</head>
<body>
<h1>$title</h1>
$sections<script>
const byId = id => document.getElementById(id);
$js</script>
</body>
</html>
```"""


FONTS = ("sans-serif", "Georgia, serif")
ACCENTS = ("teal", "navy", "crimson")


@dataclass(frozen=True)
class Skeleton:
    """What varies on the page without being asked for."""

    font: str
    accent: str


@dataclass(frozen=True)
class Part:
    """A feature's share of the page, with `«slot»` places; each text is whole lines."""

    html: str
    css: str
    js: str


def draw(rng: Random) -> Skeleton:
    """A skeleton from small sets."""
    return Skeleton(rng.choice(FONTS), rng.choice(ACCENTS))


def template(title: str, skeleton: Skeleton, parts: Sequence[Part]) -> str:
    """The whole answer, still with `«slot»` places."""
    texts = {
        "title": title,
        "font": skeleton.font,
        "accent": skeleton.accent,
        "css": "".join(part.css for part in parts),
        "sections": "".join(f"<section>\n{part.html}</section>\n" for part in parts),
        "js": "".join(part.js for part in parts),
    }
    return re.sub(r"\$(title|font|accent|css|sections|js)\b", lambda match: texts[match[1]], SKELETON)


def assemble(page: str, texts: Mapping[str, str]) -> tuple[str, dict[str, tuple[int, int]]]:
    """`page` with each place filled, and where each text lies (code points, half-open).

    A line that is only a place with nothing to stand in it is dropped, as if it had never been written.

    >>> assemble("a\\n«x»\\nb «y»\\n", {"x": "", "y": "two"})
    ('a\\nb two\\n', {'x': (2, 2), 'y': (4, 7)})
    """
    written: list[str] = []
    spans: dict[str, tuple[int, int]] = {}
    position = 0
    for line in page.splitlines(keepends=True):
        alone = PLACE.fullmatch(line.strip())
        if alone and not texts[alone[1]]:
            spans[alone[1]] = (position, position)
            continue
        for index, piece in enumerate(PLACE.split(line)):  # text and names take turns
            words = texts[piece] if index % 2 else piece
            if index % 2:
                spans[piece] = (position, position + len(words))
            written.append(words)
            position += len(words)
    return "".join(written), spans
