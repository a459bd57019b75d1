"""Text as a reader sees it: words have borders, numbers are whole, case and spacing do not matter."""

import re

_SIMPLE = str.maketrans({"’": "'", "−": "-", "–": "-"})
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<sign>(?<![\w)])[-−+])?\s?[$€£¥₹]?\s?(?P<late>[-−])?"
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
)


def plain(text: str) -> str:
    """`text` on one line with single spaces, straight quotes and simple dashes, for comparing."""
    return " ".join(text.split()).translate(_SIMPLE).casefold()


def find(text: str, part: str, start: int = 0) -> int | None:
    """Where `part` ends in `text` (both plain), at borders of words and numbers; None if it is not there.

    >>> find("count: 12", "count: 1"), find("count: 1.5", "count: 1"), find("count: 1.", "count: 1")
    (None, None, 8)
    """
    while (at := text.find(part, start)) >= 0:
        end = at + len(part)
        if _border_before(text, at, part) and _border_after(text, end, part):
            return end
        start = at + 1
    return None


def _border_before(text: str, at: int, part: str) -> bool:
    if at == 0 or not part or not _is_word(part[0]):
        return True
    before = text[at - 1]
    if _is_word(before):
        return False
    if part[0].isdigit():
        if before in ".," and at > 1 and text[at - 2].isdigit():
            return False
        if before in "-−" and not (at > 1 and _is_word(text[at - 2])):
            return False  # a minus sign, not a dash
    return True


def _border_after(text: str, end: int, part: str) -> bool:
    if end >= len(text) or not part or not _is_word(part[-1]):
        return True
    if _is_word(text[end]):
        return False
    decimal = part[-1].isdigit() and text[end] in ".," and text[end + 1 : end + 2].isdigit()
    return not decimal


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def holds(text: str, part: str) -> bool:
    """Whether `part` stands in `text` as whole words.

    >>> holds("Add  task", "add"), holds("Address", "add"), holds("Score +1", "+1"), holds("-5", "5")
    (True, False, True, False)
    """
    return find(plain(text), plain(part)) is not None


def number(text: str, after: str | None = None) -> float | None:
    """The first number in `text`, behind the words `after` if given; None if there is none.

    >>> number("1,234.5 km"), number("-3"), number("$12.30"), number("45%"), number("Tip: $5 Total: -$7", "total")
    (1234.5, -3.0, 12.3, 45.0, -7.0)
    """
    text = plain(text)
    start = 0
    if after is not None:
        end = find(text, plain(after))
        if end is None:
            return None
        start = end
    match = _NUMBER.search(text[start:])
    if match is None:
        return None
    value = float(match["digits"].replace(",", ""))
    return -value if (match["sign"] or "") in ("-", "−") or match["late"] else value
