"""All that Warranty Desk knows about the warranty service; no Streamlit in here."""

VERSION = "0.1.0"
