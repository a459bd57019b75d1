"""Puts a report before the reader: a file where none was named, and the reader's own browser to show it."""

import os
import sys
import tempfile
import webbrowser
from pathlib import Path

from rcca_cli import console


def place(output: str) -> str:
    """`output`, or a new file for it if that is standard output."""
    if output != "-":
        return output
    return str(Path(tempfile.mkdtemp(prefix="rcca-")) / "report.html")


def show(output: str) -> None:
    """Say where the file is, and open it in a browser if there is a screen for one."""
    path = Path(output).resolve()
    console.note(f"report: {path}")
    # Without a screen, `webbrowser` would take over the terminal with a browser of text, which runs no script.
    if sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(path.as_uri())
