"""The stage: batches of groups from the input, a step and a checkpoint for each, metrics out."""

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from itertools import chain, islice
from typing import Any

from rcca_cli import console, jsonl, lock, models
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from rcca_cli.train import batch, checkpoint, folders, sft
from rcca_cli.train.batch import Group
from rcca_cli.train.checkpoint import State
from rcca_cli.train.distributed import ALONE, World
from rcca_cli.train.options import Options
from rcca_cli.train.session import Batch, Session, open_session, resumed
from rcca_cli.train.sft import Step

__all__ = ["Options", "Session", "open_session", "run"]


def run(
    lines: Iterable[Line], options: Options, session: Session | None = None, world: World = ALONE
) -> Iterator[dict[str, Any]]:
    """Train on the groups of `lines`: one metrics record a step, after its checkpoint is written.

    With `resume` the records of the steps that the interrupted call had finished come first, as they were.
    `session` is one that stays open over several calls, each as if it began from the checkpoint of the last.
    Of several processes only the first reads `lines`; all give the same records. RccaError at once if another call
    writes to the same `out`.
    """
    with lock.held(options.out) if options.out and world.rank == 0 else nullcontext():
        yield from call(
            world.shared(planned(lines, options, session), lambda step: step.bare()), options, session, world
        )


def call(
    steps: Iterator[Batch | Step], options: Options, session: Session | None, world: World
) -> Iterator[dict[str, Any]]:
    """The call itself, once `out` is ours."""
    warm = session is not None
    if session is not None:
        session.state = replace(session.state, first_step=session.state.step, finished=False)
    elif options.resume:
        session, steps = interrupted(steps, options, world)
        yield from session.told() if session else ()
    for step in steps:
        source = session.state.source if session else None
        name = options.model or options.start or world.first(partial(sampler, step, source))
        session = session or open_session(options, name, world=world)
        world.first(partial(check_answers, step, session.trainer.policy))
        yield session.learn(step)
    if session is None:
        raise RccaError("no records to train on")
    session.finish()
    if not warm:
        session.say_left_out()
    if not warm and options.out:
        console.note(f"policy after step {session.state.step}: {options.out} (rcca rollout --model {options.out})")


def planned(lines: Iterable[Line], options: Options, session: Session | None) -> Iterator[Batch | Step]:
    """The steps of the objective. Those of `sft` need the model's tokens, before the model itself is wanted."""
    if options.objective == "rl":
        yield from batches(lines, options)
        return
    name = options.model or options.start
    if session is None and name is None:
        raise RccaError("--objective sft needs the model that is to learn (--model M, or --from CKPT)")
    policy = session.trainer.policy if session else models.load_reader(str(name))
    yield from sft.steps(lines, options, policy, steps_before(options, session) + 1)


def steps_before(options: Options, session: Session | None) -> int:
    """The number of the step before the call's first, also where the call has gone on since, and is resumed."""
    if session is not None:
        return session.state.step
    if options.resume:
        folders.mend(options.out)
    if options.resume and folders.exists(options.out):
        state = checkpoint.load_state(options.out)
        return state.step if state.finished else state.first_step
    return checkpoint.load_state(options.start).step if options.start else 0


def batches(lines: Iterable[Line], options: Options) -> Iterator[Batch]:
    """`groups_per_step` groups at a time, fewer at the end of the input."""
    held: list[Group] = []
    used, seen, first = 0, blake2b(digest_size=16), ""
    for group in batch.groups(lines, options.credit):
        held.append(group)
        used += 1
        for line in group.lines:
            seen.update(jsonl.encode(line.record))
        if len(held) == options.groups_per_step:
            first = first or seen.hexdigest()
            yield Batch(held, used, seen.hexdigest(), first)
            held = []
    if held:
        yield Batch(held, used, seen.hexdigest(), first or seen.hexdigest())


def interrupted(
    steps: Iterator[Batch | Step], options: Options, world: World
) -> tuple[Session | None, Iterator[Batch | Step]]:
    """The interrupted call's session, None if it had not come to a checkpoint, and the steps that are left.

    RccaError if the checkpoint is that of a call with other options or other input.
    """
    first = list(islice(steps, 1))
    if not world.first(partial(has_begun, options, first)):
        return None, chain(first, steps)
    session = resumed(options, world)
    return session, after(chain(first, steps), session.state)


def has_begun(options: Options, first: list[Batch | Step]) -> bool:
    """Whether the interrupted call has come to a whole checkpoint in `out`, which is left there."""
    folders.mend(options.out)
    return folders.exists(options.out) and not is_before(options, first)


def is_before(options: Options, first: list[Batch | Step]) -> bool:
    """Whether the checkpoint in `out` is only what the call begins with: `--from` it, and finished on other data."""
    if options.start is None or folders.paths(options.start) != folders.paths(options.out):
        return False
    state = checkpoint.load_state(options.out)
    return state.finished and [step.first for step in first] != [state.first]


def after(steps: Iterator[Batch | Step], state: State) -> Iterator[Batch | Step]:
    """The batches behind those that the checkpoint has used. RccaError, at once, if the input is not the one it was."""
    changed = f"--resume: the input is not the one that the checkpoint was made from: its first {state.groups} groups "
    for step in steps:
        if step.used < state.groups:
            continue
        if step.used > state.groups or step.digest != state.input:
            raise RccaError(changed + "differ (use --from for new data)")
        return beyond(steps, state)
    raise RccaError(changed + "are not all there (use --from for new data)")


def beyond(steps: Iterator[Batch | Step], state: State) -> Iterator[Batch | Step]:
    """The batches that are left. RccaError if there are any though the call had finished."""
    for step in steps:
        if state.finished:
            raise RccaError(f"--resume: the input goes on after the {state.groups} groups that the finished call read")
        yield step


def sampler(step: Batch | Step, before: str | None) -> str:
    """The model that wrote this step's rollouts, and those of the steps before: the one to train.

    RecordError if there are two: which of them was meant?
    """
    for line in step.answers():
        name = line.record["rollout"]["model"]
        if not name:
            raise line.error("rollout.model: null (say which model to train with --model)")
        if name != (before or name):
            raise line.error(f"rollout.model: {name} after {before} (say which one to train with --model or --from)")
        before = name
    if before is None:
        raise RccaError("no answers, so no model that gave them (say which one to train with --model)")
    return before


def check_answers(step: Batch | Step, policy: models.Policy) -> None:
    """RecordError if a rollout's ids are not ones that the policy can read, or are not those of its text.

    Ids may go on behind the text: servers cut it at a stop string.
    """
    vocabulary = policy.model.get_input_embeddings().weight.shape[0]

    def foreign(token: int) -> str:
        return f"token {token}, and {policy.name} has {vocabulary} (another tokenizer's?)"

    for line in step.answers():
        rollout = line.record["rollout"]
        digest = rollout.get("tokenizer")
        if digest not in (None, policy.digest):
            raise line.error(f"rollout.tokenizer: {digest}, but that of {policy.name} is {policy.digest}")
        size = len(rollout["prompt_ids"]) + len(rollout["tokens"])
        if policy.context is not None and size > policy.context:
            raise line.error(f"rollout.tokens: {size} with the prompt, and {policy.name} has room for {policy.context}")
        batch.check_ids(line, vocabulary, foreign)
        spelt = all(token < len(policy.tokenizer) for token in rollout["tokens"])  # not the embeddings' padding
        if digest and spelt and not policy.decode(rollout["tokens"]).text.startswith(rollout["text"]):
            raise line.error("rollout.text: not what rollout.tokens say (edited? credit is for the tokens sampled)")
