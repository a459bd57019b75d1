"""Work in several processes: in order, and none is left when the call that asked is killed."""

import os
import signal
import subprocess
import sys

import pytest

from rcca_cli.bench.credit.processes import several
from rcca_cli.errors import RccaError

CALL = """
import os, sys, time
from rcca_cli.bench.credit.processes import several

def work(number):
    return os.getpid()

if __name__ == "__main__":
    with several(2) as mapped:
        print(*set(mapped(work, range(8))), flush=True)
        time.sleep(60)
"""


@pytest.mark.parametrize("at_once", [1, 2])
def test_what_is_made_comes_in_order(at_once):
    with several(at_once) as mapped:
        assert list(mapped(abs, [-3, 2, -1])) == [3, 2, 1]


def test_a_killed_process_is_told_of_and_what_to_do():
    with pytest.raises(RccaError, match=r"a process was killed .* the same call goes on"), several(2) as mapped:
        list(mapped(signal.raise_signal, [signal.SIGKILL]))


def test_a_killed_call_leaves_no_process(tmp_path):
    script = tmp_path / "call.py"
    script.write_text(CALL)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as call:
        assert call.stdout.readline().split()
        os.kill(call.pid, signal.SIGKILL)
        call.communicate(timeout=60)  # comes to its end when no process has its standard output any more
