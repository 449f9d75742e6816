"""The control routes of the sandbox, for training and for trying what the dashboard does when the service fails."""

import logging
import ssl
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final

import httpx

from warranty.clock import utc_now
from warranty.database.background import Background
from warranty.language import N_

OPERATIONS: Final = {
    "submit_order": N_("Sending an order"),
    "record_sale": N_("Recording a sale"),
    "notify_checkout": N_("Notifying a checkout"),
    "claims": N_("Reading claims"),
    "verify_credentials": N_("Checking the tokens"),
}
FAULTS: Final = {
    "status": N_("answers 500"),
    "delay": N_("slow answer"),
    "drop_before_write": N_("connection lost before anything was done"),
    "drop_after_write": N_("done, but connection lost before the answer"),
    "truncated_body": N_("half an answer"),
    "not_json": N_("answers something unreadable"),
}


_SOON: Final = timedelta(seconds=5)
_log = logging.getLogger(__name__)
Silent: Final = httpx.HTTPError


class SandboxControl:
    """Speaks to the control routes, over verified TLS; raises `Silent` when the sandbox does not answer."""

    def __init__(self, base_url: str, *, ca_file: str | None) -> None:
        context = ssl.create_default_context(cafile=ca_file)
        self._client = httpx.Client(base_url=base_url, verify=context, timeout=5.0, trust_env=False)

    def reset(self) -> None:
        """Back to the first day: the demo orders and claims, no faults."""
        self._client.post("/_sandbox/reset").raise_for_status()
        self.follow()

    def add_fault(self, operation: str, kind: str, *, times: int = 1, seconds: float = 0, status: int = 500) -> None:
        """Let the next `times` calls of an operation meet a fault."""
        fault = {"operation": operation, "kind": kind, "times": times, "seconds": seconds, "status": status}
        self._client.post("/_sandbox/faults", json=fault).raise_for_status()

    def clear_faults(self) -> None:
        """Forget the faults that no call has met yet."""
        self._client.delete("/_sandbox/faults").raise_for_status()

    def waiting_faults(self) -> Sequence[dict[str, Any]]:
        """The faults that no call has met yet."""
        waiting: list[dict[str, Any]] = self._read("/_sandbox/faults")["faults"]
        return waiting

    def outbox(self) -> Sequence[dict[str, Any]]:
        """The mails and text messages that the service would have sent, newest first."""
        sent: list[dict[str, Any]] = self._read("/_sandbox/outbox")
        return sent[::-1]

    def evening(self, days_ago: int) -> bytes:
        """All claims as they stood so many days ago, as the service's own answer has them."""
        return self._client.get("/_sandbox/evening", params={"days_ago": days_ago}).raise_for_status().content

    def advance(self, seconds: float) -> None:
        """Move the sandbox's clock on."""
        self._client.post("/_sandbox/clock", json={"advance_seconds": seconds}).raise_for_status()
        self.follow()

    def follow(self) -> datetime:
        """Have this desk go by the sandbox's clock; gives it, aware."""
        now = datetime.fromisoformat(self._read("/_sandbox/clock")["now"])
        utc_now.follow(now)
        return now

    def following(self) -> Background:
        """Go on following: another desk may move it."""

        def follow() -> None:
            with suppress(Silent, ValueError, LookupError, TypeError):  # a service without such a route
                self.follow()

        going_on = Background("sandbox-clock", follow, every=_SOON, log=_log, fault="no time", at_once=True)
        going_on.start()
        return going_on

    def _read(self, path: str) -> Any:
        return self._client.get(path).raise_for_status().json()

    def close(self) -> None:
        """Give the connections back."""
        self._client.close()
