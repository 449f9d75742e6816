"""The settings: `WARRANTY_*` in the environment, over the same names in `.streamlit/secrets.toml`.

Without any, the environment is `sandbox` and the addresses and tokens come from the embedded stand-in. No
error and no repr shows a token, and the settings are not pickled.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, NoReturn
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from warranty.client.credentials import AUTHORIZATION
from warranty.client.resources.claims import CLOSED_WORDS
from warranty.client.resources.landing import landing_page_url
from warranty.client.resources.words import is_blank
from warranty.errors import SettingsProblem
from warranty.language import N_, Language, _
from warranty.settings.secrets_file import SECRETS_FILE, secrets_file
from warranty.settings.single_sign_on import SAID, GroupRoles, GroupStores, sign_on_faults
from warranty.settings.values import (
    AuditSecret,
    CountryCode,
    CurrencyCode,
    HostName,
    HttpAddress,
    HttpsAddress,
    MailAddress,
    MailAddresses,
    Merchants,
    Networks,
    Picture,
    ProxyAddress,
    Roles,
    Seconds,
    ServicePath,
    SigningSecret,
    SlipWidth,
    Terms,
    WebhookAddress,
    Words,
)

Environment = Literal["sandbox", "staging", "production"]

PREFIX: Final = "WARRANTY_"
_NEEDED: Final = ("base_url", "private_token", "public_token")
_NEEDED_FOR: Final = {
    "smtp_host": "alert_mail_to",
    "smtp_from": "alert_mail_to",
    "smtp_password": "smtp_user",
    "alert_webhook_secret": "alert_webhook",
}
_SECRETS: Final = ("_token", "_password", "_secret", "_webhook", "_proxy")
_MISSING: Final = "warranty_missing"
_SANDBOXS: Final = ("sandbox-private-", "sandbox-public-")
_THIS_MACHINE: Final = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class ServiceAccess:
    """What it takes to call the service: its address and the account's two tokens."""

    base_url: str
    private_token: SecretStr
    public_token: SecretStr


