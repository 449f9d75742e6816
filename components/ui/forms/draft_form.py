"""A form whose input is never lost: it outlives a rerun, another screen, a reload, and a sign-out.

Each field is a widget whose value is put back from the person's stored draft whenever the widget is drawn anew.
The draft has an id from its first moment; what is sent carries it, so that one draft is sent once.
"""

import contextlib
import dataclasses
import hashlib
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Any, Final, Self, TypeVar

import streamlit as st

from components.platform import session
from components.platform.markup import plain
from components.ui.day_field import day_field
from components.ui.forms.faults import Faults
from components.ui.forms.pick_list import Option, pick_list
from components.words.days import EARLIEST, LATEST
from warranty.access import Operator
from warranty.client.resources import LONGEST_TEXT
from warranty.desk import Desk
from warranty.desk.journal import AttemptState, Draft, Drafts
from warranty.errors import JournalUnavailable, PermissionDenied
from warranty.language import _

D = TypeVar("D", bound=str | None)


@dataclasses.dataclass(eq=False)
class DraftForm:
    """The input of one screen by one person: field names in dots (`billing_address.state`), values in JSON terms."""

    _desk: Desk
    operator: Operator
    screen: str
    draft_id: str
    _opened_with: dict[str, Any]
    values: dict[str, Any] = dataclasses.field(default_factory=dict)
    """What this run has read of its fields."""

    def __post_init__(self) -> None:
        self.faults = Faults(self.screen, self.widget_key)

    @classmethod
    def open(cls, desk: Desk, operator: Operator, screen: str) -> Self:
        """The person's draft of this screen: this tab's, else the one in its address, else the newest, else a new one.

        A draft at which another tab of this server is at work is left to it, unless it was sent.
        """
        known: tuple[str, dict[str, Any]] | None = session.recall(f"draft.{screen}", None)
        if known is None:
            known = _found(desk, operator, screen)
            session.clear_prefixed(f"{screen}:")
            session.remember(f"draft.{screen}", known)
            if known[1]:
                session.remember(f"stored.{screen}", known)
        draft_id, content = known
        _AT_WORK[draft_id] = session.connection()
        return cls(desk, operator, screen, draft_id, content)

    @property
    def content(self) -> dict[str, Any]:
        """The draft as this tab knows it now: a callback holds the form of an older run, perhaps an interrupted one."""
        draft_id, content = session.recall(f"draft.{self.screen}", _NONE)
        return content if draft_id == self.draft_id else self._opened_with

    @property
    def _is_replaced(self) -> bool:
        """Whether the tab has another draft by now, or none: then fields that are still on the way say nothing."""
        draft_id, _ = session.recall(f"draft.{self.screen}", _NONE)
        return draft_id != self.draft_id

    def keep(self, values: Mapping[str, Any]) -> None:
        """Change fields of the draft that are no simple widgets (a basket).

        In one step: an interrupted run has changed all of them or none.
        """
        if self._is_replaced or self.is_locked:
            return
        session.remember(f"draft.{self.screen}", (self.draft_id, {**self.content, **values}))

    def put(self, values: Mapping[str, Any], **beside: Any) -> None:
        """Change fields by code, as if it had been typed, and what the draft holds `beside` them, in one step.

        Their widgets are mounted anew: one that stays could miss the change when its run is interrupted, and would
        then send its old value back.
        """
        renewed: Mapping[str, int] = self.content.get(_RENEWED, {})
        anew = {field: renewed.get(field, 0) + 1 for field in values}
        self.keep({**values, **beside, _RENEWED: {**renewed, **anew}})

    def widget_key(self, field: str) -> str:
        """The key of a field's widget, which is given the draft's value as its default."""
        renewed = self.content.get(_RENEWED, {}).get(field)
        locked = ":sent" if self.is_locked else ""  # mounted anew, so that nothing typed too late stays in it
        return f"{self.screen}:{self.draft_id}:{field}" + (f":{renewed}" if renewed else "") + locked

    def text(
        self,
        field: str,
        label: str,
        *,
        default: str = "",
        show_fault: bool = True,
        alone: bool = False,
        draw: Callable[..., str | None] = st.text_input,
        **options: Any,
    ) -> str:
        """A text field with its fault below it, unless it is told elsewhere; the text without blanks around it."""
        stored, widget = str(self.content.get(field, default)), self._widget(field)
        value = self.values[field] = draw(label, stored, **{"max_chars": LONGEST_TEXT, **widget, **options}) or ""
        if show_fault:
            self.faults.draw(field, alone=alone)
        return value.strip()

    def choice(
        self,
        field: str,
        label: str,
        words: Mapping[str, str],
        default: D,
        *,
        as_buttons: bool = False,
        other_names: Mapping[str, Sequence[str]] = MappingProxyType({}),
        fault: str = "",
        **options: Any,
    ) -> str | D:
        """One of several values, in these words: a list or a row of buttons; `default` while none is chosen.

        A list also takes `other_names` of its values, and keeps a text that is none of them: a fault of the field, or
        of that named `fault`, since `default` is not what the person meant.
        What the draft holds goes along as the widget's default: put into the session alone it would be lost with the
        run that put it there, if another interrupts it, and the browser would then answer with nothing chosen.
        """
        options |= self._widget(field)
        held = self.content.get(field, default)
        if as_buttons:
            held = held if held in words else default
            options["format_func"] = words.__getitem__
            chosen = st.segmented_control(label, list(words), default=held, **options)
        else:
            rows = [Option(value, text, tuple(other_names.get(value, ()))) for value, text in words.items()]
            chosen = pick_list(label, str(held or ""), options=rows, **options)
            if chosen not in words and (chosen or default):
                self.faults.unsettled[fault or field] = _("{field}: choose one from the list", field=label)
            self.faults.draw(fault or field, at=field)
        self.values[field] = chosen
        return chosen if chosen in words else default

    def day(self, field: str, label: str) -> str:
        """A date as `YYYY-MM-DD`; empty while none is chosen, and where the draft holds none that can be picked."""
        begun = f"begun.{self.widget_key(field)}"
        if not session.is_filled(self.widget_key(field)):  # nobody can empty a field that is drawn with a day
            session.remember(begun, _day(self.content.get(field, "")))
        day: date | None = day_field(label, session.recall(begun, None), **self._widget(field))
        self.values[field] = day.isoformat() if day else ""
        return str(self.values[field])

    def tick(self, field: str, label: str) -> bool:
        """A box to tick."""
        ticked = st.checkbox(label, bool(self.content.get(field, False)), **self._widget(field))
        self.values[field] = ticked
        return ticked

    def confirm(self, field: str, text: str, why: str = "") -> None:
        """Ask whether a doubtful text is right: once, and this text alone; what was sent is asked about no more."""
        if self.is_locked:
            return
        if why:
            st.markdown(f":orange[{plain(why)}]")
        if not self.tick(f"{field}.meant.{text}", _("{text} is correct", text=plain(text))):
            self.faults.unsettled[field] = _("Confirm “{text}”, or correct it", text=text)

    def _widget(self, field: str) -> dict[str, Any]:
        """What every widget of a draft's field is given."""
        key = self.widget_key(field)
        return {"key": key, "disabled": self.is_locked, "on_change": self.typed, "args": (field, key)}

    def typed(self, field: str, key: str) -> None:
        """Store at once what was typed; for callbacks.

        The run that would store it may be cut off by a click on the menu. A field that code has mounted anew since
        (`put`) is heard no more: the browser may not know that yet, and send its old text once again.
        """
        if key != self.widget_key(field):
            return
        value: Any = session.value_of(key, "")
        self.keep({field: value.isoformat() if isinstance(value, date) else value})
        self.try_to_store()

    def save(self) -> None:
        """Store the draft with what this run has read of its fields; one in which nothing was entered is not stored."""
        self.keep(self.values)
        if not self._opened_with and session.recall(f"stored.{self.screen}", _NONE)[0] != self.draft_id:
            session.remember(f"stored.{self.screen}", (self.draft_id, dict(self.content)))
        self.store()

    def try_to_store(self) -> None:
        """Store the draft, for callbacks: where the journal is away, the run that follows tries again and says so.

        Not for who is signed in no more: it would lie in the journal for whoever gets that name next.
        """
        with contextlib.suppress(JournalUnavailable):
            if self.operator.is_still_in():
                self.store()

    def store(self) -> None:
        """Store the draft when it is not what was stored last; in callbacks, which hold the fields of an older run."""
        if self._is_replaced:
            return
        stored, content = f"stored.{self.screen}", self.content
        if (self.draft_id, content) != session.recall(stored, _NONE):
            self._drafts.save(self.draft_id, content)
            session.remember(stored, (self.draft_id, dict(content)))

    def about_to_send(self) -> None:
        """Note that this draft is being sent: from now on it stays as it is, and a reload shows what became of it."""
        self.save()
        session.remember(f"locked.{self.screen}", self.draft_id)
        self._drafts.last_sent.save(self.draft_id)

    @property
    def is_locked(self) -> bool:
        """Whether the draft stays as it was sent: while that is on its way or unknown, and when it is done."""
        return bool(session.recall(f"locked.{self.screen}", "") == self.draft_id)

    def lock(self, locked: bool) -> None:
        """Lock the draft, or open it; one that another tab has sent becomes what that tab has sent."""
        if locked and not self.is_locked:
            sent = next((draft.content for draft in self._drafts.all() if draft.draft_id == self.draft_id), {})
            session.remember(f"draft.{self.screen}", (self.draft_id, sent))
            session.remember(f"locked.{self.screen}", self.draft_id)
        if not locked:
            session.forget(f"locked.{self.screen}")

    def waiting(self) -> list[Draft]:
        """The person's other drafts of this screen, newest first; not those that are sent by themselves."""
        return [draft for draft in self._drafts.all() if draft.draft_id != self.draft_id and not draft.waits]

    def start_anew(self, **content: Any) -> None:
        """Erase this draft and begin another, with some fields filled; for callbacks. Once for each draft."""
        if not self._is_replaced:
            self._drafts.discard(self.draft_id)
            self.leave(**content)

    def leave(self, to: Draft | None = None, **content: Any) -> None:
        """Go on with another draft, or begin one with some fields filled, while this one waits; for callbacks."""
        if self._is_replaced:
            return
        self._drafts.last_sent.save(None)
        session.clear_prefixed(f"{self.screen}:")
        self.faults.forget()
        opened = (to.draft_id, to.content) if to else (_new_id(self.operator), content)
        session.remember(f"draft.{self.screen}", opened)

    @property
    def _drafts(self) -> Drafts:
        return self._desk.drafts(self.operator, self.screen)


