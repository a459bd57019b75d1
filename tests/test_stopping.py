"""A signal ends the call, whoever swallows the error that it raises."""

import contextlib
import gc
import os
import signal
import sys
import time

import pytest
import typer

from rcca_cli import cli, stopping
from rcca_cli.errors import Interrupted, Terminated

LONG = 20.0  # seconds: never waited for


def told(*numbers: int):
    """Some work that goes on, and that the signals end."""
    for number in numbers:
        os.kill(os.getpid(), number)
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        pass
    pytest.fail("the signal was lost")


@pytest.fixture
def listening():
    handlers = {number: signal.getsignal(number) for number in (*stopping.ERRORS, signal.SIGALRM)}
    stopping.listen()
    yield
    stopping.settled()
    for number, handler in handlers.items():
        signal.signal(number, handler)


def forgiving():
    """A library that mends whatever goes wrong."""
    with contextlib.suppress(BaseException):
        told(signal.SIGTERM)


class Finalised:
    def __del__(self):
        told(signal.SIGTERM)


def finaliser():
    Finalised()


def collected():
    cycle = Finalised()
    cycle.itself = cycle
    del cycle
    gc.collect()


@pytest.mark.parametrize("swallow", [forgiving, finaliser, collected])
def test_what_was_swallowed_is_raised_again(listening, swallow, monkeypatch):
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)  # pytest's keeps the error

    def work():
        swallow()
        told()

    with pytest.raises(Terminated):
        work()
    assert stopping.settled() == 143


def test_who_closes_what_was_open_is_left_alone_for_as_long_as_it_takes(listening):
    """Once on its way the error does not come between: in `finally`, in a generator, behind another error."""

    def generator():
        try:
            yield
        finally:
            closing("generator")

    def closing(name):
        try:
            raise OSError(name)
        except OSError:
            ends = time.monotonic() + 2.2 * stopping.AGAIN
            while time.monotonic() < ends:
                pass
            closed.append(name)

    closed = []
    try:
        try:
            for _ in generator():
                told(signal.SIGINT)
        finally:
            closing("finally")
    except Interrupted:
        assert stopping.settled() == 130
    assert sorted(closed) == ["finally", "generator"]


def test_it_is_no_error_of_the_input_that_someone_may_mend(listening):
    def mending():
        with contextlib.suppress(Exception):
            told(signal.SIGTERM)

    with pytest.raises(Terminated) as ended:
        mending()
    assert ended.value.code == 143


def test_a_second_signal_does_nothing(listening):
    with pytest.raises(Interrupted):
        told(signal.SIGINT)
    os.kill(os.getpid(), signal.SIGTERM)
    assert stopping.settled() == 130


def test_a_call_that_ends_in_spite_of_it_says_so_by_its_exit_code():
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)

    @app.command()
    def command() -> None:
        with contextlib.suppress(BaseException):
            os.kill(os.getpid(), signal.SIGTERM)

    assert cli.run([], app) == 143
