"""The record that the stages pass on, written once: its shape, its JSON Schema and its validation.

One line is one rollout (before `rollout`: one task). It only grows; each stage owns one key. Offsets
are Unicode code points into `rollout.text`, half-open. Keys we do not know pass through untouched.
"""

from functools import cache
from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict  # pydantic needs this one before Python 3.12

from rcca_cli.columns import Columns
from rcca_cli.errors import RecordError
from rcca_cli.jsonl import Line

SCHEMA = "rcca/1"

Level = Literal["format", "source", "runtime", "functional"]
Kind = Literal["initial", "interaction"]
Importance = Literal["essential", "important", "optional"]
Failure = Literal["exception", "dead", "silent", "visual", "absent"]
EvidenceKind = Literal["listener", "stack", "coverage", "css", "element", "quote"]
Mode = Literal["uniform", "paper", "rubric"]
Basis = Literal["temperature", "raw", "truncated"]

# Numbers that can be reckoned with: sums and squares of a Number stay finite in float32, a Place is exact in JSON.
# A Share above 1 or below 0 would turn blame into praise.
Number = Annotated[float, Field(ge=-1e6, le=1e6)]
Share = Annotated[float, Field(ge=0, le=1)]
Place = Annotated[int, Field(ge=-(2**53), le=2**53)]
TEMPERATURES = (1e-6, 1e6)  # beside 0: below, float32 overflows; above, all tokens are equally likely
Pair = Annotated[list[Place], Field(min_length=2, max_length=2)]


@with_config(ConfigDict(extra="allow", strict=True))
class Message(TypedDict):
    """One turn of the prompt."""

    role: str
    content: str


@with_config(ConfigDict(extra="allow", strict=True))
class Item(TypedDict):
    """One requirement of the rubric. `check` is a string of JSON in the check language (docs/checks.md).

    `note` is told with the requirement to whoever judges or checks it; `dimension` is which of MiniAppBench's scores
    the item counts for (bench/miniapp/rule.py).
    """

    id: str
    requirement: str
    kind: Kind
    importance: Importance
    parents: list[str]
    check: str | None
    note: NotRequired[str | None]
    dimension: NotRequired[str | None]


@with_config(ConfigDict(extra="allow", strict=True))
class Task(TypedDict):
    """What was asked, and how it will be judged."""

    prompt: list[Message]
    rubric: list[Item]
    config: NotRequired[str | None]


# `class` is a word of Python's own, so this part of the shape is written as a call.
_Described = TypedDict(
    "_Described",
    {"class": NotRequired[str | None], "level": NotRequired[str | None], "source": NotRequired[str | None]},
)


@with_config(ConfigDict(extra="allow", strict=True))
class FullTask(Task, _Described):
    """A task with its place in a benchmark: class, level (difficulty) and source."""


@with_config(ConfigDict(extra="allow", strict=True))
class Usage(TypedDict):
    """How many tokens an answer cost, those of the reasoning among them, as its server or tokenizer counts."""

    input_tokens: int
    output_tokens: int


@with_config(ConfigDict(extra="allow", strict=True))
class Took(TypedDict):
    """How long an answer took by the clock; null unless it was asked for."""

    seconds: Number


@with_config(ConfigDict(extra="allow", strict=True))
class Rollout(TypedDict):
    """One sampled answer. `tokens` is what was sampled; `offsets` are its spans in `text`, one a token.

    `logprobs` are log softmax(logits / temperature) over the whole vocabulary (basis "temperature"); null: not known.
    The lists may be empty: an answer known as text only. `text[:thought_end]` is the model's reasoning, its tags
    included: 0 if there is none, null if nobody knows.
    """

    text: str
    prompt_ids: list[int]
    tokens: list[int]
    offsets: list[Pair]
    logprobs: list[Number | None]
    logprobs_basis: Basis | None
    finish_reason: str | None
    thought_end: NotRequired[Place | None]
    model: str | None
    tokenizer: NotRequired[str | None]
    sampling: NotRequired[dict[str, Any]]
    seed: NotRequired[int | None]
    usage: NotRequired[Usage | None]
    stamp: NotRequired[Took | None]
    config: NotRequired[str | None]


