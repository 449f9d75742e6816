"""The folder of what the desk keeps: its owner's alone."""

import logging
from pathlib import Path
from typing import Final

_OWNERS_ALONE: Final = 0o700
_log: Final = logging.getLogger("warranty")


def keep_to_owner(folder: Path) -> None:
    """Make the folder, and let nobody else in: drafts, nights and the sandbox's store lie in it.

    One that belongs to another user (a volume that was mounted) stays as it is; then that is said in the log.
    """
    folder.mkdir(mode=_OWNERS_ALONE, parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o777 == _OWNERS_ALONE:
        return
    try:
        folder.chmod(_OWNERS_ALONE)
    except OSError:
        _log.warning("the data folder can be read by others, and is not ours to close: chmod 700 it")
