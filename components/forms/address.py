"""A person's address, told which fields are required (interface: Billing address, Address)."""

from collections.abc import Callable, Collection
from typing import Any, Final

import streamlit as st

from components.forms.draft_form import DraftForm
from warranty.language import N_, _
from warranty.places.countries import countries, folded, shown_country, states

_LABELS: Final = {
    "first_name": N_("First name"),
    "last_name": N_("Last name"),
    "address1": N_("Street and number"),
    "address2": N_("Apartment, floor"),
    "city": N_("City"),
    "zip": N_("ZIP or postal code"),
}


def address_fields(
    form: DraftForm,
    name: str,
    *,
    country: str,
    required: Collection[str],
    after_names: Callable[[], object] = lambda: None,
) -> dict[str, str]:
    """Draw the address `name`, and give what was entered; empty fields are left out.

    Fields that are not `required` say that they are optional; street and city are folded away where they are.
    `country` is the code of the country that the form begins with; `after_names` draws what stands below the names.
    """
    entered: dict[str, str] = {}

    def texts(plain: Collection[str] = required, **places: Any) -> None:
        for field, place in places.items():
            label = _(_LABELS[field])
            if field not in plain:
                label = _("{field} (optional)", field=label)
            with place:
                entered[field] = form.text(f"{name}.{field}", label, alone=True, autocomplete="off")

    first, last = st.columns(2)
    texts(first_name=first, last_name=last)
    after_names()
    is_full = "address1" in required
    if is_full:
        street, flat = st.columns([2, 1])
        code, city = st.columns([1, 2])
        texts(address1=street, address2=flat, zip=code, city=city)
    where, region, *beside = st.columns(2 if is_full else 3)
    names = {code: shown_country(known) for code, known in countries().items()}
    names = dict(sorted(names.items(), key=lambda named: folded(named[1])))
    with where:
        chosen = form.choice(f"{name}.country", _("Country"), names, country)
    with region:
        if known := states(chosen):
            field = f"{name}.state.{chosen}"
            words = {code: f"{state.name} ({code})" for code, state in known.items()}
            entered["state"] = form.choice(field, _("State"), words, "", placeholder=_("Type or choose"))
            form.fault((f"{name}.state", form.widget_key(field)), alone=True)
        else:  # the interface wants a state in every country
            hint = _("Region, or the city again")
            entered["state"] = form.text(
                f"{name}.state", _("State"), alone=True, placeholder=hint, autocomplete="off"
            )
    if not is_full:
        texts(zip=beside[0])
        with st.expander(_("Street and city (optional)"), key="street-and-city"):
            texts(_LABELS, address1=st.container(), address2=st.container(), city=st.container())
    entered |= {"country": countries()[chosen].name if chosen in names else "", "country_code": chosen}
    return {field: value for field, value in entered.items() if value}