def text_only(text: str, finish_reason: str | None = None, model: str | None = None) -> dict[str, Any]:
    """The value of `rollout` for an answer of which only the text is known."""
    lists: dict[str, Any] = {key: [] for key in ("prompt_ids", "tokens", "offsets", "logprobs")}
    known = {"logprobs_basis": None, "finish_reason": finish_reason, "thought_end": None, "model": model}
    return {"text": text} | lists | known | dict.fromkeys(("tokenizer", "seed", "usage", "stamp", "config"))


@with_config(ConfigDict(extra="allow", strict=True))
class Evidence(TypedDict):
    """A place in the source that a verdict points to, and what was seen there."""

    kind: EvidenceKind
    start: Place
    end: Place
    detail: str


@with_config(ConfigDict(extra="allow", strict=True))
class Verdict(TypedDict):
    """One rubric item, judged: passed, failed, or not known (null, with the reason in `error`)."""

    rubric: str
    passed: bool | None
    severity: Number
    failure: Failure | None
    confidence: Share
    diagnosis: str | None
    evidence: list[Evidence]
    error: str | None


@with_config(ConfigDict(extra="allow", strict=True))
class Gate(TypedDict):
    """One of the levels that an app must pass before its functions are judged."""

    level: Level
    passed: bool | None
    diagnosis: str | None
    start: Place | None
    end: Place | None


@with_config(ConfigDict(extra="allow", strict=True))
class Artifact(TypedDict):
    """The document found in the answer: `rollout.text[start:end]`."""

    start: Place
    end: Place
    method: str
    blocks: int
    truncated: bool
    sha256: str


@with_config(ConfigDict(extra="allow", strict=True))
class MissingFile(TypedDict):
    """What the page asked of a public CDN and did not get. `ours`: the mirror lacks the package (`judge --cdn`)."""

    url: str
    package: str | None
    version: str | None
    file: str | None
    ours: bool


@with_config(ConfigDict(extra="allow", strict=True))
class Stamp(TypedDict):
    """How long judging took (`judge --stamp`): by the clock, by the page's processor time, and in browser starts."""

    seconds: Number
    cpu_seconds: Number
    attempts: int


@with_config(ConfigDict(extra="allow", strict=True))
class Judge(TypedDict):
    """What a real browser found. `level` is the first gate that failed, functional if none did."""

    level: Level
    reward: Number | None
    artifact: Artifact | None
    gates: list[Gate]
    verdicts: list[Verdict]
    missing: NotRequired[list[MissingFile]]
    environment: NotRequired[dict[str, Any]]
    stamp: NotRequired[Stamp | None]
    config: NotRequired[str | None]


@with_config(ConfigDict(extra="allow", strict=True))
class Span(TypedDict):
    """Code held responsible for one rubric item; `mass` is its share, in [0, 1], of that item's credit."""

    rubric: str
    start: Place
    end: Place
    unit: str
    mass: Number
    sources: list[str]
    advantage: Number
    confidence: Number


@with_config(ConfigDict(extra="allow", strict=True))
class Align(TypedDict):
    """Credit per sampled token; null where the record could not be scored."""

    advantage: Number | None
    advantages: list[Number] | None
    weights: list[Number] | None
    spans: list[Span]
    unmatched: int
    mode: Mode
    config: NotRequired[str | None]


@with_config(ConfigDict(extra="allow", strict=True))
class Fault(TypedDict):
    """Where a synthetic bug was put (`synth --solutions`); no stage reads it."""

    rubric: str
    start: Place
    end: Place
    failure: Failure


