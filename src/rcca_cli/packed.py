"""Bytes out of a packed file; one that was cut off is an error where its bytes end, not an early end."""

import gzip
import io
import zlib
from typing import BinaryIO, cast

CHUNK = 1 << 13  # bytes: few, because a packed one can hold tens of thousands

BROKEN = (OSError, EOFError, zlib.error)  # what reading a file, packed or not, can raise


def open_gz(path: str) -> BinaryIO:
    """The unpacked bytes of a .gz file."""
    return cast(BinaryIO, gzip.open(path, "rb"))


def open_zst(path: str) -> BinaryIO:
    """The unpacked bytes of a .zst file, all its frames."""
    return io.BufferedReader(Frames(open(path, "rb")))


class Frames(io.RawIOBase):
    """The frames of a .zst file one after the other. (zstandard's own reader ends silently in a torn one.)"""

    def __init__(self, file: BinaryIO) -> None:
        import zstandard

        self._zstandard = zstandard
        self._file = file
        self._ready = b""  # unpacked, not yet asked for
        self._next_frame()

    def _next_frame(self) -> None:
        self._frame = self._zstandard.ZstdDecompressor().decompressobj()
        self._begun = False

    def readable(self) -> bool:
        """Yes; what io.BufferedReader asks."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill the buffer as far as there is something; 0 at the end of the last frame."""
        while not self._ready:
            packed = self._frame.unused_data or self._file.read(CHUNK)
            if self._frame.eof:
                self._next_frame()
            if not packed and self._begun:
                raise EOFError("compressed file ended before the end of a frame")
            if not packed:
                return 0
            self._begun = True
            try:
                self._ready = self._frame.decompress(packed)
            except self._zstandard.ZstdError as error:
                raise OSError(str(error)) from None
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def close(self) -> None:
        """Close the file too."""
        self._file.close()
        super().close()
