"""The screen Audit: for administrators alone, filtered by person, kind and day, and it says whether the chain holds."""

from streamlit.testing.v1 import AppTest

from tests.builders import STAFF
from tests.components.stage import Stage, shown, words
from tests.warranty.journal.test_verification import tampered
from warranty.access import Operator, Role
from warranty.journal.audit import AuditFilter, AuditKind, By

ALEX = Operator("alex", "Alex", Role.ADMINISTRATOR)
MAYA = Operator("maya", "Maya", Role.MANAGER)


def with_rows(stage: Stage) -> None:
    trail = stage.runtime.journal.audit("sandbox")
    trail.note(AuditKind.SIGN_IN, By("sam", "staff", "203.0.113.9"))
    trail.note(AuditKind.EXPORT, By("maya", "manager"), what="claims csv", count=12)


def test_only_administrators_see_it(stage: Stage) -> None:
    with_rows(stage)
    for operator in (STAFF, MAYA):
        screen = stage.screen("audit", operator)
        assert "is for administrators" in words(screen)
        assert not screen.dataframe


def test_rows_are_there_the_newest_first_and_narrowed_by_person_and_kind(stage: Stage) -> None:
    with_rows(stage)
    screen = stage.screen("audit", ALEX)
    frame = screen.dataframe[0].value
    assert [*frame["What"]][:2] == ["Data taken away", "Sign-in"]
    assert next(iter(frame["Details"])) == "count: 12, what: claims csv"
    assert "203.0.113.9" not in str(frame)
    screen = stage.screen("audit", ALEX, query={"person": "sam"})
    assert [*screen.dataframe[0].value["Who"]] == ["sam"]
    screen = stage.screen("audit", ALEX, query={"kind": "export"})
    assert [*screen.dataframe[0].value["Who"]] == ["maya"]


def test_the_button_says_whether_the_chain_holds(stage: Stage) -> None:
    with_rows(stage)
    screen = stage.screen("audit", ALEX)
    shown(screen.button(key="audit-verify").click().run())
    assert "The chain holds: 3 rows" in words(screen)
    tampered(stage.runtime.settings.journal_url, "DELETE FROM audit WHERE number = 2")
    shown(screen.button(key="audit-verify").click().run())
    assert "The chain is broken" in words(screen)
    assert "Rows 2 to 2: missing." in words(screen)


def test_it_speaks_spanish(stage: Stage) -> None:
    with_rows(stage)
    screen = stage.screen("audit", ALEX)
    screen.session_state["desk.language"] = "es"
    shown(screen.button(key="audit-verify").click().run())
    assert "Auditoría" in words(screen)
    assert "La cadena está completa: 3 filas" in words(screen)
    assert [*screen.dataframe[0].value["Qué"]][:2] == ["Datos descargados", "Entrada"]


def test_what_is_held_about_a_customer_is_looked_for_given_out_and_erased_after_a_question(
    stage: Stage,
) -> None:
    drafts = stage.runtime.journal.drafts("sandbox", "sam", "submit_order")
    drafts.save("draft-1", {"email": "zeb.quill@example.com", "phone": "617 555 0199"})

    def look(text: str) -> AppTest:
        screen.text_input(key="about-customer").set_value(text)
        (button,) = (each for each in screen.button if each.label == "Look for it")
        return shown(button.click().run())

    screen = stage.screen("audit", ALEX)
    assert "Enter a complete e-mail address" in words(look("zeb.quill"))
    assert "Nothing is held about this customer." in words(look("nobody@example.com"))
    assert "Begun and not sent: 1" in words(look("(617) 555-0199"))
    assert "Begun and not sent: 1" in words(look("Zeb.Quill@Example.com"))
    assert "Yes, erase" in [button.label for button in screen.button]
    assert len(drafts.all()) == 1
    screen = shown(screen.button(key="about-customer-erase").click().run())
    assert "Erased: 1 place." in words(screen)
    assert drafts.all() == []
    assert "Nothing is held about this customer." in words(look("zeb.quill@example.com"))
    rows = stage.runtime.audit_book.rows(ALEX, AuditFilter(kind=AuditKind.PRIVACY))
    assert [row.details["what"] for row in rows] == [
        "looked for",
        "erased",
        "looked for",
        "looked for",
        "looked for",
    ]
    assert "zeb" not in str(rows)
    assert "about-customer" not in str([field.key for field in stage.screen("audit", MAYA).text_input])
