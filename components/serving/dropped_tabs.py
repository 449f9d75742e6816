"""Tabs that lost their connection: how many the platform keeps until they come back."""

from functools import partial

from streamlit.runtime import memory_session_storage

MOST = 1024


def keep_dropped_tabs() -> None:
    """Keep `MOST` of them, each for `server.disconnectedSessionTTL` seconds; to be called before the server is made.

    The platform keeps 128 and has no option for it: of 300 tablets that lose the Wi-Fi at once, 172 would have to
    begin anew from their drafts (docs/platform-notes/live-connection.md).
    """
    # platform: name streamlit.runtime.memory_session_storage.MemorySessionStorage
    # platform: habit streamlit looks for the storage of sessions when it makes its server
    kept = partial(memory_session_storage.MemorySessionStorage, maxsize=MOST)
    memory_session_storage.MemorySessionStorage = kept  # type: ignore[assignment, misc]
