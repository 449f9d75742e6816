"""The settings: `WARRANTY_*` in the environment, over `.streamlit/secrets.toml`; the client that they describe.

Without any, the environment is `sandbox` and the addresses and tokens come from the embedded stand-in. No
error and no repr shows a token, and the settings are not pickled.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal, NoReturn

from pydantic import SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings
from pydantic_settings import PydanticBaseSettingsSource as Source

from warranty.client import Pacing, RetryBudget, Timeouts, WarrantyClient
from warranty.client.observer import Observer
from warranty.client.pacing import Tokens
from warranty.client.resources import ClaimQuery
from warranty.client.resources.words import is_blank
from warranty.errors import SettingsProblem
from warranty.language import _
from warranty.settings.features import MISSING, PREFIX, Features, missing_sentence, variable
from warranty.settings.secrets_file import secrets_file
from warranty.settings.single_sign_on import SAID, sign_on_faults

_SECRETS: Final = ("_token", "_password", "_secret", "_webhook", "_proxy")
_A_MOMENT: Final = datetime.fromisoformat("1970-01-01T00:00:00")


class Settings(Features):
    """Everything that can be set, as it is read."""

    @model_validator(mode="before")
    @classmethod
    def _prepared(cls, given: Any) -> Any:
        """Blank is not set; a base URL without an environment is production, where every step asks for most care."""
        defaults = {"environment": "production"} if not is_blank(given.get("base_url")) else {}
        return defaults | {name: value for name, value in given.items() if not is_blank(value)}

    @classmethod
    def settings_customise_sources(
        cls, settings_cls: type[BaseSettings], init_settings: Source, env_settings: Source, *_: Any, **_others: Any
    ) -> tuple[Source, ...]:
        """Let the environment stand over what is given (secrets.toml), and read no other source."""
        return env_settings, init_settings

    @property
    def consequences(self) -> tuple[str, ...]:
        """What the desk cannot do because a setting that it can live without is missing."""
        unchecked = _(
            "Without WARRANTY_LANDING_URL and WARRANTY_RETAILER_UUID the desk shows the landing link as the service "
            "gives it and cannot check it, nor build it for an order that another program sent."
        )
        unknown = _(
            "Without WARRANTY_PURCHASE_WARRANTIES_PATH the desk knows an order's plans only from refusals and "
            "WARRANTY_TERMS."
        )
        missing = {unchecked: self.landing_page is None, unknown: self.purchase_warranties_path is None}
        return tuple(each for each, is_so in missing.items() if is_so and not self.uses_embedded_sandbox)

    def with_sandbox(self, **access: str) -> "Settings":
        """Give the same settings pointed at a running sandbox, whose two assumed reads are known.

        `access` is what it says of itself: `base_url`, `landing_url`, `retailer_uuid`, both tokens and `ca_file`.
        """
        return self.model_copy(
            update={
                **_given(access),
                "outbound_proxy": None,  # it runs on this machine
                "purchase_warranties_path": self.purchase_warranties_path or "/api/purchase-warranties",
                "offers_path": self.offers_path or "/api/warranty-offers",
            }
        )

    def __reduce__(self) -> NoReturn:
        raise TypeError("Settings hold tokens, so they are not pickled: load them again.")


def load_settings(overrides: Mapping[str, object] | None = None) -> Settings:
    """Read the settings; `overrides` stands for secrets.toml, which is read where None is given.

    Names are those of the environment (`WARRANTY_BASE_URL`) or of the fields (`base_url`); the
    environment wins. A base URL without an environment means production, where every step asks for the
    most care. Raises `SettingsProblem`, which names everything that is missing or wrong at once and
    repeats no value.
    """
    read = secrets_file() if overrides is None else overrides
    given, auth = _given(read), read.get("auth")
    del overrides, read  # some tracebacks print what a function holds; from here on the tokens are wrapped
    raw = {name: os.environ.get(variable(name)) or given.get(name) for name in SAID}
    sign_on = list(sign_on_faults(auth, raw))
    faults: Sequence[Any] = ()
    try:
        settings = Settings(**({} if auth is None else {"sso": "beside"}) | given)
        if not sign_on:
            return settings
    except ValidationError as error:
        faults = error.errors(include_input=False, include_url=False)
    missing = [str(fault["loc"][0]) for fault in faults if fault["type"] == MISSING]
    sentences = [_sentence(fault) for fault in faults if fault["type"] not in {MISSING, "default_factory_not_called"}]
    raise SettingsProblem(" ".join(sentences + ([missing_sentence(missing)] if missing else []) + sign_on))


def journal_as_set() -> tuple[str, str]:
    """The environment and the journal's URL as they are set, unchecked: to look on where other settings are wrong."""
    given, names = _given(secrets_file()), ("environment", "base_url", "data_dir", "journal_url")
    values = {name: os.environ.get(variable(name)) or given.get(name) for name in names}
    environment = values["environment"] or ("production" if values["base_url"] else "sandbox")
    file = Path(str(values["data_dir"] or Settings.model_fields["data_dir"].default)) / "journal.sqlite3"
    return str(environment), str(values["journal_url"] or f"sqlite:///{file.as_posix()}")


