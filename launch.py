"""`warranty-desk`: the dashboard, or one of the commands, from an installed wheel.

All of the product lies beside this file, in the wheel in a folder of its own (docs/decisions/rooms.md). Streamlit
reads `.streamlit/config.toml` from beside the script that it is given; what the desk keeps, and its secrets, are in the
folder in which it is started.
"""

import importlib
import runpy
import sys
from pathlib import Path
from typing import Final

PRODUCT: Final = Path(__file__).resolve().parent


def main() -> int:
    """Run the command that is named; without one the dashboard, with all options handed on to Streamlit."""
    sys.path.insert(0, str(PRODUCT))
    commands = importlib.import_module("warranty.__main__")

    version = f"Warranty Desk {importlib.import_module('warranty').VERSION}"
    words = sys.argv[1:]
    if words == ["--version"]:
        sys.stdout.write(f"{version}\n")
    elif words and (not words[0].startswith("-") or words[0] in {"-h", "--help"}):
        return int(commands.main(words))
    else:
        sys.stderr.write(f"{version}, at work in {Path.cwd()}\n")
        sys.argv = ["streamlit", "run", str(PRODUCT / "app.py"), *words]
        runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
    return 0
