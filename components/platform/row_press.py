"""A press anywhere on a row of a table is one on its tick box, which is 14 pixels wide.

The platform can tell of chosen cells too, but also of those that the arrow keys go over, and of the first one when the
table gets the focus: each would open something (docs/platform-notes/table.md).
"""

from typing import Final

from components.platform.browser_part import BrowserPart

_JS: Final = """
const HEADING = 36, TICK_BOX = 16, TWICE = 300;
let last = { at: 0, y: 0 };

function press(event) {
  const table = event.target.closest?.('[class*="st-key-claims-table-"] [data-testid="stDataFrame"]');
  const scroller = table?.querySelector(".dvn-scroller");
  if (!event.isTrusted || event.button !== 0 || !scroller) return;
  if (!scroller.contains(event.target) && event.target.tagName !== "CANVAS") return;
  const box = scroller.getBoundingClientRect();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  if (y < HEADING || x > scroller.clientWidth || y > scroller.clientHeight) return;
  event.stopImmediatePropagation();
  if (event.type === "pointerdown") {
    // The second press of a double click would take the tick away before it was told.
    const again = event.timeStamp - last.at < TWICE && Math.abs(y - last.y) < 8;
    last = { at: event.timeStamp, y };
    if (again) return;
  }
  const { clientY, pointerId, pointerType, button, buttons } = event;
  const moved = { clientX: box.left + TICK_BOX, clientY, pointerId, pointerType, button, buttons };
  const told = new PointerEvent(event.type, { ...moved, bubbles: true, cancelable: true });
  if (!event.target.dispatchEvent(told)) event.preventDefault();
}

export default function () {
  // One function: what is added a second time is added once.
  for (const type of ["pointerdown", "pointerup"]) document.addEventListener(type, press, true);
}
"""
_PRESSES: Final = BrowserPart("row_press", _JS)


def press_anywhere_on_a_row() -> None:
    """Let a press anywhere on a row of the claims table tick it."""
    _PRESSES.unseen(key="row-press")
