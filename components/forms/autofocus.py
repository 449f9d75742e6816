"""The field in which a screen begins has the focus: what a scanner types at once goes where it belongs."""

from typing import Final

from components.browser_part import browser_part

_JS: Final = """
const done = new WeakSet();
const patience = 3000;

function typesSomewhere() {
  const active = document.activeElement;
  return active && (active.isContentEditable || ["INPUT", "TEXTAREA", "SELECT", "IFRAME"].includes(active.tagName));
}

export default function ({ parentElement, data }) {
  if (done.has(parentElement)) return;
  done.add(parentElement);
  const begun = performance.now();
  const look = () => {
    if (!parentElement.isConnected || typesSomewhere()) return;
    const field = document.querySelector(`input[aria-label="${data.label}"]`);
    if (field) field.focus({ preventScroll: true });
    else if (performance.now() - begun < patience) requestAnimationFrame(look);
  };
  look();
}
"""  # platform: markup


def autofocus(label: str, *, key: str) -> None:
    """Give the text field of this label the focus, once, unless the person types somewhere already."""
    browser_part("autofocus", _JS)(key=key, data={"label": label})
