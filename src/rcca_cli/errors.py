"""Every way a command can end other than well, each with its exit code (docs/exit-codes.md)."""


def install(extra: str) -> str:
    """How to get what an extra of the package brings."""
    return f"pip install 'rcca[{extra}]', or in a clone of it pip install -e '.[{extra}]'"


class RccaError(Exception):
    """A problem the user can fix; the message says where, what, and what to do, in one line."""

    exit_code = 2


class RecordError(RccaError):
    """A line of input is not a record this stage can use."""


class ItemsFailed(RccaError):
    """The work is done and written, but some items are not known or a gate was missed."""

    exit_code = 1


class OutputClosed(RccaError):
    """Whoever read our output left early (`| head`): stop quietly, as SIGPIPE would have."""

    exit_code = 141


class Stopped(SystemExit):
    """A signal asks for the end. Who mends errors on the way lets it pass, so it is not among them (`stopping`)."""

    exit_code = 128

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.code = self.exit_code


class Terminated(Stopped):
    """SIGTERM arrived; what is written so far is whole lines."""

    exit_code = 143


class Interrupted(Stopped):
    """Ctrl-C; what is written so far is whole lines and can be resumed."""

    exit_code = 130
