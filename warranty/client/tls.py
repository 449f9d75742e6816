"""TLS: whom we trust, and what a service shows of itself (interface: all traffic is HTTPS)."""

import contextlib
import socket
import ssl
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import httpx

from warranty.errors import SettingsProblem

_HTTPS_PORT: Final = 443


def trust(verify: ssl.SSLContext | Path | str | None) -> ssl.SSLContext:
    """Give a context that verifies: the one given, one of a PEM file, or for None one of the usual authorities.

    Raises `SettingsProblem` for a file that cannot be read and for a context that does not verify.
    """
    if verify is None:
        return httpx.create_ssl_context(trust_env=False)
    if isinstance(verify, ssl.SSLContext):
        if verify.verify_mode is not ssl.CERT_REQUIRED or not verify.check_hostname:
            raise SettingsProblem(
                "The TLS context does not verify the service's certificate: use one that does."
            )
        return verify
    if not isinstance(verify, (str, Path)):
        raise SettingsProblem(
            "The service's certificate is always verified: give a TLS context or a PEM file."
        )
    with contextlib.suppress(OSError, ssl.SSLError):
        return ssl.create_default_context(cafile=str(verify))
    raise SettingsProblem(f"The CA file {verify} cannot be read as PEM: check WARRANTY_CA_FILE.")


@dataclass(frozen=True, slots=True)
class Handshake:
    """A handshake that succeeded: the protocol's version, the certificate's last day, and the time it took."""

    version: str
    expires: datetime
    elapsed: timedelta


class TlsProblem(Exception):
    """There is no trusted connection; the text says why, for whoever runs the program."""


def handshake(base_url: str, context: ssl.SSLContext, *, timeout: timedelta) -> Handshake:
    """Connect to the host of an https address and shake hands; raises `TlsProblem` with the reason."""
    url = httpx.URL(base_url)
    address = (url.host, url.port or _HTTPS_PORT)
    started = time.perf_counter()
    try:
        with (
            socket.create_connection(address, timeout=timeout.total_seconds()) as connection,
            context.wrap_socket(connection, server_hostname=url.host) as secured,
        ):
            elapsed = timedelta(seconds=time.perf_counter() - started)
            certificate = secured.getpeercert() or {}
            version = secured.version() or "TLS"
    except ssl.SSLCertVerificationError as error:
        problem = f"the certificate is not trusted: {error.verify_message}"
    except (ssl.SSLError, UnicodeError):
        problem = "the host does not speak TLS as it should"
    except socket.gaierror:
        problem = "the host has no address: its name may be misspelt, or there is no network"
    except TimeoutError:
        problem = "the host does not answer"
    except OSError as error:
        problem = f"no connection: {error.strerror or 'the network failed'}"
    else:
        seconds = ssl.cert_time_to_seconds(str(certificate["notAfter"]))
        return Handshake(version, datetime.fromtimestamp(seconds, UTC), elapsed)
    raise TlsProblem(problem)
