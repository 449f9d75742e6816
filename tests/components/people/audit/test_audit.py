"""The screen Audit: filtered by person and kind, it says whether the chain holds, and finds and erases a customer."""

from streamlit.testing.v1 import AppTest

from tests.builders import ADMINISTRATOR
from tests.components.stage import Stage, press, says, shown, words
from tests.warranty.commands.housekeeping.test_opening import tampered
from warranty.desk.journal import Drafts
from warranty.people.audit import AuditFilter, AuditKind, AuditTrail, By
from warranty.people.tills.tills import Store, Tills


def with_rows(stage: Stage) -> None:
    trail = AuditTrail(stage.runtime.desk.journal.database, "sandbox")
    trail.note(AuditKind.SIGN_IN, By("sam", "staff", "203.0.113.9"))
    since = "from 2026-11-20T00:00:00+00:00"
    trail.note(AuditKind.EXPORT, By("maya", "manager", store="main"), what="claims csv", count=12, filter=since)
    Tills(stage.runtime.desk.journal.database, "sandbox").describe(Store("main", "First store", ""))


def test_rows_are_narrowed_by_person_and_kind_and_the_button_says_whether_the_chain_holds(stage: Stage) -> None:
    with_rows(stage)
    frame = stage.screen("audit", ADMINISTRATOR).dataframe[0].value
    assert [*frame["What"]][:2] == ["Exports", "Sign-in"]
    details = "claims csv, how many: 12, which: from 20 Nov 2026, 00:00"
    assert [*frame.iloc[0][["Details", "Store, till"]]] == [details, "First store"]
    assert "203.0.113.9" not in str(frame)
    assert [*stage.screen("audit", ADMINISTRATOR, query={"person": "sam"}).dataframe[0].value["Who"]] == ["sam"]
    screen = stage.screen("audit", ADMINISTRATOR, query={"kind": "export"})
    assert [*screen.dataframe[0].value["Who"]] == ["maya"]
    shown(screen.button(key="audit-verify").click().run())
    assert "The chain holds: 3 rows" in words(screen)
    tampered(stage.runtime.settings.journal_url, "DELETE FROM audit WHERE number = 2")
    shown(screen.button(key="audit-verify").click().run())
    says(screen, "The chain is broken", "Rows 2 to 2: missing.")


def test_what_is_held_about_a_customer_is_found_given_out_and_erased_after_a_question(stage: Stage) -> None:
    drafts = Drafts(stage.runtime.desk.journal.database, "sandbox", "sam", "submit_order")
    drafts.save("draft-1", {"email": "zeb.quill@example.com", "phone": "617 555 0199"})

    def look(text: str) -> AppTest:
        screen.text_input(key="about-customer").set_value(text)
        return press(screen, "Look for it")

    screen = stage.screen("audit", ADMINISTRATOR)
    assert "Enter a complete e-mail address" in words(look("zeb.quill"))
    assert "Nothing about this customer is kept at this desk." in words(look("nobody@example.com"))
    assert "Begun and not sent: 1" in words(look("(617) 555-0199"))
    assert "Begun and not sent: 1" in words(look("Zeb.Quill@Example.com"))
    assert "Yes, erase" in [button.label for button in screen.button]
    assert len(drafts.all()) == 1
    screen = shown(screen.button(key="about-customer-erase").click().run())
    assert "Erased: 1 place." in words(screen)
    assert drafts.all() == []
    assert "Nothing about this customer is kept at this desk." in words(look("zeb.quill@example.com"))
    rows = stage.runtime.audit_book.of(ADMINISTRATOR).trail.rows(AuditFilter(kind=AuditKind.PRIVACY))
    looked = "looked for"
    assert [row.details["what"] for row in rows] == [looked, "erased", looked, looked, looked]
    assert "zeb" not in str(rows)
