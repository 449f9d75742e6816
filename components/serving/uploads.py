"""Files that people put in: how much of them the platform keeps for a tab."""

from typing import Final

from starlette.exceptions import HTTPException
from streamlit.runtime import memory_uploaded_file_manager

# platform: name streamlit.runtime.uploaded_file_manager.UploadedFileRec
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

MOST_OF_A_TAB: Final = 120_000_000
"""Bytes: two of the largest files that one upload may have; a field keeps one at a time."""


# platform: name streamlit.runtime.memory_uploaded_file_manager.MemoryUploadedFileManager
class BoundedUploads(memory_uploaded_file_manager.MemoryUploadedFileManager):
    """Keeps no more than that for a tab; the platform bounds each file, and not how many there are."""

    def add_file(self, session_id: str, file: UploadedFileRec) -> None:
        """Keep a file; answers 413 where it would be too much."""
        kept = list(self.file_storage.get(session_id, {}).values())
        others = sum(len(one.data) for one in kept if one.file_id != file.file_id)
        if others + len(file.data) > MOST_OF_A_TAB:
            raise HTTPException(413)
        super().add_file(session_id, file)


def bound_uploads() -> None:
    """Have the server keep no more; to be called before it is made."""
    # platform: habit streamlit looks for the storage of files when it makes its server
    memory_uploaded_file_manager.MemoryUploadedFileManager = BoundedUploads  # type: ignore[misc]
