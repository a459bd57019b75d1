"""The tools that a judge model has, as it is told of them: the acting words of the check language, looks, a verdict."""

from typing import Any

from rcca_cli.checks import STEPS, describe
from rcca_cli.checks.fields import Entry
from rcca_cli.judge.model.listing import LINES

ACTIONS: dict[str, Entry] = {name: entry for name, entry in STEPS.items() if entry.acts}
VERDICT = "verdict"
_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}


def _looks(vision: bool) -> dict[str, tuple[str, dict[str, Any]]]:
    looks: dict[str, tuple[str, dict[str, Any]]] = {
        "snapshot": ("What a user meets on the page now, element by element.", {}),
        "source": (
            f"{LINES} lines of the app's source from line `first` on, each with the ids of its units of code.",
            {"first": {"type": "integer"}},
        ),
        "evaluate": (
            "The value of a JavaScript expression (`expression`), to look at what the snapshot does not tell; what "
            "would change anything is refused, and the page's own variables are not there.",
            {"expression": _TEXT},
        ),
    }
    if vision:
        looks["screenshot"] = ("A picture of the window.", {})
    return looks


_VERDICT = (
    "Your verdict; it ends your work. `passed` is true if you saw the requirement hold, false if you saw that it does "
    "not, null if you are in doubt. `reason` says what you did, what you expected and what you saw. `units` are the "
    "ids, `quotes` exact short quotes, of the code that makes it hold or fail. `confidence` is between 0 and 1; "
    "`failure` (only if it fails): exception, dead (nothing happens), silent (something else happens), visual, absent.",
    {
        "item": _TEXT,
        "passed": {"type": ["boolean", "null"]},
        "reason": _TEXT,
        "units": _TEXTS,
        "quotes": _TEXTS,
        "confidence": {"type": "number"},
        "failure": {"type": ["string", "null"]},
    },
)


def specs(vision: bool) -> list[dict[str, Any]]:
    """All tools in the form in which chat servers take them."""
    tools = [_spec(name, describe.what(entry), describe.schema(entry)) for name, entry in ACTIONS.items()]
    for name, (what, properties) in _looks(vision).items():
        tools.append(_spec(name, what, {"type": "object", "properties": properties, "required": list(properties)}))
    required = ["item", "passed", "reason"]
    verdict = {"type": "object", "properties": _VERDICT[1], "required": required}
    return [*tools, _spec(VERDICT, _VERDICT[0], verdict)]


def _spec(name: str, what: str, parameters: dict[str, Any]) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "description": what, "parameters": parameters}}


def words(vision: bool) -> str:
    """All tools in words, for a model that writes its calls as text."""
    looks = {**_looks(vision), VERDICT: _VERDICT}
    lines = [f"- {describe.words(entry)}" for entry in ACTIONS.values()]
    lines += [f"- {name}: {', '.join(own) or 'nothing'}. {what}" for name, (what, own) in looks.items()]
    return "\n".join(lines)


def known(name: str) -> str:
    """The name if it is one of a tool's: what a model writes in its place is not repeated as if it were ours."""
    return name if name in ACTIONS or name in _looks(True) else "a tool"
