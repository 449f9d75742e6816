"""What the page does by itself in the browser, where the platform does not (docs/platform-notes/page-script.md).

- A message in a place `look-…` is scrolled to and gets the focus when it appears after a press, unless somebody types.
- A link of the summary of faults leads to its field; the field is marked for screen readers; nothing that holds a
  fault is folded away.
- Ctrl+Enter is a press of the button that says so, wherever the focus is: it leaves the field as a click does, and
  neither un-chooses what has the focus nor presses it.
- An upload area is a focusable region that says it is only for show (role="presentation"): it becomes a group.
"""

from typing import Final

import streamlit as st

_SCRIPT: Final = """
<script>
(() => {
  if (window.deskPage) return;
  window.deskPage = true;
  let shown = new Set();
  let pressed = false;

  const links = (within) => [...within.querySelectorAll('a[href^="#st-key-"]')];
  const fieldOf = (link) =>
    document.querySelector(`.${link.hash.slice(1)} :is([role="radiogroup"], input, textarea)`);
  const unfold = (field) => field?.closest("details:not([open])")?.querySelector("summary").click();

  const mark = () => {
    const faulty = new Map();
    links(document).forEach((link, number) => {
      link.id = `fault-${number}`;
      const field = fieldOf(link);
      if (field) faulty.set(field, link.id);
    });
    for (const field of document.querySelectorAll('[aria-describedby^="fault-"]')) {
      if (faulty.has(field)) continue;
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
    }
    for (const [field, told] of faulty) {
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", told);
    }
  };

  const look = () => {
    const places = new Map();
    for (const place of document.querySelectorAll('[class*="st-key-look-"]:has([data-testid="stAlert"] p)'))
      places.set(place.className.match(/st-key-look-\\S*/)[0], place);
    const fresh = [...places].filter(([name]) => !shown.has(name)).map(([, place]) => place);
    shown = new Set(places.keys());
    const place = fresh.at(-1);
    if (!place || !pressed || ["INPUT", "TEXTAREA"].includes(document.activeElement?.tagName)) return;
    pressed = false;
    links(place).forEach((link) => unfold(fieldOf(link)));
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
    place.scrollIntoView({ block: "center" });
  };

  new MutationObserver(() => {
    look();
    mark();
    document.querySelectorAll('section[role="presentation"]').forEach((area) => area.setAttribute("role", "group"));
  }).observe(document.body, { childList: true, subtree: true });

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("button")) pressed = true;
    const link = event.target.closest?.('a[href^="#st-key-"]');
    if (!link) return;
    event.preventDefault();
    const field = fieldOf(link);
    unfold(field);
    (field?.querySelector('[aria-checked="true"], button') ?? field)?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: "center" });
  }, true);

  window.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    if (event.target.shadowRoot) return;  // the scan field takes its code first, and lets the keys go on
    const button = [...document.querySelectorAll("button:has(kbd)")].find((found) => !found.disabled);
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.repeat || document.querySelector('[data-testid="stDialog"]')) return;
    document.activeElement?.blur();
    button.click();
  }, true);
})();
</script>
"""


def page_script() -> None:
    """Put the script into the page; it takes no room in it (components/frame/contrast.py)."""
    with st.container(key="page-script"):
        st.html(_SCRIPT, unsafe_allow_javascript=True)
