"""The sample of nftables, in a network of its own: read at once, again, and letting in what it says."""

import json
from pathlib import Path

import pytest

from deploy.up.machine import ROOT
from tests.deploy.conftest import ran
from tests.machine import program

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
