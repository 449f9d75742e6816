"""The printable confirmation of a recorded sale, at the sale and later; the file is made when it is asked for."""

from datetime import date
from functools import partial
from typing import Any

import streamlit as st

from components.gate import guarded
from components.words.amounts import months_words
from components.words.attempts import covered_words, here, moment
from warranty.desk.journal import Attempt
from warranty.files.catalogue import EMPTY, Catalogue
from warranty.files.printing.confirmation import SoldPlan, sale_confirmation
from warranty.language import Language, _, language, speaking
from warranty.settings import Settings


def confirmation_button(attempt: Attempt, settings: Settings, catalogue: Catalogue, **button: Any) -> None:
    """Draw the button that gives the confirmation as a PDF; `button` are its other options."""
    st.download_button(
        _("Print confirmation"),
        data=guarded(
            partial(
                confirmation_of,
                attempt,
                settings,
                when=moment(attempt.finished_at or attempt.started_at),
                sold_on=attempt.started_at.astimezone(here()).date(),
                catalogue=catalogue,
                reader_language=language(),  # where the file is made, nobody is known to read
            )
        ),
        file_name=f"confirmation-{attempt.result.returned_id or attempt.attempt_id[:12]}.pdf",
        mime="application/pdf",
        on_click="ignore",
        icon=":material/print:",
        key=f"print-{attempt.attempt_id}",
        **button,
    )


def confirmation_of(
    attempt: Attempt,
    settings: Settings,
    *,
    when: str,
    sold_on: date,
    catalogue: Catalogue = EMPTY,
    reader_language: Language = "en",
) -> bytes:
    """The confirmation of a sale, made of its entry in the journal; a bundle's products as the catalogue names them."""

    def named(sku: str) -> str:
        product = catalogue.find(sku)
        return product.title if product and product.title else sku

    with speaking(reader_language):
        return sale_confirmation(
            shop=settings.shop_name,
            order_id=attempt.order_id,
            warranty_order_id=attempt.result.returned_id or "",
            when=when,
            currency=settings.currency,
            plans=[
                SoldPlan(
                    product=item.title or item.product_id,
                    term=months_words(item.term_months) if item.term_months else _("Protection plan"),
                    kind=item.warranty_type or "",
                    units=item.quantity,
                    price=item.warranty_price,
                    members=tuple(map(named, item.members)),
                    covered=covered_words(until) if (until := item.covered_until(sold_on)) else "",
                )
                for item in attempt.items
            ],
            reference=attempt.attempt_id,
            mark=settings.print_mark,
        )
