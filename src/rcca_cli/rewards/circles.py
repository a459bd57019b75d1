"""The order of a rubric: parents before children, those that name each other in a circle together."""

from collections.abc import Mapping, Sequence


def parents_first(parents: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The names in circles, mostly of one: a circle comes after all that its members rest on.

    Gabow's path-based search (2000) without recursion: each name and each parent is looked at once.

    >>> parents_first({"c": ["b"], "b": ["a", "d"], "d": ["b"], "a": []})
    [['a'], ['b', 'd'], ['c']]
    """
    found: list[list[str]] = []
    number: dict[str, int] = {}  # of each name met, in that order
    done: set[str] = set()
    path: list[str] = []  # names whose circle is not known yet
    firsts: list[str] = []  # of each circle on the path, as far as they are told apart
    for start in parents:
        calls = [] if start in number else [start]
        rest = {start: iter(parents[start])}
        while calls:
            name = calls[-1]
            if name not in number:
                number[name] = len(number)
                path.append(name)
                firsts.append(name)
            for parent in rest[name]:
                if parent not in number:
                    rest[parent] = iter(parents.get(parent, ()))
                    calls.append(parent)
                    break
                while parent not in done and number[firsts[-1]] > number[parent]:
                    firsts.pop()  # all that was met since the parent rests on itself
            else:
                calls.pop()
                if firsts[-1] == name:
                    firsts.pop()
                    place = next(at for at in range(len(path) - 1, -1, -1) if path[at] == name)
                    found.append(path[place:])
                    done.update(path[place:])
                    del path[place:]
    return found
