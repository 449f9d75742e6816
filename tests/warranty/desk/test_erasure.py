"""What is held about one customer is found wherever it is, given out whole, and erased; money stays without them."""

import json
from datetime import date
from pathlib import Path

import pytest

from tests.builders import order_of
from tests.warranty.desk.shop import Shop
from tests.warranty.desk.test_privacy import PLANTED
from warranty.__main__ import main
from warranty.access import Operator, Role
from warranty.commands.housekeeping.privacy import Privacy, Sought
from warranty.database.preferences import Preference
from warranty.desk import Desk
from warranty.desk.journal import Batches, Drafts, Journal
from warranty.desk.taking_away import note_look_up
from warranty.errors import PermissionDenied
from warranty.insight.history.time_notes import NoteKind, TimeNote, TimeNotes
from warranty.people.audit import AuditFilter, AuditTrail

ALEX = Operator("alex", "Alex", Role.ADMINISTRATOR)
EMAIL = "Zeb.Quill@Example.com"
PHONE = "+16175550199"
VIEWS = "claims-views.sandbox"


@pytest.fixture
def privacy(journal: Journal) -> Privacy:
    return Privacy(journal.database, AuditTrail(journal.database, "sandbox"))


def drafts_of(journal: Journal) -> Drafts:
    return Drafts(journal.database, "sandbox", "dana", "submit_order")


@pytest.fixture
def held(shop: Shop, desk: Desk, journal: Journal, clerk: Operator) -> str:
    """One customer in every place that can hold one, and another whom nobody asked about; the unknown entry's id."""
    for email, name in ((EMAIL, "a"), ("lazeb.quill@example.com", "b")):
        drafts_of(journal).save(f"draft-{name}", {"email": email, "phone": "617 555-0199"})
    unknown = shop.unanswered(order_of(order_id="o-1", **PLANTED), screen="import_orders")
    journal.links.note(unknown.attempt_id, username="dana", operator_name="Dana")
    sources = [{"number": 1, "name": "#1", "row": 2, "email": EMAIL}, {"number": 2, "name": "#2", "row": 3}]
    Batches(journal.database, "sandbox", "dana").begin(file_name="a.csv", layout={}, choices={}, sources=sources)
    settled = shop.unanswered(order_of(order_id="o-2"), screen="import_orders")
    desk.settle(clerk, settled.attempt_id, recorded=True, note="(617) 555-0199 rang")
    Preference(journal.database, "dana", VIEWS).save({"hers": {"words": "zeb.quill@example.com", "period": "all"}})
    Preference(journal.database, "dana", VIEWS + "-phone").save({"his": {"words": "617 555 0199"}})
    note_look_up(desk.audit, clerk, EMAIL)
    return unknown.attempt_id


def test_what_is_held_of_an_email_is_given_out_alone(privacy: Privacy, journal: Journal, held: str) -> None:
    given = privacy.export(ALEX, Sought("zeb.quill@example.com"))
    once = dict.fromkeys(("drafts", "entries", "links", "imported orders", "saved choices", "audit trail"), 1)
    none = dict.fromkeys(("notes of settlements", "notes on days"), 0)
    assert {what: len(each) for what, each in given.parts.items()} == once | none
    told = json.loads(given.json)
    assert (told["entries"][0]["order_id"], told["drafts"][0]["draft_id"]) == ("o-1", "draft-a")
    assert "lazeb.quill@example.com" not in given.json.decode()


@pytest.mark.parametrize("typed", [
    "jose\u0301@example.com", "JOS\u00c9@EXAMPLE.COM", " jos\u00e9 @example.com", "jos\u00e9@\uff45xample.com\u200b",
])  # fmt: skip
def test_an_email_has_many_forms(privacy: Privacy, journal: Journal, desk: Desk, clerk: Operator, typed: str) -> None:
    for draft_id, email in (("hers", typed), ("anothers", f"maria.{typed.strip()}")):
        drafts_of(journal).save(draft_id, {"email": email})
    note_look_up(desk.audit, clerk, typed)
    for sought in (Sought.read("Jos\u00e9@example.com", "US"), Sought.read(typed, "US")):
        assert sought is not None
        parts = privacy.export(ALEX, sought).parts
        assert [draft["draft_id"] for draft in parts["drafts"]] == ["hers"]
        assert len(parts["audit trail"]) == 1


def test_what_was_erased_is_gone(privacy: Privacy, journal: Journal, held: str, desk: Desk, manager: Operator) -> None:
    sought = Sought(EMAIL)
    done = privacy.erase(ALEX, sought)
    assert (done.retained, sum(done.erased.values())) == ((), 5)
    assert privacy.export(ALEX, sought).count == 0
    entry = desk.activity.attempt(manager, held)
    assert (entry and entry.order_id, entry and len(entry.items)) == ("o-1", 2), "money stays"
    assert journal.body_of(held) is None
    assert [draft.draft_id for draft in drafts_of(journal).all()] == ["draft-b"]
    assert Preference(journal.database, "dana", VIEWS).load() == {"hers": {"period": "all"}}
    trail = AuditTrail(journal.database, "sandbox")
    assert trail.verify().holds
    erased, *_ = [row for row in trail.rows(AuditFilter(kind="privacy")) if row.details["what"] == "erased"]
    assert "zeb" not in str(erased).casefold()


def test_a_phone_is_in_notes_too(privacy: Privacy, journal: Journal, held: str, desk: Desk, manager: Operator) -> None:
    day = date(2026, 11, 1)
    note = TimeNote(first=day, last=day, kind=next(iter(NoteKind)), words="ask 617-555-0199")
    TimeNotes(journal.database, "sandbox").write(note, username="dana", operator_name="Dana")
    sought = Sought(PHONE)
    given = privacy.export(ALEX, sought)
    assert (len(given.parts["notes of settlements"]), len(given.parts["notes on days"])) == (1, 1)
    privacy.erase(ALEX, sought)
    assert privacy.export(ALEX, sought).count == 0


def test_an_order_promised_is_kept_until_it_is_sent(privacy: Privacy, journal: Journal, shop: Shop) -> None:
    shop.desk.sender._landing_page = "https://x.example/{}".format
    shop.fails("submit_order", status=503)
    queued = shop.send(order_of(order_id="o-3", **PLANTED))
    assert queued.waits
    assert privacy.erase(ALEX, Sought(EMAIL)).retained == (("sandbox", "o-3"),)
    assert journal.body_of(queued.attempt_id) is not None


def test_only_administrators_may(privacy: Privacy, manager: Operator, clerk: Operator) -> None:
    for act in (privacy.export, privacy.look, privacy.erase):
        for operator in (manager, clerk):
            with pytest.raises(PermissionDenied):
                act(operator, Sought(EMAIL))


def test_the_command_gives_out_and_erases(
    *, held: str, journal_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WARRANTY_JOURNAL_URL", journal_url)
    monkeypatch.chdir(tmp_path)
    assert main(["privacy", "export", "--email", EMAIL]) == 0
    assert json.loads(capsys.readouterr().out)["entries"][0]["order_id"] == "o-1"
    assert main(["privacy", "erase", "--email", EMAIL]) == 0
    printed = capsys.readouterr()
    assert "     1  drafts" in printed.out
    assert "zeb" not in printed.err.casefold()
    assert main(["privacy", "erase", "--email", "nobody@example.com"]) == 0
    assert capsys.readouterr().out.endswith("Nothing was held about this customer.\n")
    assert main(["privacy", "erase", "--phone", "12"]) == 2
    assert "or a phone number with its area code" in capsys.readouterr().err
