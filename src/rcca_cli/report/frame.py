"""What every page of a report has around its records: style, script, the bar above, the index."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rcca_cli.report import page

# One after the other they are the page's script and its style; each may use what those before it say.
SCRIPTS = ("text", "shade", "store", "source", "token", "items", "about", "list", "diff", "group", "signal", "main")
STYLES = ("base", "list", "source", "items", "group", "signal", "print")
Json = dict[str, Any]


@dataclass(frozen=True)
class Frame:
    """The page called `title`, but for its records."""

    title: str

    @cached_property
    def style(self) -> str:
        """The page's style sheet."""
        return "".join(page.asset(f"{name}.css") for name in STYLES)

    @cached_property
    def script(self) -> str:
        """The page's script."""
        return "".join(page.asset(f"{name}.js") for name in SCRIPTS)

    def begin(self) -> str:
        """The page up to its first record."""
        body = page.asset("body.html").replace("TITLE", page.escape(self.title))
        return page.head(self.title, self.style, self.script, pictures=True) + body

    def record(self, detail: Json) -> str:
        """One record."""
        return page.data_block("rollout", detail)

    def end(self, listed: list[Json], **more: Any) -> str:
        """The index, and what comes after it.

        `parts`: the files that have the records, if this one has none (`part` of an entry is a place in them);
        `home`: the file that has the index of them all, if this one has a part; `signal`
        and `uncounted`: of report/signal.py.
        """
        return page.data_block("index", {"rollouts": listed} | more) + page.foot(self.script)
