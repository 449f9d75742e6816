"""Whoever reads or changes something is asked for the right where the data is, whatever the screen has asked."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date
from pathlib import Path

import pytest

from tests.builders import order_of
from warranty.access import GRANTS, Operator, Permission, Role
from warranty.claims.readings import ClaimReadings
from warranty.desk import Desk
from warranty.errors import PermissionDenied, SignedOut
from warranty.files.shop_files import ShopFiles
from warranty.journal import AttemptFilter, BatchState, Changed, Journal, NoteKind, RowState, TimeNote
from warranty.retrieval import ClaimSet
from warranty.settings import load_settings

RECALL = TimeNote(
    first=date(2026, 11, 3), last=date(2026, 11, 3), kind=NoteKind.RECALL, words="Chargers called back"
)
NOBODY = Operator(username="nobody", name="Nobody", role=Role.STAFF)


@dataclass(frozen=True)
class House:
    """What stands behind the doors."""

    desk: Desk
    claims: ClaimReadings
    files: ShopFiles


DOORS: dict[str, tuple[Permission, Callable[[House, Operator], object]]] = {
    "claims": (Permission.READ_CLAIMS, lambda house, who: house.claims.of(who)),
    "imports": (Permission.IMPORT_ORDERS, lambda house, who: house.desk.imports(who)),
    "drafts of orders": (
        Permission.SUBMIT_ORDERS,
        lambda house, who: house.desk.drafts(who, "submit_order"),
    ),
    "drafts of sales": (Permission.RECORD_SALES, lambda house, who: house.desk.drafts(who, "record_sale")),
    "drafts of checkouts": (
        Permission.NOTIFY_CHECKOUTS,
        lambda house, who: house.desk.drafts(who, "notify_checkout"),
    ),
    "saved views": (Permission.READ_CLAIMS, lambda house, who: house.desk.claim_views(who)),
    "notes on days": (Permission.READ_CLAIMS, lambda house, who: house.desk.time_notes(who)),
    "the diary of forecasts": (
        Permission.SEE_TRENDS,
        lambda house, who: house.desk.forecast_diary(who),
    ),
    "a note": (Permission.WRITE_NOTES, lambda house, who: house.desk.write_note(who, RECALL)),
    "no note": (Permission.WRITE_NOTES, lambda house, who: house.desk.remove_note(who, "n-1")),
    "the last alert": (Permission.CHECK_CONNECTION, lambda house, who: house.desk.last_alert(who)),
    "columns of a file": (
        Permission.IMPORT_ORDERS,
        lambda house, who: house.desk.import_columns(who, "layout"),
    ),
    "a draft's attempt": (Permission.SEE_OWN_ACTIVITY, lambda house, who: house.desk.attempt_of(who, "d-1")),
    "one attempt": (Permission.SEE_OWN_ACTIVITY, lambda house, who: house.desk.attempt(who, "a-1")),
    "recent orders": (Permission.RECORD_SALES, lambda house, who: house.desk.recent_orders(who)),
    "one order": (Permission.RECORD_SALES, lambda house, who: house.desk.order(who, "o-1")),
    "the activity": (
        Permission.SEE_OWN_ACTIVITY,
        lambda house, who: house.desk.attempts(who, AttemptFilter()),
    ),
    "the queue of orders": (Permission.SEE_OWN_ACTIVITY, lambda house, who: house.desk.queue(who)),
    "its length": (
        Permission.SEE_OWN_ACTIVITY,
        lambda house, who: house.desk.count_attempts(who, AttemptFilter()),
    ),
    "an order's timeline": (
        Permission.SEE_OWN_ACTIVITY,
        lambda house, who: house.desk.order_timeline(who, "o-1"),
    ),
    "what was corrected": (Permission.SEE_OWN_ACTIVITY, lambda house, who: house.desk.corrected(who, [])),
    "settlements": (Permission.SEE_OWN_ACTIVITY, lambda house, who: house.desk.settlements(who, [])),
    "the activity as a file": (
        Permission.EXPORT_ACTIVITY,
        lambda house, who: house.desk.attempts_to_export(who, AttemptFilter()),
    ),
    "a link that was shown": (Permission.SUBMIT_ORDERS, lambda house, who: house.desk.note_link(who, "a-1")),
    "an order's links": (
        Permission.SEE_OWN_ACTIVITY,
        lambda house, who: house.desk.links_of_order(who, "o-1"),
    ),
    "the shift report": (
        Permission.SEE_SHIFT_REPORT,
        lambda house, who: house.desk.shift_report(who, None, None, zone=UTC),
    ),
    "plans sold": (Permission.SEE_TRENDS, lambda house, who: house.desk.plans_sold(who)),
    "a file of plans sold": (
        Permission.IMPORT_PLANS_SOLD,
        lambda house, who: house.desk.plans_sold(who).replace({("2026-10", "Kettle"): 1}, file_name="f.csv"),
    ),
    "another catalogue": (
        Permission.MANAGE_CATALOGUE,
        lambda house, who: house.files.catalogue.replace(who, b"sku,title", file_name="f.csv"),
    ),
    "no catalogue": (Permission.MANAGE_CATALOGUE, lambda house, who: house.files.catalogue.remove(who)),
}


@pytest.mark.parametrize("door", DOORS)
def test_who_may_not_is_turned_away_at_the_door(
    door: str, desk: Desk, journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unread(*_: object, **__: object) -> ClaimSet:
        raise AssertionError("nothing is read")

    files = ShopFiles(journal.uploads, load_settings({"data_dir": str(tmp_path)}), journal.audit("sandbox"))
    house = House(desk, ClaimReadings(read=unread, scope="nobody"), files)
    permission, go_in = DOORS[door]
    granted = frozenset(Permission) - {permission, Permission.SEE_ALL_ACTIVITY}
    monkeypatch.setattr("warranty.access.GRANTS", {**GRANTS, Role.STAFF: granted})
    with pytest.raises(PermissionDenied) as denied:
        go_in(house, NOBODY)
    assert denied.value.permission == permission
    monkeypatch.setattr("warranty.access.GRANTS", {**GRANTS, Role.STAFF: frozenset(Permission)})
    go_in(house, NOBODY)


ACTING = [
    "a note",
    "no note",
    "the activity as a file",
    "a file of plans sold",
    "another catalogue",
    "no catalogue",
]


@pytest.mark.parametrize("by_now", [None, replace(NOBODY, role=Role.STAFF)])
@pytest.mark.parametrize("door", ACTING)
def test_a_tab_that_was_a_managers_changes_and_exports_nothing_any_more(
    door: str, by_now: Operator | None, desk: Desk, journal: Journal, tmp_path: Path
) -> None:
    def unread(*_: object, **__: object) -> ClaimSet:
        raise AssertionError("nothing is read")

    stale = replace(NOBODY, role=Role.MANAGER, as_of_now=lambda: by_now)
    files = ShopFiles(journal.uploads, load_settings({"data_dir": str(tmp_path)}), journal.audit("sandbox"))
    house = House(desk, ClaimReadings(read=unread, scope="nobody"), files)
    with pytest.raises(PermissionDenied if by_now else SignedOut):
        DOORS[door][1](house, stale)


def test_a_tab_of_who_is_out_sends_and_settles_nothing(desk: Desk, clerk: Operator, journal: Journal) -> None:
    sent = desk.send(clerk, order_of(), draft_id="d", screen="submit_order")
    out = replace(clerk, as_of_now=lambda: None)
    acts: list[Callable[[], object]] = [
        lambda: desk.send(out, order_of(), draft_id="e", screen="submit_order"),
        lambda: desk.send_order_again(out, sent.attempt_id),
        lambda: desk.settle(out, sent.attempt_id, recorded=True, note=""),
        lambda: desk.drop(out, sent.attempt_id),
        lambda: desk.saw_to(out, sent.attempt_id),
    ]
    for act in acts:
        with pytest.raises(SignedOut):
            act()
    assert desk.attempts(clerk, AttemptFilter()) == [sent]


def test_an_attempt_of_a_colleague_is_shown_to_managers_alone(
    desk: Desk, clerk: Operator, colleague: Operator, manager: Operator
) -> None:
    sent = desk.send(clerk, order_of(), draft_id="d", screen="submit_order")
    assert desk.attempt_of(clerk, "d") == desk.attempt(clerk, sent.attempt_id) == sent
    assert desk.attempt_of(manager, "d") == desk.attempt(manager, sent.attempt_id) == sent
    with pytest.raises(PermissionDenied):
        desk.attempt_of(colleague, "d")
    with pytest.raises(PermissionDenied):
        desk.attempt(colleague, sent.attempt_id)


def test_drafts_and_choices_are_a_persons_own(desk: Desk, clerk: Operator, colleague: Operator) -> None:
    desk.drafts(clerk, "submit_order").save("d", {"first_name": "Ada"})
    desk.claim_views(clerk).save({"mine": {}})
    theirs = desk.drafts(colleague, "submit_order")
    theirs.discard("d")
    assert theirs.all() == []
    assert desk.claim_views(colleague).load() is None
    assert [draft.draft_id for draft in desk.drafts(clerk, "submit_order").all()] == ["d"]
    assert desk.claim_views(clerk).load() == {"mine": {}}


def test_an_import_is_a_persons_own_even_for_who_knows_its_id(
    desk: Desk, clerk: Operator, colleague: Operator
) -> None:
    own, theirs = desk.imports(clerk), desk.imports(colleague)
    batch_id = own.begin(
        file_name="orders.csv", layout={}, choices={}, sources=[{"number": 1, "name": "#1", "row": 2}]
    )
    before = own.batch(batch_id), own.orders(batch_id)
    with pytest.raises(KeyError):
        theirs.batch(batch_id)
    assert (theirs.open_batch(), theirs.orders(batch_id), theirs.counts(batch_id)) == (None, [], {})
    waiting = Changed(number=1, state=RowState.WAITING, body={}, order_id="o-1")
    assert not theirs.start(batch_id, [waiting])
    assert not theirs.set_state(batch_id, BatchState.FINISHED)
    theirs.change(batch_id, [waiting])
    theirs.correct(batch_id, 1, {"number": 1})
    theirs.choose(batch_id, {"id_column": "Id"})
    theirs.close(batch_id)
    assert (own.batch(batch_id), own.orders(batch_id)) == before
    assert own.start(batch_id, [waiting])
    own.change(batch_id, [Changed(number=1, state=RowState.REFUSED)])
    own.set_state(batch_id, BatchState.FINISHED)
    refused = own.batch(batch_id), own.orders(batch_id)
    theirs.wait_again(batch_id, tuple(RowState))
    theirs.preview_again(batch_id)
    assert (own.batch(batch_id), own.orders(batch_id)) == refused
