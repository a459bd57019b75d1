"""The stage: batches of groups from the input, a step and a checkpoint for each, metrics out."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from rcca_cli import console, jsonl, models
from rcca_cli.errors import RccaError
from rcca_cli.jsonl import Line
from rcca_cli.train import batch, checkpoint, sft
from rcca_cli.train.batch import Group
from rcca_cli.train.checkpoint import State
from rcca_cli.train.options import Options
from rcca_cli.train.session import Batch, Session, open_session, resumed
from rcca_cli.train.sft import Step

__all__ = ["Options", "Session", "open_session", "run"]


def run(lines: Iterable[Line], options: Options, session: Session | None = None) -> Iterator[dict[str, Any]]:
    """Train on the groups of `lines`: one metrics record a step, after its checkpoint is written.

    With `resume` the records of the steps that the interrupted call had finished come first, as they were.
    `session` is one that stays open over several calls, each as if it began from the checkpoint of the last.
    """
    steps = planned(lines, options, session)
    warm = session is not None
    if session is not None:
        session.state = replace(session.state, first_step=session.state.step, finished=False)
    elif options.resume and (session := resumed(options)) is not None:
        first = session.state.first_step
        yield from (record for record in session.metrics if record["step"] > first)
        steps = after(steps, session.state)
    for step in steps:
        name = options.model or options.start or sampler(step, session.state.source if session else None)
        session = session or open_session(options, name)
        check_tokenizer(step, session.trainer.policy)
        yield session.learn(step)
    if session is None:
        raise RccaError("no records to train on")
    session.finish()
    if not warm and options.out:
        console.note(f"policy after step {session.state.step}: {options.out} (rcca rollout --model {options.out})")


def planned(lines: Iterable[Line], options: Options, session: Session | None) -> Iterator[Batch | Step]:
    """The steps of the objective. Those of `sft` need the model's tokens, before the model itself is wanted."""
    if options.objective == "rl":
        return batches(lines, options)
    name = options.model or options.start
    if session is None and name is None:
        raise RccaError("--objective sft needs the model that is to learn (--model M, or --from CKPT)")
    policy = session.trainer.policy if session else models.load_reader(str(name))
    return sft.steps(lines, options, policy, steps_before(options, session) + 1)


def steps_before(options: Options, session: Session | None) -> int:
    """The number of the step before the call's first, also where the call has gone on since, and is resumed."""
    if session is not None:
        return session.state.step
    if options.resume and checkpoint.exists(options.out):
        state = checkpoint.load_state(options.out)
        return state.step if state.finished else state.first_step
    return checkpoint.load_state(options.start).step if options.start else 0


def batches(lines: Iterable[Line], options: Options) -> Iterator[Batch]:
    """`groups_per_step` groups at a time, fewer at the end of the input."""
    held: list[Group] = []
    used, seen = 0, blake2b(digest_size=16)
    for group in batch.groups(lines, options.credit):
        held.append(group)
        used += 1
        for line in group.lines:
            seen.update(jsonl.encode(line.record))
        if len(held) == options.groups_per_step:
            yield Batch(held, used, seen.hexdigest())
            held = []
    if held:
        yield Batch(held, used, seen.hexdigest())


def after(steps: Iterator[Batch | Step], state: State) -> Iterator[Batch | Step]:
    """The batches behind those that the checkpoint has used. RccaError if the input is not the one it was."""
    changed = RccaError(
        "--resume: the input is not the one that the checkpoint was made from (use --from for new data)"
    )
    found = False
    for step in steps:
        if found and not state.finished:
            yield step
        elif found or step.used > state.groups:
            raise changed
        elif step.used == state.groups:
            found = step.digest == state.input
    if not found:
        raise changed


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


def check_tokenizer(step: Batch | Step, policy: models.Policy) -> None:
    """RecordError if a rollout's ids were made by another tokenizer than the policy's."""
    for line in step.answers():
        digest = line.record["rollout"].get("tokenizer")
        if digest not in (None, policy.digest):
            raise line.error(f"rollout.tokenizer: {digest}, but that of {policy.name} is {policy.digest}")
