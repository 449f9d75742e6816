"""The upload area of the platform, made consistent for screen readers.

It is a focusable region that says it is only for show (role="presentation"); the accessibility check objects. The
role is corrected in the page, whenever an upload area appears.
"""

from typing import Final

import streamlit as st

_SCRIPT: Final = """
<script>
(() => {
  const correct = () => document
    .querySelectorAll('section[role="presentation"]')
    .forEach((area) => area.setAttribute("role", "group"));
  correct();
  if (!window.dropZonesCorrected) {
    window.dropZonesCorrected = new MutationObserver(correct);
    window.dropZonesCorrected.observe(document.body, { childList: true, subtree: true });
  }
})();
</script>
"""


def readable_drop_zones() -> None:
    """Correct the upload areas of this page."""
    st.html(_SCRIPT, unsafe_allow_javascript=True)
