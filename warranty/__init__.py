"""All that Warranty Desk knows about the warranty service; no Streamlit in here."""

from pathlib import Path
from typing import Final

VERSION = "0.1.0"
"""Of the product; pyproject.toml reads it here."""

COMMAND: Final = "warranty-desk" if Path(__file__).parents[1].name == "warranty_desk" else "python -m warranty"
"""What a person types before a command: from a wheel (launch.py), or in the repository."""
