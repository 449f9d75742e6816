"""PostgreSQL and nginx as `deploy.up` starts them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import trustme

from deploy.up.machine import ROOT
from deploy.up.postgres import Postgres
from deploy.up.proxy import Proxy
from tests.deploy.caddy import Caddy
from tests.deploy.conftest import ran
from tests.machine import program
from warranty.commands.housekeeping.opening import open_journal
from warranty.errors import JournalUnavailable

HASTE = {"fsync": "off"}  # nobody cuts the power here


@pytest.mark.long
def test_a_desk_asks_a_far_database_for_its_certificate_if_its_address_says_so(tmp_path: Path) -> None:
    program("initdb", package="postgresql")
    authority, database = trustme.CA(), Postgres(settings=HASTE)
    authority.cert_pem.write_to_path(tmp_path / "own.crt")
    trustme.CA().cert_pem.write_to_path(tmp_path / "foreign.crt")

    def address(host: str, trusted: str) -> str:
        at_host = database.url.replace("@127.0.0.1:", f"@{host}:")
        return f"{at_host}?sslmode=verify-full&sslrootcert={tmp_path / trusted}"

    try:
        certificate, key = authority.issue_cert("localhost"), database.home / "key"
        certificate.cert_chain_pems[0].write_to_path(database.home / "certificate")
        certificate.private_key_pem.write_to_path(key)
        key.chmod(0o600)
        if database.user is not None:
            shutil.chown(key, database.user)
        database.settings |= {
            "ssl": "on", "ssl_key_file": str(key), "ssl_cert_file": str(database.home / "certificate"),
        }  # fmt: skip
        database.start()
        open_journal(address("localhost", "own.crt")).close()
        for host, trusted in (("localhost", "foreign.crt"), ("127.0.0.1", "own.crt")):
            with pytest.raises(JournalUnavailable):
                open_journal(address(host, trusted))
    finally:
        database.close()


def test_linters_find_nothing_in_the_samples_of_the_proxies_for_any_number_of_replicas() -> None:
    program("nginx", package="nginx-light")
    server, caddy = Proxy([8501, 8502]), Caddy([8501, 8502])
    try:
        for number in (1, 3, 2):
            server._replicas = [f"127.0.0.1:{8501 + place}" for place in range(number)]
            server.write()
            assert "test is successful" in server.check()
            assert "warn" not in server.check()
        found = ran(Path(sys.executable).with_name("gixy"), "--format", "json", server.home / "nginx.conf")
        plugins = {issue["plugin"]: issue["reason"] for issue in json.loads(found.stdout)}
        plugins.pop("missing_resolver")  # our variable names one of the upstreams, never a host
        assert plugins == {}
        caddy.write()
        caddy.run("validate")
        assert "warn" not in caddy.run("adapt")
    finally:
        server.close()
        caddy.close()


RULES = ROOT / "deploy" / "nftables" / "warranty-desk.nft"


def in_a_network_of_its_own(*commands: str) -> str:
    nft = program("nft", package="nftables")
    alone = ("unshare", "--net", "/bin/sh", "-c")
    if ran(*alone, f"{nft} list ruleset").returncode != 0:
        pytest.skip("nobody here may have a network and a firewall of their own")
    told = ran(*alone, " && ".join(f"{nft} {command}" for command in commands))
    assert (told.returncode, told.stderr) == (0, "")
    return told.stdout


def test_the_rules_let_in_neighbours_and_sessions_also_read_again_for_a_replica(tmp_path: Path) -> None:
    with_replica = tmp_path / "rules.nft"
    with_replica.write_text(RULES.read_text().replace("# ip saddr", "ip saddr"))
    read = (f"--check --file {RULES}", f"--file {RULES}", f"--file {with_replica}")
    chain = json.loads(in_a_network_of_its_own(*read, "--json list table inet warranty-desk"))
    (hook,) = (part["chain"] for part in chain["nftables"] if "chain" in part)
    assert (hook["hook"], hook["policy"]) == ("input", "drop")
    rules = [part["rule"]["expr"] for part in chain["nftables"] if "rule" in part]
    assert len(rules) == 6
    assert all(rule[-1] == {"accept": None} for rule in rules)
    for accepted in ("ct state established,related", "iif lo", "meta l4proto { icmp, ipv6-icmp }", "tcp dport 22"):
        assert f" {accepted} accept\n" in RULES.read_text()
    assert f"/deploy/nftables/{RULES.name} /etc/nftables.conf\n" in (ROOT / "docs" / "deploy.md").read_text()


def audited(folder: Path) -> subprocess.CompletedProcess[str]:
    """As on a machine that reaches no registry: its tools are not installed, and pip cannot."""
    pip = folder / "audit" / "bin" / "pip"
    pip.parent.mkdir(parents=True, exist_ok=True)
    pip.write_text("#!/bin/sh\nexit 1\n")
    pip.chmod(0o755)
    return ran(sys.executable, "-m", "deploy.audit", "--folder", folder, cwd=ROOT)


def keep(folder: Path, day: str, *faults: dict[str, object]) -> None:
    part = {"name": "lamp", "version": "1.0", "vulns": faults}
    (folder / f"audit-{day}.json").write_text(json.dumps({"dependencies": [part], "fixes": []}))


def test_without_a_network_it_says_that_nobody_looked_or_what_the_newest_day_knew(tmp_path: Path) -> None:
    told = audited(tmp_path)
    assert (told.returncode, told.stdout) == (3, "")
    assert "The audit could not look, and no list of an earlier day" in told.stderr
    keep(tmp_path, "2026-10-30", {"id": "OSV-0", "fix_versions": []})
    keep(tmp_path, "2026-11-02", {"id": "OSV-1", "fix_versions": ["2.0"]})
    told = audited(tmp_path)
    known = "lamp 1.0: OSV-1, cured in 2.0\nAs of 2026-11-02: 1 known faults in 1 parts.\n"
    assert (told.returncode, told.stdout) == (1, known)
    keep(tmp_path, "2026-11-03")
    told = audited(tmp_path)
    assert (told.returncode, told.stdout) == (0, "As of 2026-11-03: 0 known faults in 1 parts.\n")
