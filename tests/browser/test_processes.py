"""What other processes use, read from /proc."""

import os
import subprocess
import sys

from rcca_cli.browser import processes

BURN = "import time\nwhile time.process_time() < 0.3: pass"
PARENT = f"""
import subprocess, sys
subprocess.run([sys.executable, "-c", {BURN!r}])
print("ended", flush=True)
sys.stdin.read()
"""


def test_the_time_of_a_process_that_ended_is_still_counted_below_the_one_that_started_it():
    before = processes.cpu_below(os.getpid())
    with subprocess.Popen([sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout
        assert child.stdout.readline() == b"ended\n"
        spent = processes.cpu_below(os.getpid()) - before
        assert list(processes.descendants(child.pid)) == []
    assert spent > 0.25
    assert processes.cpu_below(child.pid) == 0.0