_NONE: Final[tuple[str, dict[str, Any]]] = ("", {})
_AT_WORK: Final[dict[str, str]] = {}
"""Which connection is at work at which draft."""
_RENEWED: Final = ".renewed"
"""How often code has changed a field; part of its widget's key. No field is called so."""


def new_row(form: DraftForm, table: str) -> str:
    """An id for a row of a table: the first one's follows from the draft's, for the reason given at `_new_id`."""
    return form.draft_id[:8] if form.content.get(table) is None else uuid.uuid4().hex[:8]


def _found(desk: Desk, operator: Operator, screen: str) -> tuple[str, dict[str, Any]]:
    drafts = desk.drafts(operator, screen)
    stored = drafts.all()
    contents = {draft.draft_id: draft.content for draft in stored}
    last = drafts.last_sent.load()
    for draft_id, connection in list(_AT_WORK.items()):
        if not session.is_connected(connection):
            _AT_WORK.pop(draft_id, None)
    named = st.query_params.get("draft", "")
    if named in contents or (named and _was_sent(desk, operator, screen, named)) or _is_own(named, operator):
        return named, contents.get(named, {})  # an address leads nobody to what another person typed
    sent = desk.activity.attempt_of(operator, last) if isinstance(last, str) else None
    if sent is not None and sent.state is AttemptState.DONE:  # the next tab is for the next customer
        last = sent = None
    for draft in stored:
        free = _AT_WORK.get(draft.draft_id, "") in {"", session.connection()}
        newer = sent is None or draft.updated_at > sent.started_at
        # What was sent and put aside waits in Activity: it is not the next customer's.
        if draft.draft_id == last or (free and newer and not _was_sent(desk, operator, screen, draft.draft_id)):
            return draft.draft_id, draft.content
    return (last if isinstance(last, str) else _new_id(operator)), {}


def _day(stored: object) -> date | None:
    try:
        day = date.fromisoformat(str(stored))
    except ValueError:
        return None
    return day if EARLIEST <= day <= LATEST else None


def _new_id(operator: Operator) -> str:
    """An id for a draft of this person.

    It says whose it is, so that a tab that comes back to another server before anything of its draft was stored goes on
    with the same draft, and what its fields hold still fits.
    """
    made = uuid.uuid4().hex[:24]
    return made + _mark(made, operator)


def _is_own(draft_id: str, operator: Operator) -> bool:
    return len(draft_id) == 32 and draft_id[24:] == _mark(draft_id[:24], operator)


def _mark(made: str, operator: Operator) -> str:
    return hashlib.sha256(f"{made} {operator.username}".encode()).hexdigest()[:8]


def _was_sent(desk: Desk, operator: Operator, screen: str, draft_id: str) -> bool:
    """Whether this person has sent the draft from this screen."""
    try:
        sent = desk.activity.attempt_of(operator, draft_id)
    except PermissionDenied:  # an address of somebody else
        return False
    return sent is not None and (sent.username, sent.screen) == (operator.username, screen)
