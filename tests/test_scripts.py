"""`scripts/setup`, where all is there already."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_setup_ends_with_what_to_do_next_unless_it_is_part_of_another_script(tmp_path):
    wanted = b"".join((ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt"))
    (tmp_path / f".rcca-{hashlib.sha256(wanted).hexdigest()[:16]}").touch()
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"VIRTUAL_ENV": str(tmp_path), "PATH": path}
    for words, said in (
        (["scripts/setup"], f"setup: ready; next: . {tmp_path}/bin/activate && rcca doctor\n"),
        (["-c", ". scripts/setup", "scripts/demo"], ""),
    ):
        ended = subprocess.run(["bash", *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", said)
