"""One OpenAI-compatible server: asked once at a time it is called, with how it has fared so far.

Layers of retries multiply, so openai's own is off. The key comes from the environment alone.
"""

import os
import time
import weakref
from collections.abc import Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from rcca_cli.chat.bounded import Endless, hooks
from rcca_cli.chat.reply import Answer, answer, parsed
from rcca_cli.errors import RccaError, install

LONGEST_WAIT = 60.0  # seconds, whatever the server asks for
BROKEN_OFF = frozenset(["abort", "error"])  # reasons to finish that are the server's own: no answer of the model's

KNOCK = 10.0  # seconds for a first look whether it is there
TOLD = 16.0  # seconds of waiting that the user is told of


class Trouble(Exception):
    """The server did not answer this time. `pause` is how long it wants to be left alone, if it said."""

    def __init__(self, reason: str, again: bool = True, pause: float | None = None) -> None:
        super().__init__(reason)
        self.again = again  # whether it may answer the same request another time
        self.pause = pause


class Declined(Exception):
    """The server will not take a request of this form."""


class Server:
    """A server and one of its models; at most `jobs` requests at once. What is counted here, its client locks."""

    def __init__(self, url: str | None, model: str, timeout: float, jobs: int | None) -> None:
        try:
            import openai
        except ImportError:
            raise RccaError(f"asking a server needs the openai package ({install('serve')})") from None
        self.openai = openai
        url = url or os.environ.get("OPENAI_BASE_URL")
        key = os.environ.get("OPENAI_API_KEY")
        if not (url or key):
            raise RccaError("no server to ask (give --base-url URL, or set OPENAI_BASE_URL or OPENAI_API_KEY)")
        # A server of one's own usually asks for no key, but the client insists on one.
        bounds = hooks(openai.DefaultHttpxClient, timeout)
        http = openai.DefaultHttpxClient(event_hooks=bounds, timeout=timeout)
        self.client = openai.OpenAI(
            base_url=url, api_key=key or "none", max_retries=0, timeout=timeout, http_client=http
        )
        weakref.finalize(self, http.close)  # openai closes only the clients that it made
        self.model = model
        self.jobs = jobs
        self.busy = 0  # requests that it has now
        self.failures = 0  # in a row
        self.ready_at = 0.0  # not to be asked before, on the clock of time.monotonic
        self.fallback = 0  # of a request's bodies, the first that it takes

    @property
    def url(self) -> str:
        """The server's address, without a name or password that may stand in it."""
        return address(str(self.client.base_url))

    @property
    def has_room(self) -> bool:
        """Whether it may have one more request; one that failed is tried with a single one first."""
        return self.busy < (1 if self.failures else self.jobs or self.busy + 1)

    def rest(self, pause: float | None) -> float | None:
        """It failed: it is left alone for so many seconds, or 1, 2, 4 …; requests that fail together count once.

        How long, if that should be told: the first time in a row, and when it gets long.
        """
        now = time.monotonic()
        if self.failures and now < self.ready_at and pause is None:
            return None
        seconds = min(LONGEST_WAIT, 2.0**self.failures if pause is None else pause)
        self.ready_at = max(self.ready_at, now + seconds)
        self.failures += 1
        return seconds if self.failures == 1 or seconds >= TOLD else None

    def unreachable(self) -> str | None:
        """Why nothing is there to be asked; None if anything answers, whatever it says, or is only slow."""
        try:
            self.client.with_options(timeout=KNOCK).models.list()
        except self.openai.APITimeoutError:
            return None
        except self.openai.APIConnectionError as error:
            return reason(error)
        except (self.openai.OpenAIError, ValueError, Endless):
            return None
        return None

    def ask(self, messages: Sequence[Mapping[str, Any]], body: Mapping[str, Any]) -> Answer:
        """The answer, asked for once. Trouble, Declined, or RccaError if the server would answer no request."""
        try:
            # `extra_body` takes every name, also those of vLLM that the client does not know.
            # Its reply as it came: the client believes a server in all things, and a wrong one ends the call.
            reply = self.client.chat.completions.with_raw_response.create(
                model=self.model,
                messages=list(messages),  # type: ignore[arg-type]
                extra_body=dict(body),
            )
            found = answer(parsed(reply.content))
        except (self.openai.BadRequestError, self.openai.UnprocessableEntityError) as error:
            raise Declined(f"the server refuses the request: {reason(error)}") from None
        except (self.openai.AuthenticationError, self.openai.PermissionDeniedError) as error:
            raise RccaError(f"the server refuses the request: {reason(error)} (OPENAI_API_KEY)") from None
        except self.openai.NotFoundError as error:
            hint = "is --model one that it has, and does --base-url end in /v1?"
            raise RccaError(f"the server refuses the request: {reason(error)} ({hint})") from None
        except self.openai.APIStatusError as error:
            again = error.status_code in (408, 409, 429) or error.status_code >= 500
            raise Trouble(reason(error), again, asked_pause(error.response.headers)) from None
        except (self.openai.APIConnectionError, Endless) as error:
            raise Trouble(reason(error)) from None
        except (self.openai.APIError, ValueError) as error:
            raise Trouble(f"no chat completion: {reason(error)}", again=False) from None
        if found.finish_reason in BROKEN_OFF:
            raise Trouble(f"the server broke the answer off (finish_reason {found.finish_reason})")
        return found


def address(url: str) -> str:
    """A server's address with nothing secret in it: no user, no password, no query.

    >>> address("https://ann:secret@host.test:8000/v1?key=1")
    'https://host.test:8000/v1'
    """
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))


def asked_pause(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks to be left alone: Retry-After, a number or a date by its own clock (Date).

    None for what is neither, and for a time that is over: asked at once, it would use up all attempts at once.

    >>> asked_pause({"retry-after": "3"}), asked_pause({"retry-after": "-3"}), asked_pause({})
    (3.0, None, None)
    >>> now, later = "Wed, 21 Oct 2026 07:28:00 GMT", "Wed, 21 Oct 2026 07:28:05 GMT"
    >>> asked_pause({"retry-after": later, "date": now}), asked_pause({"retry-after": "soon"})
    (5.0, None)
    """
    told = headers.get("retry-after", "")
    try:
        pause = float(told)
    except ValueError:
        try:
            now = parsedate_to_datetime(headers["date"]).timestamp() if "date" in headers else time.time()
            pause = parsedate_to_datetime(told).timestamp() - now
        except (ValueError, OverflowError, TypeError, IndexError):  # what the parser of dates raises
            return None
    return pause if pause >= 0 else None


def reason(error: Exception) -> str:
    """An error in one line."""
    return " ".join(str(error).split())[:300] or type(error).__name__
