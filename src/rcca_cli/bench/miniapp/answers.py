"""Finished answers, in the forms in which people have them, each put beside the task that it answers.

A folder as MiniAppBench leaves it, the output of an OpenAI batch, records of `rcca rollout`, or plain lines.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rcca_cli import chat, jsonl, records
from rcca_cli.bench import rows
from rcca_cli.bench.miniapp import batch, theirs, whole
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from rcca_cli.rollout import replay

PAGE = re.compile(r"html_([0-9]+)")
RAW = re.compile(r"(?s:.*)_([0-9]+)_output\.txt")
SUFFIXES = (".html", ".htm", ".css", ".js", ".mjs")
NAMING = ("group", "task", "index", "id")  # the keys that say which task a line answers


def read(path: str) -> Iterator[Line]:
    """A row for each answer in a file (JSON Lines, a JSON array, a batch's output) or a folder, `-` is stdin."""
    if Path(path).is_dir():
        return folder(Path(path))
    return (Line(row, line.file, line.number) for line in rows.read(path) for row in batch.rows(line))


def folder(path: Path) -> Iterator[Line]:
    """A row for each number N that has `html_N/index.html`, or else only the raw text `…_N_output.txt`.

    RccaError if there is none, if two are of one number, or if a link in it leads out of it: what came with answers of
    others must not bring files of ours into them.
    """
    for one in sorted(path.rglob("*")):
        if one.is_symlink() and not one.resolve().is_relative_to(path.resolve()):
            raise RccaError(f"{one}: a link that leads out of {path} (put what is meant in its place)")
    pages = numbered(one for one in path.iterdir() if PAGE.fullmatch(one.name) and one.is_dir())
    raw = numbered(one for one in path.iterdir() if RAW.fullmatch(one.name) and one.is_file())
    if not pages and not raw:
        raise RccaError(f"{path}: no html_N/index.html and no …_N_output.txt in it")
    return (_row(number, pages.get(number), raw.get(number)) for number in sorted(pages.keys() | raw.keys()))


def odd_names(path: Path) -> list[str]:
    """What lies in a folder of answers and is none of them."""
    known = re.compile(f"{PAGE.pattern}|{RAW.pattern}")
    return sorted(one.name for one in path.iterdir() if not known.fullmatch(one.name))


def numbered(places: Iterable[Path]) -> dict[int, Path]:
    """The places by the number in their names. RccaError for two of one number: which one is meant?"""
    found: dict[int, Path] = {}
    for place in sorted(places):
        name = PAGE.fullmatch(place.name) or RAW.fullmatch(place.name)
        assert name is not None
        other = found.setdefault(int(name[1]), place)
        if other != place:
            raise RccaError(f"{place}: {other.name} has the same number (leave one of them)")
    return found


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
        return path.read_bytes().removeprefix(jsonl.MARK).decode("utf-8", "replace")
    except OSError as error:
        raise RccaError(f"{path}: {error.strerror}") from None


def joined(lines: Iterable[Line], tasks: Sequence[dict[str, Any]], chosen: Sequence[dict[str, Any]]) -> Iterator[Line]:
    """A record for each answer to one of the `chosen` tasks, in their order; answers of one task are numbered.

    A line is a record of `rcca rollout`, or `{"id" | "task" | "index": …, "text" | "answer": …}`, where the task is
    named (`projectile`, `miniapp:projectile`) or numbered. An answer that could not be had is null, with the reason.
    RecordError for a line that answers none of `tasks`.
    """
    for line, task in beside(lines, tasks, chosen, "an answer to"):
        record = task | {"rollout": rollout(line)}
        if record["rollout"] is None:
            record["error"] = str(line.record.get("error") or "there is no answer")
        yield Line(record, line.file, line.number)


def beside(
    lines: Iterable[Line], tasks: Sequence[dict[str, Any]], chosen: Sequence[dict[str, Any]], what: str
) -> Iterator[tuple[Line, dict[str, Any]]]:
    """Each line of one of the `chosen` tasks with that task, whose id is numbered by the lines it has had.

    RecordError for a line that is not `what` it should be of any of `tasks`.
    """
    by_name = names(tasks)
    wanted = {task["group"] for task in chosen}
    seen: Counter[str] = Counter()
    for line in lines:
        task = next((by_name[one] for one in named(line.record) if one in by_name), None)
        if task is None:
            raise line.error(f"not {what} a task of this benchmark: {next(named(line.record), '')!r}")
        group = task["group"]
        if group in wanted:
            yield line, task | {"id": f"{group}/{seen[group]}"}
            seen[group] += 1


def names(tasks: Sequence[dict[str, Any]]) -> dict[str | int, dict[str, Any]]:
    """Every way to name a task: its id, its id without the benchmark's prefix if no other's is the same, its number.

    What is one task's id and another's number is the former's.
    """
    short = Counter(bare(task) for task in tasks)
    return (
        {task["task"]["index"]: task for task in tasks}
        | {str(task["task"]["index"]): task for task in tasks}
        | {bare(task): task for task in tasks if short[bare(task)] == 1}
        | {task["group"]: task for task in tasks}
    )


def bare(task: Mapping[str, Any]) -> str:
    """A task's id without the benchmark's prefix."""
    return str(task["group"].partition(":")[2] or task["group"])


def named(record: Mapping[str, Any]) -> Iterator[str | int]:
    """The names under which a line's task is looked up: as told, without a sample's number, as a number.

    Nothing if the line does not say which task it answers.
    """
    told = next((record[key] for key in NAMING if is_name(record.get(key))), None)
    if told is None:
        return
    if not isinstance(told, str):
        yield told
    else:
        yield from dict.fromkeys((told, told.strip(), told.rpartition("/")[0]))
    number = theirs.whole_number(told)
    if number is not None:
        yield number


def is_name(value: Any) -> bool:
    """Whether a value can name a task."""
    return isinstance(value, str | int | float) and not isinstance(value, bool)


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
    """How long the answer took, if the row says it with a number that a record can hold."""
    known = isinstance(seconds, int | float) and not isinstance(seconds, bool) and 0 <= seconds <= 1e6
    return {"seconds": float(seconds)} if known else None
