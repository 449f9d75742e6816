"""Where offer ids come from: an order that the service knows, or the offers of a product; both only where configured.

An offer id is 36 characters that nobody types, so picking comes first and pasting last.
"""

import uuid
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st
from pydantic import ValidationError

from components.platform import session
from components.platform.markup import plain
from components.selling.notify_checkout.lines import Line, add_line, is_picked, new_line
from components.selling.orders.plan_reading import plan_reading
from components.selling.sending import press
from components.ui.forms.draft_form import DraftForm
from components.ui.forms.faults import problem_at
from components.ui.frame.failure_notice import failure_notice
from components.wiring import Runtime
from components.words.amounts import money, plan_words
from warranty.client.resources import Offer, OfferedProduct
from warranty.client.resources.money import format_price
from warranty.client.resources.orders import shown_as
from warranty.client.resources.problems import problems
from warranty.errors import Failure, WarrantyError
from warranty.files.catalogue import Catalogue, CatalogueProduct
from warranty.language import N_, _

_FOUND = "offers-found"
_LABELS = {"price": N_("product price")}


def offer_picker(runtime: Runtime, form: DraftForm, *, order_id: str, catalogue: Catalogue) -> Sequence[Line]:
    """Draw the ways that are configured, and give the offers that they list, as lines.

    Draws nothing where offer ids can only be pasted.
    """
    listed: list[Line] = []
    if runtime.desk.can_look_up:
        listed += _from_order(runtime, form, order_id)
    if runtime.service.client.has("offers"):
        listed += _for_product(runtime, form, catalogue)
    return listed


def _from_order(runtime: Runtime, form: DraftForm, order_id: str) -> list[Line]:
    if not order_id:
        return []
    reading = plan_reading(runtime.jobs, order_id, partial(runtime.desk.plans_of, form.operator))
    if reading.answer is None:
        if reading.order_is_unknown:
            st.caption(_("The service has no order with this id, so find the plans by product."))
        return []
    return [
        line
        for item in reading.answer.line_items
        for line in _offered(
            form,
            item.offers,
            name=_("Line {n}", n=item.line_item_id),
            title=item.product_title or "",
            sku=item.product_id or "",
            units=item.quantity,
            currency=runtime.settings.currency,
            key=f"order-{item.line_item_id}",
        )
    ]


def _for_product(runtime: Runtime, form: DraftForm, catalogue: Catalogue) -> list[Line]:
    with st.expander(_("Find plans for a product"), expanded=True, key="find-offers-of"):
        sku_place, title_place, price_place = st.columns([1, 2, 1])
        with sku_place:
            sku = form.text("offers.id", "SKU")
        _fill_in(form, sku, catalogue)
        with title_place:
            title = form.text("offers.title", _("Title"))
        with price_place:
            price = form.text("offers.price", _("Product price"))
        example = _("Electronics > Televisions")
        category = form.text("offers.category", _("Category (optional)"), placeholder=example)
        wanted = {"id": sku, "title": title, "price": price or None, **shown_as(category)}
        st.button(
            _("Find plans"), key="find-offers", icon=":material/search:", on_click=press.request, args=("offers",)
        )
        return _found(runtime, form, wanted)


def _fill_in(form: DraftForm, sku: str, catalogue: Catalogue) -> None:
    """Fill in what the catalogue knows of a SKU when it is entered, and take it out with the SKU."""
    product, filled = catalogue.find(sku) if sku else None, form.content.get("offers.filled", "")
    known = product or CatalogueProduct("", "")
    if known.sku != filled:
        price = "" if known.price is None else format_price(known.price)
        fields = {"title": known.title, "price": price, "category": known.category}
        form.put({f"offers.{name}": text for name, text in fields.items()}, **{"offers.filled": known.sku})


def _found(runtime: Runtime, form: DraftForm, wanted: dict[str, Any]) -> list[Line]:
    job: str = session.recall("offers-job", "")
    if press.requested("offers"):
        try:
            product = OfferedProduct.model_validate(wanted)
        except ValidationError as error:
            labels = {name: _(word) for name, word in _LABELS.items()}
            faults = {f"offers.{fault.path[0]}": fault.message for fault in problems(error, labels)}
            problem_at(faults, *faults)
            return []
        job = f"offers:{uuid.uuid4().hex}"
        session.remember("offers-job", job)
        session.remember(_FOUND, None)
        runtime.jobs.start_once(job, partial(_offers, runtime.service.client.offers, product))
    if runtime.jobs.finished(job):
        session.remember(_FOUND, (wanted, runtime.jobs.take(job)))
    if press.working(runtime.jobs, job, _("Finding the plans for this product")):
        return []
    found: tuple[dict[str, Any], Sequence[Offer] | Failure] | None = session.recall(_FOUND, None)
    if found is None:
        return []
    request, answer = found
    if isinstance(answer, Failure):
        failure_notice(answer)
    elif not answer:
        st.caption(_("The service offers no plan for this product."))
    else:
        currency = runtime.settings.currency
        return _offered(form, answer, title=request["title"], sku=request["id"], currency=currency, key="product")
    return []


def _offers(ask: Callable[[OfferedProduct], Sequence[Offer]], product: OfferedProduct) -> Sequence[Offer] | Failure:
    try:
        return ask(product)
    except WarrantyError as error:
        return error.failure


def _offered(
    form: DraftForm,
    offers: Sequence[Offer],
    *,
    title: str,
    sku: str,
    currency: str,
    name: str = "",
    key: str,
    units: int | None = None,
) -> list[Line]:
    """Draw the offers of an item, of which an order has so many `units`, each to be chosen once; gives them as lines.

    `name` stands on the screen where it has no title and no SKU; it is in the reader's language, and not kept.
    """
    usable = [offer for offer in offers if not offer.is_bought]
    if not usable:
        return []
    lines = []
    st.caption(_("Plans for {product}. Choose what was sold:", product=plain(title or sku or name)))
    with st.container(horizontal=True):
        for offer in usable:
            line = new_line(
                offer_id=offer.warranty_offer_id,
                title=title,
                sku=sku,
                months=offer.warranty_duration,
                type=offer.warranty_type,
                units=units,
            )
            chosen, words = is_picked(form, line), plain(_offer_words(offer, currency))
            st.button(
                _("{plan} (chosen)", plan=words) if chosen else words,
                disabled=chosen,
                key=f"offer-{key}-{offer.warranty_offer_id}",
                on_click=add_line,
                args=(form, line),
            )
            lines.append(line)
    return lines


def _offer_words(offer: Offer, currency: str) -> str:
    price = None if offer.warranty_price is None else money(offer.warranty_price, currency)
    return plan_words(offer.warranty_duration, offer.warranty_type, price) or offer.warranty_offer_id
