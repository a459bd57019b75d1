"""A folder that is whole or absent, with the one before it kept inside: what a checkpoint is to the file system.

A new one is written beside the old one as `NAME.tmp`, its manifest last, and takes the old one's place by renaming; the
old one stays as `NAME/previous`. A crash between the renames leaves `NAME.old`, which `settle` puts where it belongs.
The manifest has the size and the checksum of every file, so that a folder which was torn all the same (a disk that
lied, a copy cut short) is seen, and `mend` goes back to the one before.
"""

import os
import shutil
import zlib
from pathlib import Path

import orjson

from rcca_cli import console
from rcca_cli.errors import RccaError

MANIFEST = "rcca.json"
PREVIOUS = "previous"
BLOCK = 1 << 20  # bytes read at once


def paths(directory: str) -> tuple[Path, Path, Path]:
    """The folder, the one it is written to, and where the one before it waits while they change places."""
    target = Path(os.path.realpath(directory))  # a link stays a link to the folder that it names
    if not target.name or target.is_symlink():
        raise RccaError(f"{directory}: cannot be a folder of its own (choose another)")
    return target, target.with_name(target.name + ".tmp"), target.with_name(target.name + ".old")


def exists(directory: str | Path) -> bool:
    """Whether a folder of ours is there."""
    return (Path(directory) / MANIFEST).exists()


def begin(directory: str) -> Path:
    """An empty folder to write the new one to."""
    _target, fresh, _old = paths(directory)
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    return fresh


def place(directory: str) -> None:
    """Give the new folder, which is whole, the old one's name; the old one is its `previous` now."""
    target, fresh, old = paths(directory)
    if target.exists():
        shutil.rmtree(old, ignore_errors=True)
        shutil.rmtree(target / PREVIOUS, ignore_errors=True)
        target.rename(old)
    fresh.rename(target)
    sync(target.parent)
    settle(directory)


def settle(directory: str) -> None:
    """Put what a crash in the middle of `place` has left under another name where it belongs."""
    target, _fresh, old = paths(directory)
    if not exists(old):
        return
    if target.exists():
        shutil.rmtree(target / PREVIOUS, ignore_errors=True)
        old.rename(target / PREVIOUS)
    else:
        old.rename(target)


def mend(directory: str) -> None:
    """Leave the newest whole folder at `directory`: a torn one makes way for the one before it, and it is said."""
    settle(directory)
    target, _fresh, old = paths(directory)
    before = target / PREVIOUS
    if not exists(before) or (wrong := damage(target)) is None or damage(before) is not None:
        return
    torn = target.with_name(target.name + ".torn")
    shutil.rmtree(torn, ignore_errors=True)
    before.rename(old)  # first, so that `settle` finds it whenever we are killed
    target.rename(torn)
    old.rename(target)
    console.note(f"{directory}: torn ({wrong}), kept as {torn.name}: back to the checkpoint before it")


def damage(folder: str | Path) -> str | None:
    """What is wrong with the folder, in words; None if it is whole: every file as the manifest has it."""
    try:
        manifest = orjson.loads((Path(folder) / MANIFEST).read_bytes())
        files = manifest["files"].items()
    except OSError:
        return f"{MANIFEST} is missing"
    except (ValueError, TypeError, KeyError, AttributeError):
        return f"{MANIFEST} is not what was written"
    for name, (size, crc) in files:
        path = Path(folder) / name
        if not path.is_file():
            return f"{name} is missing"
        if path.stat().st_size != size:
            return f"{name} has {path.stat().st_size} bytes of {size}"
        if checksum(path) != crc:
            return f"{name} is not what was written"
    return None


def measured(folder: Path) -> dict[str, list[int]]:
    """All files below the folder, on the disk now: name: [bytes, CRC-32]."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for path in files:
        sync(path)
    return {path.relative_to(folder).as_posix(): [path.stat().st_size, checksum(path)] for path in files}


def checksum(path: Path) -> int:
    """The CRC-32 of a file: enough to notice blocks that were lost, and about as fast as it is read."""
    found = 0
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            found = zlib.crc32(block, found)
    return found


def write_manifest(folder: Path, content: bytes) -> None:
    """Put the manifest there, whole or not at all."""
    fresh = folder / (MANIFEST + ".tmp")
    fresh.write_bytes(content)
    sync(fresh)
    fresh.rename(folder / MANIFEST)
    sync(folder)


def sync(path: Path) -> None:
    """On the disk, not only in the page cache: a rename must never be durable before what it names."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def link(folder: Path, target: Path) -> None:
    """A second name for each file of the folder, in `target`; they are never written again in place."""
    fresh = target.with_name(target.name + ".tmp")
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(folder, fresh, copy_function=os.link)
    shutil.rmtree(target, ignore_errors=True)
    fresh.rename(target)
