"""How many tabs are connected to this process."""

from streamlit.runtime import Runtime
from streamlit.runtime.stats import ACTIVE_SESSIONS_FAMILY, GaugeStat


# platform: name streamlit.runtime.Runtime.stats_mgr streamlit.runtime.stats.GaugeStat
# platform: name streamlit.runtime.stats.ACTIVE_SESSIONS_FAMILY
def connected_tabs() -> int:
    """Count them; 0 where no server runs."""
    if not Runtime.exists():
        return 0
    told = Runtime.instance().stats_mgr.get_stats([ACTIVE_SESSIONS_FAMILY])
    return sum(int(one.value) for one in told[ACTIVE_SESSIONS_FAMILY] if isinstance(one, GaugeStat))