@with_config(ConfigDict(extra="allow", strict=True))
class Record(TypedDict):
    """The whole record, as far as the stages have got."""

    schema: Literal["rcca/1"]
    id: str
    group: str
    task: FullTask
    rollout: NotRequired[Rollout | None]
    judge: NotRequired[Judge | None]
    align: NotRequired[Align | None]
    truth: NotRequired[list[Fault] | None]


STAGE_OF_KEY = {"task": "synth", "rollout": "rollout", "judge": "judge", "align": "align"}


@cache
def _adapter(keys: tuple[str, ...]) -> TypeAdapter[Any]:
    types: dict[str, Any] = {"task": FullTask, "rollout": Rollout, "judge": Judge, "align": Align}
    shape = TypedDict("shape", {"id": str, "group": str} | {key: types[key] for key in keys})  # type: ignore[misc]
    return TypeAdapter(with_config(ConfigDict(extra="allow", strict=True))(shape))


def need(line: Line, *keys: str) -> dict[str, Any]:
    """The record of `line`, once it is sure to hold `keys` in their right shape.

    RecordError (`FILE:LINE: judge.reward: expected …`) otherwise. The schema tag is looked at first.
    """
    record = line.record
    tag = record.get("schema", SCHEMA)
    if tag != SCHEMA:
        raise line.error(f"schema: {tag!r} is not {SCHEMA!r}, the one this rcca reads")
    for key in keys:
        if record.get(key) is None:
            raise line.error(f"missing {key!r} ({_cure(record, key)})")
    try:
        _adapter(keys).validate_python(record)
    except ValidationError as error:
        raise _explained(line, error) from None
    if "task" in keys:
        _refuse_twins(line, record["task"]["rubric"])
    return record


def _cure(record: dict[str, Any], key: str) -> str:
    """How a record comes to have `key`, by what it has."""
    if key == "task" and Columns().find(record, "verdicts", kinds=(list, dict)) and Columns().find(record, "answer"):
        return "another evaluator's verdicts; run `rcca align` first, which makes records of them"
    if key in ("task", "rollout") and any(isinstance(record.get(name), str) for name in ("text", "answer")):
        return "an answer alone; `rcca rollout TASKS --answers FILE` puts it to its task"
    if key == "task" and "rubric" in record:
        return "its prompt and rubric go into an object 'task': docs/own.md shows one"
    if key == "task" and record.get("rollout") is not None:
        return "an answer alone; `rcca rollout TASKS --answers FILE` puts it to its task"
    return f"run `rcca {STAGE_OF_KEY[key]}` first"


def _refuse_twins(line: Line, rubric: list[dict[str, Any]]) -> None:
    """Two items of one id would share a verdict: verdicts name their item by it."""
    names: set[str] = set()
    for number, item in enumerate(rubric):
        if item["id"] in names:
            raise line.error(f"task.rubric.{number}.id: {item['id']!r} is there twice")
        names.add(item["id"])


def need_unicode(line: Line, place: str, text: str) -> None:
    """RecordError for half a character (a lone surrogate), which JSON can hold and no tokenizer can read."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise line.error(f"{place}: half a character (a lone surrogate) at {error.start}") from None


def _explained(line: Line, error: ValidationError) -> RecordError:
    return line.error(explained(error.errors(include_url=False, include_context=False)[0]))


def explained(error: Any) -> str:
    """One of pydantic's errors as `judge.reward: input should be …`."""
    place = ".".join(str(part) for part in error["loc"] if part not in ("float", "int"))
    if error["loc"][-1:] == ("check",) and isinstance(error["input"], dict):
        return (
            f"{place}: an object, where a string that holds its JSON goes (json.dumps; `rcca synth FILE` makes it one)"
        )
    message = error["msg"].removeprefix("Value error, ")
    message = message.replace("a valid dictionary", "an object").replace("a valid list", "a list")
    return f"{place}: {message[:1].lower()}{message[1:]}"


def schema() -> dict[str, Any]:
    """The record's JSON Schema."""
    return TypeAdapter(Record).json_schema()
