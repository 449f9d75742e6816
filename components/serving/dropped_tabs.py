"""Tabs that lost their connection: which of them the platform keeps until they come back, and how many."""

from functools import partial

from streamlit.runtime import memory_session_storage

# platform: name streamlit.runtime.session_manager.SessionInfo
from streamlit.runtime.session_manager import SessionInfo

from components import session

MOST = 1024


# platform: name streamlit.runtime.memory_session_storage.MemorySessionStorage
# platform: name streamlit.runtime.app_session.AppSession.session_state
# platform: name streamlit.runtime.app_session.AppSession.register_file_watchers
class SignedInTabs(memory_session_storage.MemorySessionStorage):
    """Keeps tabs in which somebody is signed in: one without a person gets no session back at our door anyway.

    Else strangers, who come and go, would push out those of all tablets.
    """

    def save(self, session_info: SessionInfo) -> None:
        """Keep a tab, if it is somebody's; another one ends here, with all that it holds."""
        if session.is_somebodys(session_info.session.session_state):
            # platform: habit streamlit watches files for a tab that comes back, though told to watch none
            session_info.session.register_file_watchers = _watch_nothing  # type: ignore[method-assign]
            super().save(session_info)

    def delete(self, session_id: str) -> None:
        """Keep a tab no more, if it was kept."""
        if self.get(session_id) is not None:
            super().delete(session_id)


def _watch_nothing() -> None:
    """As `server.fileWatcherType` says. Else the server looks up every module's file for each tab that is back."""


def keep_dropped_tabs() -> None:
    """Keep `MOST` of them, each for `server.disconnectedSessionTTL` seconds; to be called before the server is made.

    The platform keeps 128 and has no option for it: of 300 tablets that lose the Wi-Fi at once, 172 would have to
    begin anew from their drafts (docs/platform-notes/live-connection.md).
    """
    # platform: habit streamlit looks for the storage of sessions when it makes its server
    kept = partial(SignedInTabs, maxsize=MOST)
    memory_session_storage.MemorySessionStorage = kept  # type: ignore[assignment, misc]
