"""What a browser fetches while the desk still thinks: the platform loads a field's code when the first one comes."""

import re
from pathlib import Path
from typing import Final

import streamlit as st

_PARTS: Final = ("BidiComponent", "Button", "ButtonGroup", "Html", "NumberInput", "Selectbox", "TextInput")
"""What the counter's screens are made of; a part that a later platform names otherwise is fetched as it always was."""
_IMPORTED: Final = re.compile(r"""(?:from|import)\s*[`"']\./([\w.-]+\.js)[`"']""")


def preloads(page: str) -> str:
    """The lines for the head of the platform's `page`: the parts' files, and what they need that it does not name."""
    folder = Path(st.__file__).parent / "static" / "static" / "js"  # platform: markup static/js
    found: list[str] = []
    left = [file.name for part in _PARTS for file in folder.glob(f"{part}.*.js")]
    while left:
        name = left.pop()
        if name not in found and f"/{name}" not in page:
            found.append(name)
            left += _IMPORTED.findall((folder / name).read_text(encoding="utf-8"))
    return "".join(f'<link rel="modulepreload" crossorigin href="./static/js/{name}">\n' for name in found)
