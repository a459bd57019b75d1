"""`--stop-at-document`: where an answer's first whole document ends, behind which nothing more is wanted."""

import re

from rcca_cli.source import html

OPENING = re.compile(r"<!doctype\s+html|<html[\s>]", re.I)
CLOSING = re.compile(r"</html\s*>", re.I)


def end(text: str, start: int = 0) -> int | None:
    """Behind the end tag of the document that begins at `start` or later; None if there is none yet.

    One that is written in a script or a comment ends nothing.

    >>> end("Here: <!DOCTYPE html><html><script>s = '</html>'</script></html> It"), end("<html>")
    (64, None)
    """
    opening = OPENING.search(text, start)
    if opening is None:
        return None
    for closing in CLOSING.finditer(text, opening.end()):
        document = html.parse(text[opening.start() : closing.end()])
        if any(element.tag == "html" and element.end_tag_start is not None for element in document.elements):
            return closing.end()
    return None
