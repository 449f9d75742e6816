"""How to reach a customer: e-mail and phone, read as they are typed (interface: Billing address)."""

import re
from collections.abc import Mapping
from typing import Any, Final

import streamlit as st
from pydantic import TypeAdapter, ValidationError
from streamlit.delta_generator import DeltaGenerator

from components.platform import session
from components.platform.markup import plain
from components.ui.forms.draft_form import DraftForm
from components.ui.forms.faults import problem_at
from warranty.client.resources.problems import problems
from warranty.client.resources.words import Email
from warranty.language import N_, _
from warranty.places.contact import PhoneProblem, email_hint, read_phone

_EMAIL: Final = TypeAdapter[str](Email)


def reach_fields(form: DraftForm, *, country: str) -> dict[str, str]:
    """Draw e-mail and phone beside each other, and give what was entered; empty ones are left out.

    The phone is given as it is sent; one that cannot be read as it was typed, for `phone_problem` to refuse. `country`
    is the code of the country whose numbers may be typed as at home.
    """
    mail, telephone = st.columns(2)
    with mail:
        email = _field(form, "email", _("E-mail"), country)
    with telephone:
        phone = _field(form, "phone", _("Phone (optional)"), country)
    return {field: text for field, text in (("email", email), ("phone", phone)) if text}


def one_reach_field(
    form: DraftForm, start: str, country: str, place: DeltaGenerator, other: DeltaGenerator
) -> dict[str, str]:
    """Draw one field for the e-mail or the phone in its place, and one for the other of the two in another.

    `start` is what the draft's names begin with. What both hold is given as by `reach_fields`. The other field stays
    what it is while it holds something: where both hold the same kind, `reach_faults` says so.
    """
    row = f"{start}reach"
    content = _in_one_row(form.content, start)
    form.keep({row: content[row]})
    kind, another = _kinds(content, start)
    key = form.widget_key(row)
    with place:
        typed = form.text(
            row,
            _("E-mail or phone"),
            default=content[row],
            autocomplete="off",
            show_fault=False,
            on_change=_typed,
            args=(form, start, key),
        )
        _say(form, row, row, reach_faults(content, start, country).get(row, ""))
        reached = {kind: _checked(form, f"{start}{kind}", row, typed, country)}
    with other:
        field, label = f"{start}{another}", _("Phone") if another == "phone" else _("E-mail")
        beside: dict[str, Any] = {"on_change": _typed_beside, "args": (form, start, field, form.widget_key(field))}
        if another == kind:
            form.text(field, label, autocomplete="off", show_fault=False, **beside)
        else:
            reached[another] = _field(form, field, label, country, **beside)
    return {field: text for field, text in reached.items() if text}


def reach_of(content: Mapping[str, Any], start: str) -> dict[str, str]:
    """E-mail and phone as they were typed into a draft whose names of `one_reach_field` begin so."""
    content = _in_one_row(content, start)
    kind, another = _kinds(content, start)
    held = {another: _text(content, f"{start}{another}"), kind: _text(content, f"{start}reach")}
    return {"email": "", "phone": "", **held}


def reach_faults(content: Mapping[str, Any], start: str, country: str) -> dict[str, str]:
    """Why what `one_reach_field` holds cannot be sent as it stands there, by field; an empty one has no fault."""
    content, reached = _in_one_row(content, start), reach_of(content, start)
    kind, another = _kinds(content, start)
    faults = {f"{start}{name}": _problem(name, text, country, kind == name) for name, text in reached.items()}
    if kind == another:
        two = {
            "email": N_("Another e-mail stands under More: clear one of them"),
            "phone": N_("Another phone stands under More: clear one of them"),
        }
        faults[f"{start}reach"] = _(two[kind])
    return {field: fault for field, fault in faults.items() if fault}


def _in_one_row(content: Mapping[str, Any], start: str) -> Mapping[str, Any]:
    """A draft with what the row's field holds, and under the names of the two only what stands beside it.

    A desk of before has typed into these alone; here the row's field is empty where a person left it so.
    """
    both = {f"{start}{kind}": _text(content, f"{start}{kind}") for kind in ("email", "phone")}
    typed = _text(content, f"{start}reach")
    if not typed and not content.get(f"{start}left_empty"):
        typed = next(filter(None, both.values()), "")
    return {**content, **{field: "" if text == typed else text for field, text in both.items()}, f"{start}reach": typed}


