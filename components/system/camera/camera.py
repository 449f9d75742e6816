"""A button beside a field that takes codes: the camera reads one, and it goes where a scanner's would.

It is there only where the browser has a camera and lends it to this page (docs/decisions/tills.md).
"""

from pathlib import Path
from typing import Final

import streamlit as st
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from components.platform.browser_part import BASE_CSS, BrowserPart
from components.platform.paths import path_of
from warranty.language import _

_HERE: Final = Path(__file__).parent
_JS: Final = _HERE.joinpath("camera.js").read_text(encoding="utf-8")
_HTML: Final = """
<button type="button" hidden>
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d="M4 8h3l2-3h6l2 3h3v11H4z"/><circle cx="12" cy="13" r="3.5"/>
  </svg>
</button>
<dialog>
  <video muted playsinline></video>
  <p role="status"></p>
  <form method="dialog"><button></button></form>
</dialog>
"""
_CSS: Final = (
    BASE_CSS
    + """
button { min-width: 3rem; min-height: 3rem; padding: 0 0.75rem; margin-left: 0.75rem; }
button[hidden] { display: none; }
svg { display: block; width: 1.5rem; height: 1.5rem; }
video { display: block; width: 100%; max-height: 60vh; aspect-ratio: 4 / 3; object-fit: cover; background: #000; }
p { margin: 0.75rem 0; min-height: 1.5rem; overflow-wrap: anywhere; }
form button { width: 100%; margin: 0; }
"""
)
_CAMERA: Final = BrowserPart("camera", _JS, _HTML, _CSS)


def camera_button() -> None:
    """Draw it. A product's code goes into the basket on the screen, anything else to the key router of the page."""
    words = {
        "open": _("Scan by camera"),
        "close": _("Close"),
        "waits": _("Waiting for the camera. The browser may ask whether this page may use it."),
        "hold": _("Hold the code in front of the camera."),
        "read": _("Read {code}"),
        "refused": _("The browser does not allow the camera here. Allow it beside the address, then try again."),
        "none": _("The camera cannot be used now: another program may have it. Close that, then try again."),
        "lost": _("The code reader did not load. Check the connection and try again, or type the code."),
    }
    with st.container(key="camera", width="content"):
        _CAMERA.draw(key="camera-part", data={"words": words}, width="content")


def camera_routes() -> list[Mount]:
    """Where the browser fetches the library that reads codes: from here, never from outside the shop."""
    return [Mount(path_of("camera/reader"), StaticFiles(directory=_HERE / "reader"))]
