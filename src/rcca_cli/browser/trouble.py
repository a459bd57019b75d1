"""What can go wrong with a page: by the app's own doing, or by ours."""


class AppTrouble(Exception):
    """The app did this; it fails."""


class AppHung(AppTrouble):
    """The page's scripts kept a processor busy past the deadline."""


class AppCrashed(AppTrouble):
    """The page's process died, most often of too much memory."""


class NoEvidence(Exception):
    """The browser could not answer a question about the page; what was seen without asking stands."""


class BrowserLost(Exception):
    """Our side lost the page or the browser; nothing is known about the app."""


class ProtocolError(Exception):
    """The browser refused a command, or did not live to answer it."""

    @property
    def message(self) -> str:
        """What it said."""
        return str(self)