def unknown_names(overrides: Mapping[str, object]) -> tuple[str, ...]:
    """Give the `WARRANTY_*` names that are set and mean nothing, a typing error most likely."""
    named = {name for name in (*os.environ, *overrides) if name.startswith(PREFIX)}
    return tuple(sorted(name for name in named if name.removeprefix(PREFIX).lower() not in Settings.model_fields))


def _given(overrides: Mapping[str, object]) -> dict[str, Any]:
    named = {name.removeprefix(PREFIX).lower(): value for name, value in overrides.items()}
    given = {name: named[name] for name in Settings.model_fields if not is_blank(named.get(name))}
    return {
        name: SecretStr(value) if name.endswith(_SECRETS) and isinstance(value, str) else value
        for name, value in given.items()
    }


def _sentence(fault: Mapping[str, Any]) -> str:
    name = variable(str(fault["loc"][0])) if fault["loc"] else "A setting"
    kind = fault["type"]
    if kind == "warranty_tokens":
        return str(fault["msg"])
    if kind == "warranty_setting":
        return f"{name} {fault['msg']}."
    if kind == "literal_error":
        return f"{name} must be {fault['ctx']['expected']}."
    if kind in {"greater_than", "greater_than_equal", "less_than_equal"}:
        return f"{name} is out of range: {fault['msg'].lower()}."
    return f"{name} cannot be read: {fault['msg'].lower()}."


def token_calls(
    settings: Settings, client: WarrantyClient
) -> Sequence[tuple[Literal["private", "public"], SecretStr, Callable[[], object]]]:
    """Each of the account's tokens with a call that shows whether the service takes it, and writes nothing."""
    access, a_moment = settings.service_access(), ClaimQuery(claim_dates=(_A_MOMENT, _A_MOMENT))
    return (
        ("private", access.private_token, client.verify_credentials),
        ("public", access.public_token, lambda: client.claims(a_moment)),
    )


def client_from(
    settings: Settings, shared: Tokens | None = None, *, observer: Observer | None = None
) -> WarrantyClient:
    """Make the client that the settings describe; raises `SettingsProblem` where they are not complete.

    `shared` is what all desks have left for repeats; without it this process keeps a budget of its own.
    """
    access = settings.service_access()
    return WarrantyClient(
        access.base_url,
        private_token=access.private_token,
        public_token=access.public_token,
        public_token_header=settings.public_token_header,
        timeouts=Timeouts(connect=settings.connect_timeout, read=settings.read_timeout),
        pacing=Pacing(budget=RetryBudget(shared)),
        verify=settings.ca_file,
        proxy=settings.outbound_proxy,
        purchase_warranties_path=settings.purchase_warranties_path,
        offers_path=settings.offers_path,
        observer=observer,
    )
