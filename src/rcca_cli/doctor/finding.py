"""What the doctor says about one thing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from rcca_cli.errors import RccaError

State = Literal["ok", "warning", "missing", "optional"]


@dataclass(frozen=True)
class Finding:
    """`state` "missing" is something rcca cannot do its main job without; "optional" is not there and may not be."""

    name: str
    state: State
    found: str
    fix: str | None = None


def guarded(examine: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """The findings of `examine`; if it breaks, that is a finding too: the doctor never fails to answer."""
    try:
        yield from examine()
    except RccaError as error:
        yield Finding(examine.__name__, "missing", str(error))
    except Exception as error:  # noqa: BLE001 - whatever is wrong with this machine must not hide the other findings
        yield Finding(examine.__name__, "missing", f"{type(error).__name__}: {error}", "please report it")
