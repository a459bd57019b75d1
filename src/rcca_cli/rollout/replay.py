"""Backend `replay`: answers that are known already, from a JSONL file.

A line is `{"id": TASK, "text": …}`, `{"prompt": …, "text": …}` (the request, or its last message), or a record with a
`rollout`; columns may have other names. A task's answers are taken in the order of the file. All are held in memory.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rcca_cli import chat, console, jsonl
from rcca_cli.columns import Columns, last_text
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from rcca_cli.rollout.backend import Ask, Missing
from rcca_cli.rollout.options import Options

LISTS = ("prompt_ids", "tokens", "offsets", "logprobs")


class Replay:
    """Looks answers up by the task's id, then by its prompt."""

    def __init__(self, options: Options) -> None:
        if options.answers is None:
            raise RccaError("the replay backend needs --answers FILE")
        self.options = options
        self.by_key: dict[str, list[dict[str, Any]]] = defaultdict(list)
        columns = Columns.of(options.columns)
        unanswered = 0
        for line in jsonl.read([options.answers]):
            known = answer(line, columns)
            unanswered += known is None
            self.by_key[key(line, columns)] += [known] if known else []
        if unanswered:
            console.note(f"{options.answers}: records without an answer: {unanswered}")

    def sample(self, asks: Iterable[Ask]) -> Iterator[tuple[Ask, list[dict[str, Any] | Missing]]]:
        """The first answers of each task; Missing for those beyond what the file has."""
        for ask in asks:
            known = self.by_key.get(ask.group) or self.by_key.get(ask.messages[-1]["content"]) or []
            missing = Missing(self._short(ask, len(known)))
            if len(known) > len(ask.seeds):
                more = f"{len(known)} answers, of which -g {len(ask.seeds)} takes the first"
                console.note(f"{self.options.answers}: {ask.group}: {more}")
            found = [
                self._value(known[index], seed) if index < len(known) else missing
                for index, seed in enumerate(ask.seeds)
            ]
            yield ask, list(found)

    def _short(self, ask: Ask, known: int) -> str:
        """Why there is no answer."""
        if not known:
            return f"{self.options.answers}: no answer to {ask.group} (none has its id, or its request as prompt)"
        return f"{self.options.answers}: {known} answers to {ask.group}, of the {len(ask.seeds)} that -g asks for"

    def _value(self, given: Mapping[str, Any], seed: int) -> dict[str, Any]:
        empty: dict[str, Any] = {name: [] for name in LISTS}
        return {
            "text": given["text"],
            **{name: given.get(name) or empty[name] for name in LISTS},
            "logprobs_basis": given.get("logprobs_basis"),
            "finish_reason": given.get("finish_reason", "stop"),
            "thought_end": given.get("thought_end"),
            "model": given.get("model") or "replay",
            "tokenizer": given.get("tokenizer"),
            "sampling": given.get("sampling") or self.options.sampling(),
            "seed": given.get("seed"),
            "usage": chat.usage(given.get("usage")),
            "stamp": None,
        }


def key(line: Line, columns: Columns) -> str:
    """What an answer is looked up by."""
    for name in ("group", "id"):
        value = columns.value(line.record, name)
        if isinstance(value, str | int) and not isinstance(value, bool):
            return str(value)
    prompt = last_text(columns.value(line.record, "prompt"))
    if prompt is not None:
        return prompt
    raise line.error("expected a string 'id' or 'prompt' (whose answer is this? name yours: --column id=NAME)")


def answer(line: Line, columns: Columns | None = None) -> dict[str, Any] | None:
    """The answer, with whatever is known of its tokens; None if it could not be had (`rollout` is null).

    RecordError for a line that holds none, which names `--column` if the caller has that option.
    """
    given = line.record.get("rollout") if "rollout" in line.record else line.record
    if given is None:
        return None
    if isinstance(given, dict):
        text = (columns or Columns()).value(given, "answer")
        if isinstance(text, str):
            return given | {"text": text}
    hint = " (name yours: --column answer=NAME)" if columns else ""
    raise line.error(f"expected the answer as a string: 'text', 'answer' or 'rollout.text'{hint}")
