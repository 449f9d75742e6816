"""Debian's nginx with the sample of deploy/nginx, in front of replicas on this machine."""

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event
from typing import Final, Self

import trustme

from deploy.nginx.replicas import replicas_conf
from deploy.up.machine import ROOT, Started, free_port, own_folder, program, servant, started_as

SAMPLE: Final = ROOT / "deploy" / "nginx" / "warranty-desk.conf"
_START_SECONDS: Final = 30
_MAIN: Final = """\
pid {home}/nginx.pid;
worker_processes 2;
worker_rlimit_nofile 8192;
error_log {home}/error.log;
events {{ worker_connections 4096; }}
http {{
    include /etc/nginx/mime.types;
    access_log {home}/access.log;
    client_body_temp_path {home}/body;
    proxy_temp_path {home}/proxy;
    fastcgi_temp_path {home}/fastcgi;
    uwsgi_temp_path {home}/uwsgi;
    scgi_temp_path {home}/scgi;
    include {home}/replicas.conf;
    include {home}/warranty-desk.conf;
}}
"""


class Proxy(Started):
    """nginx with HTTPS in front of `ports` of 127.0.0.1, as a user without rights where we are root.

    `url` is what to open, `ca_file` the authority that signed its certificate, `http_url` the port that only points on.
    """

    def __init__(self, ports: Sequence[int]) -> None:
        self._user = servant("www-data")
        self.home = own_folder("nginx", self._user)
        self.port, self.http_port = free_port(), free_port()
        self.url = f"https://localhost:{self.port}"
        self.http_url = f"http://127.0.0.1:{self.http_port}"
        self.ca_file = self.home / "authority.pem"
        self._replicas = [f"127.0.0.1:{port}" for port in ports]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def errors(self) -> str:
        """nginx's log of errors."""
        return self._read("error.log")

    def write(self) -> None:
        """Make a certificate, and fill the sample."""
        write_certificate(self.home, self._user)
        self._write("replicas.conf", replicas_conf(self._replicas))
        self._write("warranty-desk.conf", self._filled_sample())
        self._write("nginx.conf", _MAIN.format(home=self.home))

    def start(self) -> Self:
        """Write the configuration, start, and wait until it listens."""
        self.write()
        self.check()
        self._process = subprocess.Popen(
            [*self._nginx, "-g", "daemon off;"], stderr=subprocess.DEVNULL, process_group=0, **started_as(self._user)
        )
        deadline, pause = time.monotonic() + _START_SECONDS, Event()
        while not listens(self.port):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"nginx did not start:\n{self.errors}")
            pause.wait(0.02)
        return self

    def check(self) -> str:
        """What `nginx -t` says; raises `RuntimeError` with it where the configuration is wrong."""
        tried: subprocess.CompletedProcess[str] = subprocess.run(
            [*self._nginx, "-t"], check=False, capture_output=True, text=True, timeout=30, **started_as(self._user)
        )
        if tried.returncode:
            raise RuntimeError(tried.stderr)
        return tried.stderr

    def stop(self) -> None:
        """End it at once, with all connections."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(timeout=30)
            self._process = None

    def close(self) -> None:
        """Stop, and remove certificate and logs."""
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)

    @property
    def _nginx(self) -> list[str]:
        return [
            program("nginx", package="nginx-light"),
            *("-p", f"{self.home}/", "-c", f"{self.home}/nginx.conf", "-e", f"{self.home}/error.log"),
        ]

    def _filled_sample(self) -> str:
        """The sample with the places of this machine."""
        return filled(
            SAMPLE,
            {
                "return 301 https://desk.example.com$": f"return 301 {self.url}$",
                "server_name desk.example.com;": "server_name localhost 127.0.0.1;",
                "/etc/ssl/warranty-desk/fullchain.pem": f"{self.home}/certificate.pem",
                "/etc/ssl/warranty-desk/key.pem": f"{self.home}/key.pem",
                "listen 443 ": f"listen 127.0.0.1:{self.port} ",
                "listen 80 ": f"listen 127.0.0.1:{self.http_port} ",
                # Here the port is not the usual one, so a browser names it.
                "proxy_set_header Host $host;": "proxy_set_header Host $host:$server_port;",
            },
        )

    def _write(self, name: str, text: str) -> None:
        (self.home / name).write_text(text)

    def _read(self, name: str) -> str:
        path = Path(self.home / name)
        return path.read_text(errors="replace") if path.exists() else ""


def filled(sample: Path, places: Mapping[str, str]) -> str:
    """A sample's text with the places of this machine; raises `RuntimeError` where it no longer says one of them."""
    text = sample.read_text()
    for original, here in places.items():
        if original not in text:
            raise RuntimeError(f"{sample.name} no longer says: {original}")
        text = text.replace(original, here)
    return text


def write_certificate(folder: Path, user: str | None) -> None:
    """Make an authority and a certificate for this machine: authority.pem, certificate.pem, and key.pem for `user`."""
    authority = trustme.CA()
    certificate = authority.issue_cert("localhost", "127.0.0.1")
    authority.cert_pem.write_to_path(str(folder / "authority.pem"))
    (folder / "certificate.pem").write_bytes(b"".join(part.bytes() for part in certificate.cert_chain_pems))
    key = folder / "key.pem"
    key.touch(mode=0o600)
    key.write_bytes(certificate.private_key_pem.bytes())
    if user is not None:
        shutil.chown(key, user)


def listens(port: int) -> bool:
    """Whether somebody takes connections on this port of 127.0.0.1."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0
