"""The settings, by feature: each field is the variable WARRANTY_<FIELD>."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict

from warranty.client.credentials import AUTHORIZATION
from warranty.client.resources.claims import CLOSED_WORDS
from warranty.client.resources.landing import landing_page_url
from warranty.errors import SettingsProblem
from warranty.language import N_, Language
from warranty.places.countries import states
from warranty.settings import values as kind
from warranty.settings.secrets_file import SECRETS_FILE
from warranty.settings.single_sign_on import GroupRoles, GroupStores

Environment = Literal["sandbox", "staging", "production"]

PREFIX: Final = "WARRANTY_"
NEEDED: Final = ("base_url", "private_token", "public_token")
NEEDED_FOR: Final = {
    "smtp_host": "alert_mail_to",
    "smtp_from": "alert_mail_to",
    "smtp_password": "smtp_user",
    "alert_webhook_secret": "alert_webhook",
}
MISSING: Final = "warranty_missing"
_SANDBOXS: Final = ("sandbox-private-", "sandbox-public-")


@dataclass(frozen=True, slots=True)
class ServiceAccess:
    """What it takes to call the service: its address and the account's two tokens."""

    base_url: str
    private_token: SecretStr
    public_token: SecretStr


def variable(field: str) -> str:
    """Give the name of a field's variable."""
    return f"{PREFIX}{field.upper()}"


def missing_sentence(fields: Sequence[str]) -> str:
    """Say which variables of these fields are to be set before the service can be called."""
    names = [variable(name) for name in fields]
    listed = " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
    return f"Set {listed} to call the warranty service (in the environment or in {SECRETS_FILE.as_posix()})."


def setting(default: Any, description: str, **bounds: Any) -> Any:
    """A field; where the default is a function, it is given what was read before."""
    given = {"default_factory" if callable(default) else "default": default}
    return Field(description=description, **given, **bounds)


class _Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
        validate_default=True,
    )


class ServiceSettings(_Settings):
    """Where the service is, and what it takes to call it."""

    environment: Environment = setting("sandbox", "`sandbox`, `staging` or `production`")
    base_url: kind.HttpsAddress | None = setting(None, "Address of the warranty service, https only")
    landing_url: kind.HttpAddress | None = setting(None, "Base address of the customers' landing pages")
    retailer_uuid: str | None = setting(None, "The retailer's id, from the partner dashboard")
    private_token: SecretStr | None = setting(None, "The account's private token")
    public_token: SecretStr | None = setting(None, "The account's public token, for claims")
    public_token_header: str = setting(AUTHORIZATION, "Header in which the public token travels")
    ca_file: str | None = setting(None, "PEM file of the authorities to trust instead of the usual ones")
    outbound_proxy: kind.ProxyAddress | None = setting(
        None, "Proxy of all calls of the service, not of mails and webhook"
    )
    connect_timeout: kind.Seconds = setting(timedelta(seconds=5), "Seconds to wait for a connection")
    read_timeout: kind.Seconds = setting(timedelta(seconds=20), "Seconds to wait for an answer")
    purchase_warranties_path: kind.ServicePath | None = setting(
        None, "Path of the call for an order's plans; not used without it"
    )
    offers_path: kind.ServicePath | None = setting(None, "Path of the call for a product's offers; not used without it")

    @field_validator(*NEEDED, mode="after")
    @classmethod
    def _is_there(cls, value: Any, info: ValidationInfo) -> Any:
        read = info.data | {str(info.field_name): value}
        embedded = read.get("environment") == "sandbox" and read.get("base_url", "") is None
        if value is None and not embedded:
            raise PydanticCustomError(MISSING, "is missing")
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
            raise kind.wrong(
                "is a sandbox's token: copy the account's own from the settings tab of the partner dashboard"
            )
        return value

    @field_validator("landing_url", mode="after")
    @classmethod
    def _is_opened_over_tls(cls, value: str | None, info: ValidationInfo) -> str | None:
        trains = info.data.get("environment") == "sandbox"
        is_here = value is not None and urlsplit(value).hostname in kind.THIS_MACHINE
        if value is not None and not trains and not is_here and value.startswith("http:"):
            raise kind.wrong("must begin with https://: customers open it")
        return value

    @property
    def uses_embedded_sandbox(self) -> bool:
        """Whether the addresses and tokens are still to come from the embedded stand-in."""
        return self.environment == "sandbox" and self.base_url is None

    @property
    def is_for_training(self) -> bool:
        """Whether the accounts that everybody knows may be used: only where the sandbox runs on this machine."""
        is_here = self.base_url is None or urlsplit(self.base_url).hostname in kind.THIS_MACHINE
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

    def service_access(self) -> ServiceAccess:
        """Give the address and the tokens; raises `SettingsProblem` before the sandbox is put in."""
        if self.base_url is None or self.private_token is None or self.public_token is None:
            raise SettingsProblem(missing_sentence([name for name in NEEDED if getattr(self, name) is None]))
        return ServiceAccess(self.base_url, self.private_token, self.public_token)


