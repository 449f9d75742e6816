"""Caddy with the sample of deploy/caddy, in front of replicas on this machine."""

import subprocess
from typing import Self

from deploy.up.machine import ROOT, started_as
from deploy.up.proxy import Proxy, filled, listens, write_certificate
from tests.deploy.conftest import ran
from tests.machine import program
from tests.waiting import until

SAMPLE = ROOT / "deploy" / "caddy" / "Caddyfile"


class Caddy(Proxy):
    """For the other sample."""

    @property
    def errors(self) -> str:
        return (self.home / "log").read_text()

    def write(self) -> None:
        write_certificate(self.home, self._user)
        own = (
            f"{{\n\tadmin off\n\thttp_port {self.http_port}\n\thttps_port {self.port}\n"
            "\tdefault_bind 127.0.0.1\n\tskip_install_trust\n}\n"
        )
        instead = {
            "https://desk.example.com {": f"https://localhost:{self.port}, https://127.0.0.1:{self.port} {{",
            "/etc/ssl/warranty-desk/fullchain.pem": f"{self.home}/certificate.pem",
            "/etc/ssl/warranty-desk/key.pem": f"{self.home}/key.pem",
            "127.0.0.1:8501 127.0.0.1:8502": " ".join(self._replicas),
        }
        (self.home / "Caddyfile").write_text(own + filled(SAMPLE, instead))

    def caddy(self, command: str) -> list[str]:
        return [program("caddy"), command, "--config", str(self.home / "Caddyfile"), "--adapter", "caddyfile"]

    def run(self, command: str) -> str:
        tried = ran(*self.caddy(command), timeout=30, env=self._environment)
        assert tried.returncode == 0, tried.stderr
        return tried.stderr

    @property
    def _environment(self) -> dict[str, str]:
        return {**dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(self.home)), "GOMAXPROCS": "1"}

    def start(self) -> Self:
        self.write()
        with (self.home / "log").open("wb") as log:
            self._process = subprocess.Popen(
                self.caddy("run"), env=self._environment, stdout=log, stderr=log, **started_as(self._user)
            )

        def is_up() -> bool:
            assert self._process is not None
            assert self._process.poll() is None, self.errors
            return listens(self.port)

        until(is_up)
        return self
