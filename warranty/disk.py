"""Files for their owner's eyes, that are on the disk when a function returns."""

import os
import tempfile
from pathlib import Path


def write_private(path: Path, content: bytes, *, how: int = os.O_EXCL) -> None:
    """Write a new file; or with `how` (`O_TRUNC`, `O_APPEND`) over what stands there, or behind it."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | how, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: what stood there stays until the new one is.

    Where a link stands there, the file that it names is written.
    """
    path = path.resolve()
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
        made = Path(folder) / path.name
        write_private(made, content)
        made.replace(path)