class StorageSettings(_Settings):
    """Where things lie, and how long."""

    data_dir: Path = setting(Path("data"), "Folder of the files that the desk keeps")
    journal_url: str = setting(
        lambda given: f"sqlite:///{(given['data_dir'] / 'journal.sqlite3').as_posix()}",
        "Database of the journal: a SQLite file in the data folder, or a postgresql:// URL",
        repr=False,
    )
    accounts: Path = setting(
        lambda given: given["data_dir"] / "accounts.yaml", "Accounts file of earlier versions, for `accounts import`"
    )
    audit_secret: kind.AuditSecret | None = setting(None, "Secret that seals the audit trail; else one of the database")
    history_dir: Path = setting(
        lambda given: given["data_dir"] / "history",
        "Folder of the nights: all claims as they stood, kept by `history take`",
    )
    history_days: int = setting(730, "Days after which a night is removed", ge=1)
    retention_days: int = setting(730, "Days after which entries are removed", ge=1)
    draft_retention_days: int = setting(14, "Days after which an unfinished draft is erased", ge=1)

    @property
    def retention(self) -> timedelta:
        """How long entries of the journal are kept."""
        return timedelta(days=self.retention_days)

    @property
    def draft_retention(self) -> timedelta:
        """How long an unfinished draft is kept."""
        return timedelta(days=self.draft_retention_days)


class ShopSettings(_Settings):
    """What the shop sells, and how it calls itself."""

    shop_name: str = setting("Our shop", "The shop's name on slips and messages")
    shop_language: Language = setting("en", "Language of alert mails and of the monthly report: `en` or `es`")
    shop_logo: kind.Picture | None = setting(None, "Picture on top of slips, PNG or SVG")
    slip_width: kind.SlipWidth = setting("A5", "What slips are printed on: `A5`, `80` or `58`")
    country: kind.CountryCode = setting("US", "Country that address forms begin with")
    state: kind.StateCode = setting("", "State that address forms begin with, by its code, such as `NY`")
    currency: kind.CurrencyCode = setting("USD", "Currency of prices")
    terms: kind.Terms = setting((12, 24, 36), "Terms in months, offered where an order's plans are not known")
    catalogue: Path | None = setting(None, "Product catalogue, CSV or XLSX")
    price_list: Path | None = setting(None, "Usual prices of warranties, CSV or XLSX")
    merchants: kind.Merchants = setting((), "Merchants that the retailer sells for: `id=name,id=name`")
    aftermarket: bool = setting(False, "Show the fields of the manufacturer's warranty on a checkout")
    import_concurrency: int = setting(4, "Orders sent at once, of each import", ge=1, le=32)

    @field_validator("state")
    @classmethod
    def _is_in_its_country(cls, value: str, info: ValidationInfo) -> str:
        country = info.data.get("country")
        if value and country and value not in states(country):
            raise kind.wrong(f"must be the code of a state of {country}")
        return value


class ClaimsSettings(_Settings):
    """How claims are read and called."""

    closed_statuses: kind.Words = setting(
        lambda given: CLOSED_WORDS[given.get("environment") == "sandbox"],
        "Statuses that mean a claim is closed: `word,word`; any other is open",
    )
    claims_pace: Literal["adaptive", "fixed"] = setting(
        "adaptive", "`adaptive`: as fast as the service shows it can, up to the two below; `fixed`: as those"
    )
    claims_concurrency: int = setting(16, "Claims calls at once, of each desk", ge=1, le=32)
    claims_calls_per_second: float = setting(
        40.0, "Claims calls a second at most, of all desks together", gt=0, le=1000
    )