class Settings(BaseSettings):
    """Everything that can be set: each field is the variable WARRANTY_<FIELD>."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
        validate_default=True,
    )

    environment: Environment = Field("sandbox", description="`sandbox`, `staging` or `production`")
    base_url: HttpsAddress | None = Field(None, description="Address of the warranty service, https only")
    landing_url: HttpAddress | None = Field(None, description="Base address of the customers' landing pages")
    retailer_uuid: str | None = Field(None, description="The retailer's id, from the partner dashboard")
    private_token: SecretStr | None = Field(None, description="The account's private token")
    public_token: SecretStr | None = Field(None, description="The account's public token, for claims")
    public_token_header: str = Field(AUTHORIZATION, description="Header in which the public token travels")
    ca_file: str | None = Field(None, description="PEM file of the authorities to trust instead of the usual ones")
    outbound_proxy: ProxyAddress | None = Field(
        None, description="Proxy that every call of the service goes through (mail and webhook do not)"
    )
    connect_timeout: Seconds = Field(timedelta(seconds=5), description="Seconds to wait for a connection")
    read_timeout: Seconds = Field(timedelta(seconds=20), description="Seconds to wait for an answer")
    purchase_warranties_path: ServicePath | None = Field(
        None, description="Path of the call that tells what an order can still buy; not used without it"
    )
    offers_path: ServicePath | None = Field(
        None, description="Path of the call that gives offers for a product; not used without it"
    )
    data_dir: Path = Field(Path("data"), description="Folder of the files that the desk keeps")
    journal_url: str = Field(
        default_factory=lambda given: f"sqlite:///{(given['data_dir'] / 'journal.sqlite3').as_posix()}",
        repr=False,
        description="Database of the journal: a SQLite file in the data folder, or a postgresql:// URL",
    )
    accounts: Path = Field(
        default_factory=lambda given: given["data_dir"] / "accounts.yaml",
        description="Accounts file of earlier versions, for `accounts import`",
    )
    audit_secret: AuditSecret | None = Field(
        None, description="Secret that seals the audit trail; without it one that lies in the same database"
    )
    history_dir: Path = Field(
        default_factory=lambda given: given["data_dir"] / "history",
        description="Folder of the nights: all claims as they stood, kept by `history take`",
    )
    history_days: int = Field(730, ge=1, description="Days after which a night is removed")
    retention_days: int = Field(730, ge=1, description="Days after which entries are removed")
    draft_retention_days: int = Field(14, ge=1, description="Days after which an unfinished draft is erased")
    shop_name: str = Field("Our shop", description="The shop's name on slips and messages")
    shop_language: Language = Field("en", description="Language of alert mails and of the monthly report: `en` or `es`")
    shop_logo: Picture | None = Field(None, description="Picture on top of slips, PNG or SVG")
    slip_width: SlipWidth = Field("A5", description="What slips are printed on: `A5`, `80` or `58`")
    country: CountryCode = Field("US", description="Country that address forms begin with")
    currency: CurrencyCode = Field("USD", description="Currency of prices")
    terms: Terms = Field((12, 24, 36), description="Terms in months, offered where an order's plans are not known")
    catalogue: Path | None = Field(None, description="Product catalogue, CSV or XLSX")
    price_list: Path | None = Field(None, description="Usual prices of warranties, CSV or XLSX")
    merchants: Merchants = Field((), description="Merchants that the retailer sells for: `id=name,id=name`")
    aftermarket: bool = Field(False, description="Show the fields of the manufacturer's warranty on a checkout")
    closed_statuses: Words = Field(
        default_factory=lambda given: CLOSED_WORDS[given.get("environment") == "sandbox"],
        description="Statuses that mean a claim is closed: `word,word`; any other is open",
    )
    claims_concurrency: int = Field(4, ge=1, le=32, description="Claims calls at once, of each desk")
    claims_calls_per_second: float = Field(
        8.0, gt=0, le=1000, description="Claims calls in a second, at most, of all desks together"
    )
    import_concurrency: int = Field(4, ge=1, le=32, description="Orders sent at once, of each import")
    drain_seconds: int = Field(
        default_factory=lambda given: 0 if given.get("environment") == "sandbox" else 5,
        ge=0,
        le=600,
        description="Seconds between SIGTERM and the end in which a proxy sees that people go elsewhere",
    )
    sign_in_hours: float = Field(
        12, gt=0, le=12, description="Hours after which a sign-in ends, whatever is done under it"
    )
    sign_in_idle_minutes: int = Field(
        30, ge=1, le=720, description="Minutes after which a sign-in ends under which nobody works"
    )
    second_factor_roles: Roles = Field(
        (), description="Roles that give a code of an app after their password: `manager,administrator`"
    )
    sso: Literal["off", "beside", "only"] = Field(
        "off",
        description="Sign-in by the provider of `[auth]`: `beside` the form, `only`, or `off`; `beside` with `[auth]`",
    )
    sso_name: str | None = Field(None, description="The provider's name on the button")
    sso_roles: GroupRoles = Field(
        (), description="Roles of the provider's groups, the first that fits: `group=role,group=role`"
    )
    sso_stores: GroupStores = Field((), description="Home stores of the provider's groups: `group=store`")
    sso_groups_claim: str = Field("groups", description="Claim of the provider's token that lists the groups")
    till_lock_seconds: int = Field(
        60, ge=0, le=3600, description="Seconds without a touch after which a till's screen locks; 0: never"
    )
    till_lock_after_sale: bool = Field(True, description="A till's screen locks by itself after a sale")
    alert_mail_to: MailAddresses = Field((), description="Who is mailed when something is wrong, and each month")
    smtp_host: HostName | None = Field(None, description="Server that takes the desk's mail, over TLS only")
    smtp_port: int = Field(587, ge=1, le=65535, description="Its port: 465 speaks TLS at once, others by STARTTLS")
    smtp_user: str | None = Field(None, description="The name to sign in with there; without it nobody signs in")
    smtp_password: SecretStr | None = Field(None, description="Its password")
    smtp_from: MailAddress | None = Field(None, description="The address that the desk's mail comes from")
    alert_webhook: WebhookAddress | None = Field(
        None, description="Address that is posted to when something is wrong, and each month"
    )
    alert_webhook_secret: SigningSecret | None = Field(None, description="What it is signed with: whsec_…")
    alert_file: Path | None = Field(None, description="File that a line is added to instead, or as well")
    alert_ca_file: str | None = Field(
        None, description="PEM file of the authorities to trust for mail and webhook instead of the usual ones"
    )
    alert_unknown_minutes: int = Field(30, ge=1, description="Minutes after which an unknown entry is told of")
    trusted_proxies: Networks = Field(
        (), description="Proxies whose X-Forwarded-For is believed: addresses or networks, `127.0.0.1`"
    )
    metrics_port: int | None = Field(
        None, ge=1, le=65535, description="Port on which a Prometheus reads figures; none are kept without it"
    )
    metrics_address: HostName = Field("127.0.0.1", description="Address of this machine that it listens on")

    @model_validator(mode="before")
    @classmethod
    def _prepared(cls, given: Any) -> Any:
        """Blank is not set; a base URL without an environment is production, where every step asks for most care."""
        unless_said = {"environment": "production"} if not is_blank(given.get("base_url")) else {}
        return unless_said | {name: value for name, value in given.items() if not is_blank(value)}

    @field_validator(*_NEEDED, mode="after")
    @classmethod
    def _is_there(cls, value: Any, info: ValidationInfo) -> Any:
        read = info.data | {str(info.field_name): value}
        embedded = read.get("environment") == "sandbox" and read.get("base_url", "") is None
        if value is None and not embedded:
            raise PydanticCustomError(_MISSING, "is missing")
        if value is not None and info.field_name == "public_token" and value == read.get("private_token"):
            raise PydanticCustomError(
                "warranty_tokens",
                "WARRANTY_PRIVATE_TOKEN and WARRANTY_PUBLIC_TOKEN are the same: an account has two tokens.",
            )
        return value

    @field_validator("private_token", "public_token", mode="after")
    @classmethod
    def _is_no_sandboxs(cls, value: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        trains = info.data.get("environment") == "sandbox"
        if value is not None and not trains and value.get_secret_value().strip().startswith(_SANDBOXS):
            raise PydanticCustomError(
                "warranty_setting",
                "is a sandbox's token: copy the account's own from the settings tab of the partner dashboard",
            )
        return value

    @field_validator("landing_url", mode="after")
    @classmethod
    def _is_opened_over_tls(cls, value: str | None, info: ValidationInfo) -> str | None:
        trains = info.data.get("environment") == "sandbox"
        is_here = value is not None and urlsplit(value).hostname in _THIS_MACHINE
        if value is not None and not trains and not is_here and value.startswith("http:"):
            raise PydanticCustomError("warranty_setting", "must begin with https://: customers open it")
        return value

    @field_validator(*_NEEDED_FOR, mode="after")
    @classmethod
    def _is_there_where_needed(cls, value: Any, info: ValidationInfo) -> Any:
        needed_for = _NEEDED_FOR[str(info.field_name)]
        if value is None and info.data.get(needed_for):
            raise PydanticCustomError("warranty_setting", f"is missing: {variable(needed_for)} needs it")
        return value

    @field_validator("alert_webhook", mode="after")
    @classmethod
    def _goes_over_tls(cls, value: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        trains = info.data.get("environment") == "sandbox"
        if value is not None and not trains and value.get_secret_value().startswith("http:"):
            raise PydanticCustomError("warranty_setting", "must begin with https://")
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Let the environment stand over what is given (secrets.toml), and read no other source."""
        return env_settings, init_settings

    @property
    def retention(self) -> timedelta:
        """How long entries of the journal are kept."""
        return timedelta(days=self.retention_days)

    @property
    def draft_retention(self) -> timedelta:
        """How long an unfinished draft is kept."""
        return timedelta(days=self.draft_retention_days)

    @property
    def alert_ways(self) -> tuple[str, ...]:
        """The names of the ways by which the desk tells of trouble without a browser."""
        ways = {"mail": self.alert_mail_to, "webhook": self.alert_webhook, "file": self.alert_file}
        return tuple(name for name, is_set in ways.items() if is_set)

    @property
    def uses_embedded_sandbox(self) -> bool:
        """Whether the addresses and tokens are still to come from the embedded stand-in."""
        return self.environment == "sandbox" and self.base_url is None

    @property
    def is_for_training(self) -> bool:
        """Whether the accounts that everybody knows may be used: only where the sandbox runs on this machine."""
        is_here = self.base_url is None or urlsplit(self.base_url).hostname in _THIS_MACHINE
        return self.environment == "sandbox" and is_here

    @property
    def print_mark(self) -> str:
        """What stands on every printed page outside production, where nothing that is printed is worth anything."""
        return {"sandbox": N_("Training – not valid"), "staging": N_("Test – not valid")}.get(self.environment, "")

    @property
    def landing_page(self) -> Callable[[str], str] | None:
        """What builds the address of an order's landing page; None where what it takes is not set."""
        if not self.landing_url or not self.retailer_uuid:
            return None
        return partial(landing_page_url, self.landing_url, self.retailer_uuid)

    @property
    def consequences(self) -> tuple[str, ...]:
        """What the desk cannot do because a setting that it can live without is missing."""
        if self.uses_embedded_sandbox:
            return ()
        said = []
        if self.landing_page is None:
            said.append(
                _(
                    "Without WARRANTY_LANDING_URL and WARRANTY_RETAILER_UUID the desk shows the landing link as the "
                    "service gives it and cannot check it, nor build it for an order that another program sent."
                )
            )
        if self.purchase_warranties_path is None:
            said.append(
                _(
                    "Without WARRANTY_PURCHASE_WARRANTIES_PATH the desk knows an order's plans only from refusals "
                    "and WARRANTY_TERMS."
                )
            )
        return tuple(said)

    def service_access(self) -> ServiceAccess:
        """Give the address and the tokens; raises `SettingsProblem` before the sandbox is put in."""
        if self.base_url is None or self.private_token is None or self.public_token is None:
            raise SettingsProblem(_missing_sentence([name for name in _NEEDED if getattr(self, name) is None]))
        return ServiceAccess(self.base_url, self.private_token, self.public_token)

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
    said = list(sign_on_faults(auth, raw))
    faults: Sequence[Any] = ()
    try:
        settings = Settings(**({} if auth is None else {"sso": "beside"}) | given)
        if not said:
            return settings
    except ValidationError as error:
        faults = error.errors(include_input=False, include_url=False)
    missing = [str(fault["loc"][0]) for fault in faults if fault["type"] == _MISSING]
    told = [_sentence(fault) for fault in faults if fault["type"] not in {_MISSING, "default_factory_not_called"}]
    raise SettingsProblem(" ".join(told + ([_missing_sentence(missing)] if missing else []) + said))


