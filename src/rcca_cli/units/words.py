"""The words of code and of requirements, made comparable: `addItem`, `add-item` and "Adding items" share two."""

import re
from collections.abc import Sequence
from functools import lru_cache

WORD = re.compile(r"[A-Za-z]+|[^\W\d_A-Za-z]+")
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
IRREGULAR = {
    "hidden": "hide",
    "shown": "show",
    "chosen": "choose",
    "written": "write",
    "kept": "keep",
    "lost": "lose",
    "won": "win",
}
ENDINGS = ("ings", "ing", "ies", "ied", "es", "ed", "s")
OF_ENGLISH = (
    "a an and are as at be been by can for from has have if in into is it its no not of on one only or shows so than "
    "that the their them then there these this to was when which while will with you your after again all also any "
    "before both each page app"
)
OF_CODE = (
    "const let var function return new null undefined true false this document window get element by id query "
    "selector event listener class list style text content value inner html length div span px rem em"
)
COMMON = frozenset(f"{OF_ENGLISH} {OF_CODE}".split())


@lru_cache(maxsize=4096)
def words(text: str) -> frozenset[str]:
    """The stems of the telling words in a text, lower case.

    >>> sorted(words("addItem('todo-items')")), sorted(words("Adding an item to the to-do list"))
    (['add', 'item', 'todo'], ['add', 'do', 'item'])
    """
    humps = (hump.lower() for word in WORD.findall(text) for hump in HUMP.split(word))
    return frozenset(stem(word) for word in humps if len(word) > 1 and word not in COMMON)


def stem(word: str) -> str:
    """The word without its ending: crude, but the same for code and for prose.

    >>> stem("entries"), stem("adding"), stem("strikes"), stem("is"), stem("hidden")
    ('entr', 'add', 'strik', 'is', 'hid')
    """
    word = IRREGULAR.get(word, word)
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] in "ey" else word


def common(one: Sequence[object], other: Sequence[object]) -> int:
    """How many first words, letters or whatever they are of are the same.

    >>> common("badge", "baton"), common("ab", "abc")
    (2, 2)
    """
    for place, (mine, theirs) in enumerate(zip(one, other, strict=False)):
        if mine != theirs:
            return place
    return min(len(one), len(other))
