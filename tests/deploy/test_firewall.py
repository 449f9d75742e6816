"""The sample of nftables, in a network of its own: read at once, again, and letting in what it says."""

import json
import subprocess
from pathlib import Path

import pytest

from deploy.up.machine import ROOT
from tests.machine import program

RULES = ROOT / "deploy" / "nftables" / "warranty-desk.nft"


def in_a_network_of_its_own(*commands: str) -> str:
    """What nft says to these commands, one after the other."""
    nft = program("nft", package="nftables")
    alone = ["unshare", "--net", "/bin/sh", "-c"]
    if subprocess.run([*alone, f"{nft} list ruleset"], check=False, capture_output=True).returncode != 0:
        pytest.skip("nobody here may have a network and a firewall of their own")
    script = " && ".join(f"{nft} {command}" for command in commands)
    ran = subprocess.run([*alone, script], check=False, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def test_the_rules_are_read_in_one_go_also_again_and_with_the_line_for_a_replica(tmp_path: Path) -> None:
    with_replica = tmp_path / "rules.nft"
    with_replica.write_text(RULES.read_text().replace("# ip saddr", "ip saddr"))
    chain = json.loads(
        in_a_network_of_its_own(
            f"--check --file {RULES}",
            f"--file {RULES}",
            f"--file {with_replica}",
            "--json list table inet warranty-desk",
        )
    )
    (hook,) = (part["chain"] for part in chain["nftables"] if "chain" in part)
    assert (hook["hook"], hook["policy"]) == ("input", "drop")
    rules = [part["rule"]["expr"] for part in chain["nftables"] if "rule" in part]
    assert len(rules) == 6
    assert all(rule[-1] == {"accept": None} for rule in rules)


def test_one_file_lets_in_neighbours_and_sessions_and_drops_the_rest() -> None:
    lines = [line.strip() for line in RULES.read_text().splitlines()]
    for accepted in (
        "ct state established,related accept",
        "iif lo accept",
        "meta l4proto { icmp, ipv6-icmp } accept",
        "tcp dport 22 accept",
    ):
        assert accepted in lines
    document = (ROOT / "docs" / "deploy.md").read_text()
    assert "nft --file /etc/nftables.conf" in document
    assert f"/deploy/nftables/{RULES.name} /etc/nftables.conf\n" in document
    assert "policy drop" not in document
