"""What the platform's settings do not reach: colours too faint to read, and tools of its own that mislead.

Four places fall below the contrast that the accessibility check wants: the key hint in a button, the words at the
axes of a chart, the label of a locked field, and in dark mode what is chosen or hovered over, whose text has the
colour that buttons need as their background. A field with a fault has a red edge; "Ctrl+Enter to apply" is not said
in a text, since these keys press the main button. The claims table's own search counts one page of many, its own list
of columns is a second one beside ours, and so is the calendar's list of ranges: none of them can be switched off.
What writes the sign-in cookie is not seen, and still pushed every screen down by a gap until the next visit.
"""

from typing import Final

import streamlit as st

_RULES: Final = """
<style>
:is([data-testid$="RootElement"], [role="group"]):has(> [aria-invalid="true"]) { border-color: #D33 !important; }
.stTextArea [data-testid="InputInstructions"] { display: none; }
.st-key-page-script { position: absolute; }
[data-testid="stLayoutWrapper"]:has(> .st-key-sign-in-parts):not(:has(form, [role="alert"])) { position: absolute; }
label[data-testid="stWidgetLabel"] { color: inherit !important; }
button kbd { color: inherit !important; opacity: 1 !important; }
.js-plotly-plot :is(.xtick, .ytick, .g-xtitle, .g-ytitle) text { fill: currentColor !important; }
[class*="st-key-claims-table-"] :is([aria-label^="Search"], [aria-label^="Show/hide"], .gdg-search-bar),
[data-testid="stDateInputQuickSelect"] { display: none !important; }
@media (prefers-color-scheme: dark) {
  button[role="radio"][data-selected="true"] p { color: #A9D2F9 !important; }
  button:is([data-variant="tertiary"], [data-variant="secondary"]):is(:hover, :focus) p { color: #A9D2F9 !important; }
  [data-variant="pills"][data-selected="true"] p { color: #A9D2F9 !important; }
}
</style>
"""


def readable_colours() -> None:
    """Put the rules into the page; they take no room in it."""
    st.html(_RULES)
