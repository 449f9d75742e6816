"""What the environments are called, and what each is for, wherever one is named."""

from collections.abc import Mapping
from typing import Final

from warranty.language import N_

ENVIRONMENTS: Final[Mapping[str, tuple[str, str]]] = {
    "sandbox": (N_("Sandbox"), N_("for training, nothing is real")),
    "staging": (N_("Staging"), N_("for tests, not for customers")),
    "production": (N_("Production"), N_("for customers")),
}
"""Marked for translation: its name, and its meaning."""
