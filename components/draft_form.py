"""A form whose input is never lost: it outlives a rerun, another screen, a reload, and a sign-out.

Each field is a widget whose value is put back from the person's stored draft whenever the widget is drawn anew.
The draft has an id from its first moment; what is sent carries it, so that one draft is sent once.
"""

import contextlib
import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final, Self

import streamlit as st

from components import session
from components.problems import problem_at
from warranty.access import Operator
from warranty.errors import JournalUnavailable
from warranty.journal import Journal
from warranty.resources import LONGEST_TEXT


class DraftForm:
    """The input of one screen by one person: field names in dots (`billing_address.state`), values in JSON terms."""

    def __init__(
        self,
        *,
        journal: Journal,
        environment: str,
        username: str,
        screen: str,
        draft_id: str,
        content: dict[str, Any],
    ) -> None:
        self._journal = journal
        self._environment = environment
        self._username = username
        self.screen = screen
        self.draft_id = draft_id
        self._opened_with = content
        self.values: dict[str, Any] = {}

    @classmethod
    def open(cls, *, journal: Journal, environment: str, operator: Operator, screen: str) -> Self:
        """The person's draft of this screen: this tab's, else the stored, else the last sent, else a new one."""
        known: tuple[str, dict[str, Any]] | None = session.recall(f"draft.{screen}", None)
        if known is None:
            stored = journal.drafts.load(environment=environment, username=operator.username, screen=screen)
            last = journal.preferences.load(operator.username, _last_sent(environment, screen))
            if stored:
                known = (stored.draft_id, stored.content)
            else:
                known = (last if isinstance(last, str) else uuid.uuid4().hex, {})
            session.clear_prefixed(f"{screen}:")
            session.remember(f"draft.{screen}", known)
        draft_id, content = known
        return cls(
            journal=journal,
            environment=environment,
            username=operator.username,
            screen=screen,
            draft_id=draft_id,
            content=content,
        )

    @property
    def problems(self) -> Mapping[str, str]:
        """The faults found at the last try to send, by field."""
        return session.recall(f"problems.{self.screen}", {})

    def set_problems(self, problems: Mapping[str, str]) -> None:
        """Keep the faults of a try for the next run."""
        session.remember(f"problems.{self.screen}", dict(problems))

    def drop_mended(self, check: Callable[[], tuple[object, Mapping[str, str]]]) -> None:
        """Take away the shown faults that are mended by now; others than were shown wait for the next try to send."""
        if not self.problems:
            return
        _, faults = check()
        left = {field: faults[field] for field in self.problems if field in faults}
        if left != self.problems:
            self.set_problems(left)
            st.rerun()

    @property
    def _kept(self) -> dict[str, Any]:
        """The draft as this tab knows it now: a callback holds the form of an older run, perhaps an interrupted one."""
        draft_id, content = session.recall(f"draft.{self.screen}", _NONE)
        return content if draft_id == self.draft_id else self._opened_with

    @property
    def _is_put_away(self) -> bool:
        """Whether the tab has another draft by now, or none: then fields that are still on the way say nothing."""
        draft_id, _ = session.recall(f"draft.{self.screen}", _NONE)
        return draft_id != self.draft_id

    def kept(self, field: str, default: Any) -> Any:
        """What the draft holds for a field that is no simple widget (a table)."""
        return self._kept.get(field, default)

    def keep(self, field: str, value: Any) -> None:
        """Change what the draft holds for a field that is no simple widget (a basket)."""
        if self._kept.get(field) != value:
            self.keep_all({field: value})

    def keep_all(self, values: Mapping[str, Any]) -> None:
        """Change several fields of the draft in one step: an interrupted run has changed all of them or none."""
        if self._is_put_away:
            return
        session.remember(f"draft.{self.screen}", (self.draft_id, {**self._kept, **values}))

    def put(self, field: str, value: Any) -> None:
        """Change a field in a callback, as if it had been typed.

        The widget is mounted anew: one that stays could miss the change when its run is interrupted, and would then
        send its old value back.
        """
        renewed: Mapping[str, int] = self.kept(_RENEWED, {})
        self.keep_all({field: value, _RENEWED: {**renewed, field: renewed.get(field, 0) + 1}})

    def key(self, field: str, default: Any = "") -> str:
        """The widget key of a field, its value put back from the draft where the widget is new."""
        key = self.widget_key(field)
        if not session.is_filled(key):
            session.fill(key, self._kept.get(field, default))
        return key

    def widget_key(self, field: str) -> str:
        """The widget key of a field, for a widget that is given the draft's value as its default."""
        renewed = self.kept(_RENEWED, {}).get(field)
        return f"{self.screen}:{self.draft_id}:{field}" + (f":{renewed}" if renewed else "")

    def text(self, field: str, label: str, *, default: str = "", **options: Any) -> str:
        """A text field with its fault below it; gives the text without blanks around it."""
        options = {"max_chars": LONGEST_TEXT, **options}
        kept, key = str(self._kept.get(field, default)), self.widget_key(field)
        value = (
            st.text_input(label, value=kept, key=key, on_change=self.typed, args=(field, key), **options)
            or ""
        )
        problem_at(self.problems, field)
        self.values[field] = value
        return value.strip()

    def typed(self, field: str, key: str) -> None:
        """Store at once what was typed; for callbacks.

        The run that would store it may be cut off by a click on the menu. A field that code has mounted anew since
        (`put`) is heard no more: the browser may not know that yet, and send its old text once again.
        """
        if key != self.widget_key(field):
            return
        self.keep(field, session.value_of(key, ""))
        self.try_to_store()

    def save(self) -> None:
        """Store the draft with what this run has read of its fields."""
        self.keep_all(self.values)
        self.store()

    def try_to_store(self) -> None:
        """Store the draft, for callbacks: where the journal is away, the run that follows tries again and says so."""
        with contextlib.suppress(JournalUnavailable):
            self.store()

    def store(self) -> None:
        """Store the draft when it is not what was stored last; in callbacks, which hold the fields of an older run."""
        if self._is_put_away:
            return
        stored, content = f"stored.{self.screen}", self._kept
        if content != session.recall(stored, {}):
            self._journal.drafts.save(
                environment=self._environment,
                username=self._username,
                screen=self.screen,
                draft_id=self.draft_id,
                content=content,
            )
            session.remember(stored, dict(content))

    def about_to_send(self) -> None:
        """Note that this draft is being sent, so that a reload shows what became of it, not an empty form."""
        self.save()
        self._journal.preferences.save(
            self._username, _last_sent(self._environment, self.screen), self.draft_id
        )

    def start_anew(self, **content: Any) -> None:
        """Put this draft away and begin another, with some fields filled; for callbacks. Once for each draft."""
        if self._is_put_away:
            return
        self._journal.drafts.discard(self.draft_id)
        self._journal.preferences.save(self._username, _last_sent(self._environment, self.screen), None)
        session.clear_prefixed(f"{self.screen}:")
        session.forget(f"problems.{self.screen}")
        session.remember(f"draft.{self.screen}", (uuid.uuid4().hex, dict(content)))


_NONE: Final[tuple[str, dict[str, Any]]] = ("", {})
_RENEWED: Final = ".renewed"
"""How often code has changed a field; part of its widget's key. No field is called so."""


def _last_sent(environment: str, screen: str) -> str:
    return f"last-sent.{environment}.{screen}"
