"""The settings: `WARRANTY_*` in the environment, over the same names in `.streamlit/secrets.toml`."""

from warranty.settings.features import PREFIX, variable
from warranty.settings.secrets_file import secrets_file
from warranty.settings.service import client_from, token_calls
from warranty.settings.settings import Settings, journal_as_set, load_settings, unknown_names