def _typed(form: DraftForm, start: str, key: str) -> None:
    """Store what was typed into the row's field also as the e-mail or phone that it is, in a callback.

    A desk of before knows it by that name, and while replicas are upgraded one by one the draft comes to one of these.
    """
    if key == form.widget_key(f"{start}reach"):
        text = str(session.value_of(key, "")).strip()
        beside = {**_in_one_row(form.content, start), f"{start}reach": text}
        kind, another = _kinds(beside, start)
        names = {f"{start}{each}": beside[f"{start}{each}"] for each in ("email", "phone")}
        form.keep({**names, f"{start}left_empty": not text} | ({} if kind == another else {f"{start}{kind}": text}))
        form.typed(f"{start}reach", key)


def _typed_beside(form: DraftForm, start: str, field: str, key: str) -> None:
    """Store what was typed beside the row, which stays as it is, in a callback."""
    form.keep({f"{start}left_empty": True})
    form.typed(field, key)


def _text(content: Mapping[str, Any], field: str) -> str:
    return str(content.get(field) or "").strip()


def _kinds(content: Mapping[str, Any], start: str) -> tuple[str, str]:
    """What the row's field holds, and what the other one is for: what it holds, else what the row's is not."""
    typed, others = _text(content, f"{start}reach"), {"email": "phone", "phone": "email"}
    held = next((kind for kind in others if _text(content, f"{start}{kind}")), "")
    kind = "phone" if "@" not in typed and any(map(str.isdigit, typed)) and not _lacks_at(typed) else "email"
    if held and not typed:
        kind = others[held]
    return kind, held or others[kind]


def _field(form: DraftForm, field: str, label: str, country: str, **options: Any) -> str:
    typed = form.text(field, label, autocomplete="off", show_fault=False, **options)
    return _checked(form, field, field, typed, country)


def _say(form: DraftForm, field: str, at: str, problem: str) -> None:
    """Draw the fault that a field of the interface has at the field `at`, found by the last try to send or before."""
    form.faults.draw(field, at=at, alone=True)
    if problem and field not in form.faults.found:
        problem_at({at: problem}, at, alone=True)


def _checked(form: DraftForm, field: str, at: str, typed: str, country: str) -> str:
    """Draw what is to be said of a text in the field `at`, and give it as it is sent under the name of `field`."""
    kind = "email" if field.endswith("email") else "phone"
    problem = _problem(kind, typed, country, at != field)
    _say(form, field, at, problem)
    if not typed or problem:
        return typed
    if kind == "email":
        meant = None if form.is_locked else email_hint(typed)
        if meant:
            st.button(
                _("Did you mean {address}?", address=plain(meant)),
                key="use-email-hint",
                on_click=form.put,
                args=({at: meant, field: meant},),
                type="tertiary",
            )
            form.confirm(field, typed)
        return typed
    number = read_phone(typed, country)
    if number.doubt:
        form.confirm(field, number.e164, number.doubt)
    st.caption(_("Sent as {number}", number=number.e164))
    return number.e164


def _lacks_at(typed: str) -> bool:
    return "@" not in typed and bool(re.search(r"\.[^\W\d_]{2,}$", typed))


def _problem(kind: str, typed: str, country: str, may_be_phone: bool) -> str:
    if not typed or kind == "phone":
        return phone_problem(typed, country)
    if _lacks_at(typed):
        return _("The @ is missing: enter the e-mail address as name@example.com")
    if may_be_phone and "@" not in typed:
        return _("Enter an e-mail address, or a phone number in digits")
    try:
        _EMAIL.validate_python(typed)
    except ValidationError as error:
        return problems(error)[0].message
    return ""


def phone_problem(phone: str, country: str) -> str:
    """Why a phone number cannot be sent; "" where it can, or where none was entered."""
    try:
        if phone:
            read_phone(phone, country)
    except PhoneProblem as problem:
        return str(problem)
    return ""
