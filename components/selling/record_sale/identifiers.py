"""What few sales need, folded away: the retailer's own ids, and another way of naming the offer to the service."""

from collections.abc import Callable
from typing import Any, Final

import streamlit as st

from components.platform.markup import plain
from components.ui.forms.draft_form import DraftForm
from warranty.desk.sales.plans_known import SaleItem
from warranty.desk.sales.sale_lines import WITHOUT_TERM, Naming
from warranty.language import N_, _

_WORDS: Final = {
    Naming.AUTOMATIC: N_("The surest way known (recommended)"),
    Naming.PRODUCT: N_("The SKU alone, without term and price"),
    Naming.VARIANT: N_("The variant id"),
    Naming.OFFER: N_("The offer id alone, without term and price"),
    Naming.PRODUCTS: N_("The products of a bundle"),
}


def identifier_fields(
    form: DraftForm, item: SaleItem, name: str, named: Callable[[dict[str, Any]], str]
) -> dict[str, Any]:
    """Draw the fields and give them under the names of `SoldLine`; `named` tells in words what they come to."""
    with st.expander(_("Other ways to name the item"), key=f"more-{name}"):
        ways = [way for way in Naming if way is not Naming.PRODUCT or item.product_id or item.by_hand]
        words = {way.value: _(_WORDS[way]) for way in ways}
        naming = Naming(form.choice(f"{name}.naming", _("How the item is named to the service"), words, ways[0].value))
        entered: dict[str, Any] = {"naming": naming}
        entered |= _identifiers(form, item, name, naming)
        if naming in WITHOUT_TERM:
            st.caption(
                _("The service takes its own term and price: they are not known here, and no report counts them.")
            )
        else:
            labels = {
                "warranty_id": _("Your own warranty id (optional)"),
                "program_id": _("Your own program id (optional)"),
            }
            for place, own in zip(st.columns(2), labels, strict=True):
                with place:
                    entered[own] = form.text(
                        f"{name}.{own}", labels[own], help=_("Stored with the sale; it does not choose the plan.")
                    )
        if summary := named(entered):
            st.caption(_("Sent to the service: {words}.", words=plain(summary)))
    if not item.by_hand:
        form.faults.draw(f"{name}.product_id", at=f"{name}.naming")
    return entered


def _identifiers(form: DraftForm, item: SaleItem, name: str, naming: Naming) -> dict[str, Any]:
    entered: dict[str, Any] = {}
    if naming is Naming.VARIANT:
        entered["variant_id"] = form.text(f"{name}.variant_id", _("Variant id"))
    if naming in {Naming.OFFER, Naming.AUTOMATIC}:
        entered["offer_id"] = form.text(
            f"{name}.offer_id",
            _("Offer id") if naming is Naming.OFFER else _("Offer id (optional)"),
            help=_("36 characters. It chooses between plans of the same term."),
        )
    if naming is Naming.AUTOMATIC and item.line_item_id is None:
        entered["line_item_id"] = form.text(
            f"{name}.line_item_id",
            _("Line number in the order (optional)"),
            help=_("Only if the service gave it to you: it says for certain which item was sold."),
        )
    if naming is Naming.PRODUCTS and not item.is_bundle:
        field = f"{name}.members"
        typed = form.text(field, _("SKUs of the bundle, one in a line"), draw=st.text_area, height=90)
        entered["members"] = tuple(sku.strip() for sku in typed.splitlines() if sku.strip())
    return entered
