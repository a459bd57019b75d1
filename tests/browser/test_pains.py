"""What stopped browsers elsewhere (docs/trust.md) and is tested nowhere else."""

import asyncio
import shutil
import subprocess
import sys

import orjson
import pytest

from rcca_cli.browser import AppTrouble, Machine, processes
from rcca_cli.browser.peek import shot
from tests.judge import records

FINE = "<button>Go</button>"
RELOADING = [
    FINE + "<script>location.reload()</script>",
    FINE + "<script>onload = () => setTimeout(() => location.reload(), 1)</script>",
    FINE + '<meta http-equiv="refresh" content="0">',
    FINE + "<script>addEventListener('pagehide', () => location.reload()); location.href = '?'</script>",
]


def test_pages_that_reload_for_ever_leave_nothing():
    async def one(machine, page):
        async with machine.visit(page, 1) as visit:
            await visit.load()
            await visit.turn()

    async def many(machine):
        return await asyncio.gather(*(one(machine, page) for page in RELOADING * 2), return_exceptions=True)

    with Machine() as machine:
        browser = machine.pid
        assert {isinstance(ended, AppTrouble) for ended in machine.run(lambda: many(machine))} == {True}
        machine.run(lambda: one(machine, FINE))
        assert machine.pid == browser
        everyone = list(processes.descendants(browser))
    assert [pid for pid in everyone if processes.started(pid)] == []


def test_a_picture_does_not_wait_for_fonts(machine):
    page = "<style>@font-face { font-family: x; src: url(/never) } p { font-family: x }</style><p>words</p>"

    async def picture():
        async with machine.visit(page, 1) as visit:
            await visit.load()
            await visit.turn()
            return await shot(visit)

    assert machine.run(picture)


def can_mount():
    """Whether this user may have a small disk of its own."""
    unshare = shutil.which("unshare")
    small = [unshare, "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"] if unshare else ["false"]
    return subprocess.run(small, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not can_mount(), reason="takes the right to mount")
@pytest.mark.parametrize("size", ["64k", "1m"])
def test_a_full_disk_is_no_fault_of_the_app(tmp_path, size):
    record = records.record(records.answer(records.TODO), records.ADDS, records.SHOWS)
    script = f'mount -t tmpfs -o size={size},mode=1777 tmpfs "$TMPDIR" && exec "$@"'
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, "sh", sys.executable, "-m", "rcca_cli", "judge"],
        input=orjson.dumps(record),
        capture_output=True,
        env={"PATH": "/usr/bin:/bin", "TMPDIR": str(tmp_path), "PYTHONPATH": ":".join(sys.path)},
        check=False,
    )
    verdicts = [one["passed"] for line in done.stdout.splitlines() for one in orjson.loads(line)["judge"]["verdicts"]]
    assert False not in verdicts
    assert done.returncode in (0, 1, 2)
    assert b"Traceback" not in done.stderr
