"""The import law of docs/architecture.md, read from the source."""

import ast
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "rcca_cli"
FLOOR = {
    "__init__",
    "errors",
    "records",
    "columns",
    "jsonl",
    "filter",
    "packed",
    "parallel",
    "resume",
    "seeds",
    "shard",
    "store",
    "console",
    "lock",
}
LAYERS = [
    FLOOR,
    {"source", "browser", "models", "chat"},
    {"rewards", "checks", "units", "credit"},
    {"synth", "rollout", "judge", "align", "train"},
    {"run", "bench", "export", "report", "doctor", "verify", "scale", "foreign", "explain", "api"},
    {"cli", "stopping", "commands", "__main__"},
]
STAGES = LAYERS[3]
OWNERS = {
    "torch": {"models", "train"},
    "transformers": {"models"},
    "safetensors": {"models", "train"},
    "tokenizers": {"models"},
    "playwright": {"browser"},
    "esprima": {"source"},
    "turbohtml": {"source"},
    "tree_sitter": {"source"},
    "tree_sitter_javascript": {"source"},
    "tree_sitter_css": {"source"},
    "tinycss2": {"source"},
    "zstandard": {"packed"},
    "openai": {"chat"},
    "httpx": {"chat"},
    "typer": {"cli", "commands"},
    "rich": {"console"},
    "pyarrow": {"export"},
    "ray": {"scale"},
    "msgpack": {"export"},
    "trl": {"export", "train"},
    "verl": {"export"},
    "verifiers": {"export"},
    "prime_rl": {"export"},
    "tinker": {"export"},
    "tensorboard": {"train"},
    "trackio": {"train"},
    "wandb": {"train"},
}
# What goes into another trainer's process: it subclasses that trainer's classes, so it needs the trainer (and may have
# torch, which is there) to be imported at all, and nothing else of ours imports it.
# (train/rival.py is no door: it is what `bench speed` is timed against.)
RIVALS = {"train/rival.py"}
DOORS = {f"export/{name}.py" for name in ("trl", "verl", "verifiers", "prime_rl", "tinker")}


def part(path):
    """The top-level part a file belongs to: `judge` for judge/stage.py."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def layer(name):
    return next((height for height, names in enumerate(LAYERS) if name in names), None)


def imports():
    """(file, imported module) for every import, lazy ones too."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: relative import"
                if node.module == "rcca_cli":
                    yield from ((path, f"rcca_cli.{name.name}") for name in node.names)
                else:
                    yield path, node.module or ""
            elif isinstance(node, ast.Import):
                yield from ((path, name.name) for name in node.names)


def test_every_part_has_its_layer():
    unknown = {part(path) for path in SOURCE.rglob("*.py") if layer(part(path)) is None}
    assert not unknown


def test_imports_point_downwards():
    wrong = []
    for path, module in imports():
        if not module.startswith("rcca_cli."):
            continue
        here, there = part(path), module.split(".")[1]
        if there == "__version__" or here == there:
            continue
        sideways = layer(here) == layer(there) and (here in STAGES or here in LAYERS[1])
        if layer(there) is None or layer(there) > layer(here) or sideways:
            wrong.append(f"{path.relative_to(SOURCE)} imports {module}")
    assert not wrong


def test_a_library_has_one_owner():
    wrong = [
        f"{path.relative_to(SOURCE)} imports {module}"
        for path, module in imports()
        if module.split(".")[0] in OWNERS
        and part(path) not in OWNERS[module.split(".")[0]]
        and not (module.split(".")[0] == "torch" and str(path.relative_to(SOURCE)) in DOORS)
    ]
    assert not wrong


def test_what_is_another_trainers_is_imported_by_that_trainer_alone():
    doors = {"rcca_cli." + door.removesuffix(".py").replace("/", ".") for door in DOORS}
    trainers = {"trl", "verl", "verifiers", "prime_rl", "tinker"}
    wrong = [
        f"{path.relative_to(SOURCE)} imports {module}"
        for path, module in imports()
        if module in doors or (module.split(".")[0] in trainers and str(path.relative_to(SOURCE)) not in DOORS | RIVALS)
    ]
    assert not wrong
    assert all((SOURCE / door).is_file() for door in DOORS)


def test_help_loads_no_heavy_library():
    code = "import sys; from rcca_cli.cli import build; build(); print(*sys.modules)"
    loaded = set(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.decode().split())
    heavy = set(OWNERS) - {"typer", "rich"} | {"numpy", "pydantic"}
    assert not heavy & loaded
