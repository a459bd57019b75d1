"""What a tree-sitter grammar finds in a part of a text; it recovers from broken and unfinished code."""

import re
from functools import cache

import tree_sitter_css
import tree_sitter_javascript
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from rcca_cli.source.positions import Offsets

DEEPEST = 60_000  # levels; a query counts them in 16 bits, and behind that takes hours. What is deeper has no nodes
# What a lexer looks for up to the end of the text or of the line, each time anew: (what opens, what ends the search).
# A model that repeats itself writes thousands that are never closed; those behind the first FEW are blanks to a parser.
COMMENT = re.compile(r"/\*"), re.compile(r"\*/")
CLASS = re.compile(r"/[^/\n\[\]]*\["), re.compile(r"[\]\n]")  # of a regular expression
HOLE = re.compile(r"\$\{"), re.compile(r"\}")  # of a template; a query looks for a name behind each
COLON = re.compile(r":"), re.compile(r"[{};]")  # of a pseudo-class, if a brace follows
ENDLESS = {"javascript": (COMMENT, CLASS, HOLE), "css": (COMMENT, COLON)}
FEW = 64
GRAMMARS = {"javascript": tree_sitter_javascript, "css": tree_sitter_css}


class Captures:
    """The nodes that a query captures in `text[start:end]`, by name, and their places in `text`.

    `offsets` are of `text`. `before` and `after` are ASCII that stands around the code for the parser alone. Below
    `deepest` levels nothing is captured.
    """

    def __init__(
        self,
        grammar: str,
        query: str,
        text: str,
        start: int,
        end: int,
        offsets: Offsets,
        before: str = "",
        after: str = "",
        deepest: int = DEEPEST,
    ) -> None:
        parser, compiled = _compiled(grammar, query)
        # To the grammar of CSS a lone CR does not end a line; as many characters must stay.
        code = before + text[start:end].replace("\r", "\n") + after
        for opens, ends in ENDLESS[grammar]:
            code = _tamed(code, opens, ends)
        tree = parser.parse(code.encode("utf-8", "surrogatepass"))
        self.whole = not tree.root_node.has_error  # whether the grammar knows all of it
        cursor = QueryCursor(compiled)
        cursor.set_max_start_depth(deepest)
        self._nodes = cursor.captures(tree.root_node)
        self._offsets, self._start, self._end = offsets, start, end
        self._base = offsets.byte(start) - len(before)

    def __getitem__(self, name: str) -> list[Node]:
        """The nodes captured under a name, perhaps none."""
        return self._nodes.get(name, [])

    def span(self, node: Node) -> tuple[int, int]:
        """Where a node is in the text, in code points."""
        start = self._offsets.cp_from_byte(self._base + node.start_byte)
        end = self._offsets.cp_from_byte(self._base + node.end_byte)
        return min(max(start, self._start), self._end), min(max(end, self._start), self._end)


def _tamed(code: str, opens: re.Pattern[str], ends: re.Pattern[str]) -> str:
    """The code, as long as before, with no more than FEW of what opens before each end."""
    parts = []
    place = count = 0
    upcoming = ends.finditer(code)
    end = next(upcoming, None)
    for found in opens.finditer(code):
        while end is not None and end.start() < found.end():
            end, count = next(upcoming, None), 0
        count += 1
        if count > FEW:
            parts += [code[place : found.start()], " " * (found.end() - found.start())]
            place = found.end()
    return "".join([*parts, code[place:]]) if parts else code


@cache
def _compiled(grammar: str, query: str) -> tuple[Parser, Query]:
    language = Language(GRAMMARS[grammar].language())
    return Parser(language), Query(language, query)
