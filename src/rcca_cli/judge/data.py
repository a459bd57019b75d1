"""The data that checks are played with: drawn for a task, so that all answers to it are judged with the same."""

from collections.abc import Mapping, Sequence
from typing import Any

from rcca_cli import checks, seeds


def cases(record: Mapping[str, Any], item: Mapping[str, Any], seed: int) -> Sequence[checks.Case]:
    """The cases of the check of `item`, one of the record's, in a judging with this seed; CheckError if it is none."""
    request = "\n".join(message["content"] for message in record["task"]["prompt"])
    return checks.drawn(checks.parse(item["check"]), seeds.derive(seed, "data", record["group"]), request).cases
