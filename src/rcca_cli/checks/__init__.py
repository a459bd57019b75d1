"""The check language: what a rubric item's check says, and how it is played on a page (docs/checks.md).

Pure: a page is anything that has the methods of `Page`.
"""

from rcca_cli.checks.actions import STEPS
from rcca_cli.checks.draws import DRAWS
from rcca_cli.checks.expectations import EXPECTATIONS
from rcca_cli.checks.language import Case, Check, CheckError, Step, drawn, parse
from rcca_cli.checks.page import Page, Seen, Touch
from rcca_cli.checks.play import Outcome, actions, is_passive, is_still, play, play_together

__all__ = [
    "DRAWS",
    "EXPECTATIONS",
    "STEPS",
    "Case",
    "Check",
    "CheckError",
    "Outcome",
    "Page",
    "Seen",
    "Step",
    "Touch",
    "actions",
    "drawn",
    "is_passive",
    "is_still",
    "parse",
    "play",
    "play_together",
]