class SignInSettings(_Settings):
    """Who comes in, and for how long: passwords, the shop's own provider, tills."""

    sign_in_hours: float = setting(12, "Hours after which a sign-in ends, whatever is done under it", gt=0, le=12)
    sign_in_idle_minutes: int = setting(30, "Minutes after which a sign-in ends under which nobody works", ge=1, le=720)
    second_factor_roles: kind.Roles = setting((), "Roles that give a code of an app after the password: `manager`")
    trusted_proxies: kind.Networks = setting((), "Proxies whose X-Forwarded-For is believed: `127.0.0.1,10.0.0.0/8`")
    sso: Literal["off", "beside", "only"] = setting(
        "off", "Sign-in by the provider of `[auth]`: `beside` the form, `only`, or `off`; `beside` with `[auth]`"
    )
    sso_name: str | None = setting(None, "The provider's name on the button")
    sso_roles: GroupRoles = setting((), "Roles of the provider's groups, the first that fits: `group=role,group=role`")
    sso_stores: GroupStores = setting((), "Home stores of the provider's groups: `group=store`")
    sso_groups_claim: str = setting("groups", "Claim of the provider's token that lists the groups")
    till_lock_seconds: int = setting(60, "Seconds without a touch until a till's screen locks; 0: never", ge=0, le=3600)
    till_lock_after_sale: bool = setting(True, "A till's screen locks by itself after a sale")


class AlertSettings(_Settings):
    """Who is told of trouble, and how."""

    alert_mail_to: kind.MailAddresses = setting((), "Who is mailed when something is wrong, and monthly")
    smtp_host: kind.HostName | None = setting(None, "Server that takes the desk's mail, over TLS only")
    smtp_port: int = setting(587, "Its port: 465 speaks TLS at once, others by STARTTLS", ge=1, le=65535)
    smtp_user: str | None = setting(None, "The name to sign in with there; without it nobody signs in")
    smtp_password: SecretStr | None = setting(None, "Its password")
    smtp_from: kind.MailAddress | None = setting(None, "The address that the desk's mail comes from")
    alert_webhook: kind.WebhookAddress | None = setting(None, "Address posted to when something is wrong, and monthly")
    alert_webhook_secret: kind.SigningSecret | None = setting(None, "What it is signed with: whsec_…")
    alert_file: Path | None = setting(None, "File that a line is added to instead, or as well")
    alert_ca_file: str | None = setting(None, "PEM file of the authorities to trust for mail and webhook instead")
    alert_unknown_minutes: int = setting(30, "Minutes after which an unknown entry is told of", ge=1)

    @field_validator(*NEEDED_FOR, mode="after")
    @classmethod
    def _is_there_where_needed(cls, value: Any, info: ValidationInfo) -> Any:
        needed_for = NEEDED_FOR[str(info.field_name)]
        if value is None and info.data.get(needed_for):
            raise kind.wrong(f"is missing: {variable(needed_for)} needs it")
        return value

    @field_validator("alert_webhook", mode="after")
    @classmethod
    def _goes_over_tls(cls, value: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        trains = info.data.get("environment") == "sandbox"
        if value is not None and not trains and value.get_secret_value().startswith("http:"):
            raise kind.wrong("must begin with https://")
        return value

    @property
    def alert_ways(self) -> tuple[str, ...]:
        """The names of the ways by which the desk tells of trouble without a browser."""
        ways = {"mail": self.alert_mail_to, "webhook": self.alert_webhook, "file": self.alert_file}
        return tuple(name for name, is_set in ways.items() if is_set)


class RunningSettings(_Settings):
    """How a process ends, and what a monitor reads of it."""

    drain_seconds: int = setting(
        lambda given: 0 if given.get("environment") == "sandbox" else 5,
        "Seconds between SIGTERM and the end in which a proxy sees that people go elsewhere",
        ge=0,
        le=600,
    )
    metrics_port: int | None = setting(None, "Port on which a Prometheus reads figures; else none", ge=1, le=65535)
    metrics_address: kind.HostName = setting("127.0.0.1", "Address of this machine that it listens on")


class Features(
    RunningSettings, AlertSettings, SignInSettings, ClaimsSettings, ShopSettings, StorageSettings, ServiceSettings
):
    """All of them. Fields are read from the last feature to the first: all may ask the environment."""
