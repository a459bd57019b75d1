"""Finished answers, in the forms in which people have them, each put beside the task that it answers.

A folder as MiniAppBench leaves it, the output of an OpenAI batch, records of `rcca rollout`, or plain lines.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rcca_cli import chat, records
from rcca_cli.bench import rows
from rcca_cli.bench.miniapp import batch, whole
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from rcca_cli.rollout import replay

PAGE = re.compile(r"html_(\d+)")
RAW = re.compile(r".*_(\d+)_output\.txt")
SUFFIXES = (".html", ".htm", ".css", ".js", ".mjs")


def read(path: str) -> Iterator[Line]:
    """A row for each answer in a file (JSON Lines, a JSON array, a batch's output) or a folder, `-` is stdin."""
    if Path(path).is_dir():
        return folder(Path(path))
    return (Line(batch.row(line), line.file, line.number) for line in rows.read(path))


def folder(path: Path) -> Iterator[Line]:
    """A row for each number N that has `html_N/index.html`, or else only the raw text `…_N_output.txt`.

    RccaError if there is none.
    """
    pages = {int(name[1]): one for one in path.iterdir() if (name := PAGE.fullmatch(one.name)) and one.is_dir()}
    raw = {int(name[1]): one for one in sorted(path.iterdir()) if (name := RAW.fullmatch(one.name))}
    if not pages and not raw:
        raise RccaError(f"{path}: no html_N/index.html and no …_N_output.txt in it")
    return (_row(number, pages.get(number), raw.get(number)) for number in sorted(pages.keys() | raw.keys()))


def _row(number: int, page: Path | None, raw: Path | None) -> Line:
    """The answer of this number: its page, or where there is none its raw text."""
    text = extracted(page) if page else ""
    if raw and not text.strip():
        return Line({"index": number, "text": _text(raw)}, str(raw), 1)
    return Line({"index": number, "text": text}, str(page), 1)


def extracted(place: Path) -> str:
    """The page in a folder of its own as an answer, with the files beside it put into it; "" if there is none."""
    files = {
        one.relative_to(place).as_posix(): _text(one)
        for one in sorted(place.rglob("*"))
        if one.suffix.lower() in SUFFIXES and one.is_file()
    }
    page = files.get("index.html", "")
    return whole.ANSWER.format(whole.of_files(page, files).text.rstrip("\n")) if page.strip() else ""


def _text(path: Path) -> str:
    """The file as a browser reads it: what is no UTF-8 does not stop it."""
    try:
        return path.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    except OSError as error:
        raise RccaError(f"{path}: {error.strerror}") from None


def joined(lines: Iterable[Line], tasks: Sequence[dict[str, Any]], chosen: Sequence[dict[str, Any]]) -> Iterator[Line]:
    """A record for each answer to one of the `chosen` tasks, in their order; answers of one task are numbered.

    A line is a record of `rcca rollout`, or `{"id" | "task" | "index": …, "text" | "answer": …}`, where the task is
    named (`projectile`, `miniapp:projectile`) or numbered. An answer that could not be had is null, with the reason.
    RecordError for a line that answers none of `tasks`.
    """
    by_name = names(tasks)
    wanted = {task["group"] for task in chosen}
    seen: Counter[str] = Counter()
    for line in lines:
        task = by_name.get(name(line.record))
        if task is None:
            raise line.error(f"not an answer to a task of this benchmark: {name(line.record)!r}")
        if task["group"] not in wanted:
            continue
        sample = seen[task["group"]]
        seen[task["group"]] += 1
        record = task | {"id": f"{task['group']}/{sample}", "rollout": rollout(line)}
        if record["rollout"] is None:
            record["error"] = str(line.record.get("error") or "there is no answer")
        yield Line(record, line.file, line.number)


def names(tasks: Sequence[dict[str, Any]]) -> dict[str | int, dict[str, Any]]:
    """Every way to name a task: its id, its id without the benchmark's prefix, its number."""
    found: dict[str | int, dict[str, Any]] = {}
    for task in tasks:
        full, index = task["group"], task["task"]["index"]
        found |= dict.fromkeys((index, str(index), full.partition(":")[2] or full, full), task)
    return found


def name(record: Mapping[str, Any]) -> str | int:
    """Which task the line says that it answers; "" if it does not say."""
    for key in ("group", "task", "index", "id"):
        value = record.get(key)
        if isinstance(value, str):
            return value.partition("/")[0]
        if isinstance(value, int):
            return value
    return ""


def rollout(line: Line) -> dict[str, Any] | None:
    """The value of `rollout`: as it is in a record, or of an answer known as text only."""
    if line.record.get("error") and not any(isinstance(line.record.get(key), str) for key in ("text", "answer")):
        return None
    given = replay.answer(line)
    if given is None or "rollout" in line.record:
        return given and records.text_only("") | given
    known = {key: given[key] for key in ("finish_reason", "model") if isinstance(given.get(key), str)}
    said = records.text_only(given["text"], known.get("finish_reason"), known.get("model"))
    return said | {"usage": chat.usage(given.get("usage")), "stamp": stamp(given.get("seconds"))}


def stamp(seconds: Any) -> dict[str, float] | None:
    """How long the answer took, if the row says it with a number."""
    known = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    return {"seconds": float(seconds)} if known else None
