"""The settings: `WARRANTY_*` in the environment, over the same names in `.streamlit/secrets.toml`."""

from warranty.settings.features import PREFIX, variable
from warranty.settings.secrets_file import secrets_file
from warranty.settings.settings import Settings, client_from, journal_as_set, load_settings, token_calls, unknown_names
