"""A chain's desk on three machines: whichever fails, nothing is lost, nothing is sent twice, and all are back."""

from pathlib import Path

import pytest

from tests.chain.earlier import program_before
from tests.chain.ordeal import Ordeal
from tests.machine import in_a_loop_of_its_own, program

pytestmark = [pytest.mark.long, pytest.mark.postgres, pytest.mark.timeout(400)]


def test_tills_go_on_while_replicas_die_the_database_fails_over_and_an_older_desk_is_upgraded(tmp_path: Path) -> None:
    program("postgres", package="postgresql")
    program("nginx", package="nginx-light")
    with Ordeal(tills=10, pause=0.5, upgraded_from=program_before(tmp_path)).running() as ordeal:
        before = ordeal.versions()
        in_a_loop_of_its_own(ordeal.until(90.0, breaking=ordeal.one_after_another()))
        assert (len(before), len(before | ordeal.versions())) == (1, 2), "the journal was not upgraded"
        found = ordeal.judged()
    assert found.orders >= 20, "the tills were hardly at work"
    assert found.back, "no till lost its line"
    assert (found.lost, found.twice, found.unexplained, found.typed_anew) == ([], [], [], [])
    assert found.given_up == []
    assert max(found.back) <= 10
