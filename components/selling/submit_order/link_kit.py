"""The link kit: the landing page's address to copy, as a QR code to scan, to open, to mail, to text, to print."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final
from urllib.parse import quote, urlsplit

import streamlit as st

from components.gate import guarded
from components.platform.browser_part import copy_button
from components.platform.markup import plain
from components.ui.frame.code_to_scan import code_to_scan
from components.words.attempts import moment
from warranty.client.resources.landing import landing_page_url
from warranty.clock import utc_now
from warranty.desk.journal import Attempt
from warranty.files.printing.slip import Slip, SlipItem, order_slip, slip_file
from warranty.language import LANGUAGE_NAMES, LANGUAGES, Language, _, language, speaking
from warranty.settings import Settings
from warranty.settings.values import SlipPaper

_PAPERS: Final[Mapping[SlipPaper, str]] = {"A5": "A5", "80": "80 mm", "58": "58 mm"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Addressee:
    """The customer as far as this tab still remembers; the journal keeps nothing of it."""

    first_name: str = ""
    email: str = ""
    phone: str = ""


NOBODY: Final = Addressee()


def landing_link(
    order: Attempt, url: str, items: Sequence[SlipItem], addressee: Addressee, settings: Settings, *, declined: bool
) -> None:
    """Draw the link kit of an order; where the service does not have it yet, all of it says so.

    The slip of a customer who `declined` the plan has a line to sign; a link that offers nothing is folded away.
    """
    if order.result.warrantable_products is False:
        with st.expander(_("Show the link anyway"), key="link-all-the-same"):
            address_warning(url, order_id=order.order_id, settings=settings)
            link_to_copy(url)
        return
    address_warning(url, order_id=order.order_id, settings=settings)
    with st.container(key="link-kit"):
        ways, code = st.columns((2, 1), gap="medium")
    with ways:
        st.caption(_("At this link the customer sees the plans and can buy them."))
        link_to_copy(url, first=True)
        reader_language = _customers_language(order.order_id)
        with speaking(reader_language):
            note = _("The link will work as soon as our service is back.") if order.waits else ""
            slip = Slip(
                shop=settings.shop_name,
                url=url,
                order_id=order.order_id,
                items=list(items),
                day=moment(utc_now()),
                note=note,
                language=reader_language,
                declined=declined,
            )
        _mail_and_text(slip, addressee)
        _slip_to_print(slip, settings)
        if urlsplit(url).scheme in {"http", "https"} and not order.waits:
            st.link_button(_("Open the customer page"), url, icon=":material/open_in_new:")
        if addressee == NOBODY:
            st.caption(_("Enter the customer's e-mail or phone in the message: we don't keep it after sending."))
    with code:
        alt = _("QR code of the customer page: hold the customer's phone in front of it")
        if not code_to_scan(url, alt=alt, width=160):
            st.caption(_("This address is too long for a QR code. Copy it, or mail it to the customer."))


def link_to_copy(url: str, *, first: bool = False) -> None:
    """Draw an address to be read and selected, and the button that copies it, the `first` thing to do or not."""
    st.text(url)
    copy_button(_("Copy link"), url, first=first)


def _customers_language(order_id: str) -> Language:
    """Draw the choice of what the mail, the text message and the slip of this order are written in; else our own."""
    return st.segmented_control(
        _("Customer's language"),
        LANGUAGES,
        default=language(),
        required=True,
        format_func=LANGUAGE_NAMES.__getitem__,
        key=f"customers-language:{order_id}",
        help=_("For the mail, the text message and the slip."),
    )


def _mail_and_text(slip: Slip, addressee: Addressee) -> None:
    """Draw those that have a recipient, or both for a person to enter one."""
    with speaking(slip.language):
        subject = quote(_("Protect what you bought at {shop}", shop=slip.shop))
        words = quote(message(slip.url, shop=slip.shop, addressee=addressee, note=slip.note))
    mail, phone = quote(addressee.email, safe="@"), quote(addressee.phone, safe="+")
    with st.container(horizontal=True, gap="small"):
        if mail or addressee == NOBODY:
            st.link_button(_("Mail"), f"mailto:{mail}?subject={subject}&body={words}", icon=":material/mail:")
        if phone or addressee == NOBODY:
            st.link_button(_("Text message"), f"sms:{phone}?&body={words}", icon=":material/sms:")


def _slip_to_print(slip: Slip, settings: Settings) -> None:
    """Draw the button of the slip, and what it is printed on: chosen once for this tab, else as the settings say."""
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        place = st.container(width="content")
        paper = st.segmented_control(
            _("Slip paper"),
            _PAPERS,
            default=settings.slip_width,
            required=True,
            format_func=_PAPERS.__getitem__,
            key="slip-paper",
            persist_state="session",
            label_visibility="collapsed",
        )
    place.download_button(
        _("Print slip"),
        data=guarded(partial(order_slip, slip, paper=paper, logo=settings.shop_logo, mark=settings.print_mark)),
        file_name=slip_file(slip.order_id),
        mime="application/pdf",
        on_click="ignore",
        icon=":material/print:",
    )


def message(url: str, *, shop: str, addressee: Addressee, note: str = "") -> str:
    """The prepared words of a mail or a text message; `note` is what the customer has to know about the link."""
    words = (
        _(
            "Hello {name}, thank you for shopping at {shop}. See the protection plans for what you bought: {url}",
            name=addressee.first_name,
            shop=shop,
            url=url,
        )
        if addressee.first_name
        else _(
            "Thank you for shopping at {shop}. See the protection plans for what you bought: {url}", shop=shop, url=url
        )
    )
    return f"{words} {note}" if note else words


def address_warning(url: str, *, order_id: str, settings: Settings) -> None:
    """Flag a URL that is not the one built from the landing URL, the retailer and the order id."""
    if not settings.landing_url or not settings.retailer_uuid:
        return
    expected = landing_page_url(settings.landing_url, settings.retailer_uuid, order_id)
    if url != expected:
        st.warning(
            _(
                "**This link is not the expected one, {url}.** Open it and check it before you hand it over.",
                url=plain(expected),
            )
        )
