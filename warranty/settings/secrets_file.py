"""The file that holds what is not in the environment: `.streamlit/secrets.toml` of the current folder."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from warranty.errors import SettingsProblem

SECRETS_FILE: Final = Path(".streamlit") / "secrets.toml"


def secrets_file() -> Mapping[str, object]:
    """Read it; no file is no secrets."""
    try:
        return tomllib.loads(SECRETS_FILE.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError):
        pass  # the parser's error quotes the line, which may hold a token
    raise SettingsProblem(f"{SECRETS_FILE.as_posix()} cannot be read as TOML.")