def journal_as_set() -> tuple[str, str]:
    """The environment and the journal's URL as they are set, unchecked: to look on where other settings are wrong."""
    given, names = _given(secrets_file()), ("environment", "base_url", "data_dir", "journal_url")
    said = {name: os.environ.get(variable(name)) or given.get(name) for name in names}
    environment = said["environment"] or ("production" if said["base_url"] else "sandbox")
    kept = Path(str(said["data_dir"] or Settings.model_fields["data_dir"].default)) / "journal.sqlite3"
    return str(environment), str(said["journal_url"] or f"sqlite:///{kept.as_posix()}")


def unknown_names(overrides: Mapping[str, object]) -> tuple[str, ...]:
    """Give the `WARRANTY_*` names that are set and mean nothing, a typing error most likely."""
    named = {name for name in (*os.environ, *overrides) if name.startswith(PREFIX)}
    return tuple(sorted(name for name in named if name.removeprefix(PREFIX).lower() not in Settings.model_fields))


def variable(field: str) -> str:
    """Give the name of a field's variable."""
    return f"{PREFIX}{field.upper()}"


def _given(overrides: Mapping[str, object]) -> dict[str, Any]:
    named = {name.removeprefix(PREFIX).lower(): value for name, value in overrides.items()}
    given = {name: named[name] for name in Settings.model_fields if not is_blank(named.get(name))}
    return {
        name: SecretStr(value) if name.endswith(_SECRETS) and isinstance(value, str) else value
        for name, value in given.items()
    }


def _missing_sentence(fields: list[str]) -> str:
    names = [variable(name) for name in fields]
    listed = " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
    return f"Set {listed} to call the warranty service (in the environment or in {SECRETS_FILE.as_posix()})."


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
