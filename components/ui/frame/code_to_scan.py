"""A QR code on a screen, for a phone that is held in front of it."""

import io

import streamlit as st

from warranty.files.printing.page import qr_code


def code_to_scan(text: str, *, alt: str, width: int = 180) -> bool:
    """Draw the code of a text dark on white with its quiet zone, whatever the theme; False where none holds it."""
    code, picture = qr_code(text), io.BytesIO()
    if code is None:
        return False
    code.save(picture, kind="svg", scale=24, border=4, dark="#000", light="#fff", xmldecl=False)
    st.image(picture.getvalue().decode(), width=width, alt=alt)
    return True
