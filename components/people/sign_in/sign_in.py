"""Sign-in, by a library (platform.sign_in_library) that draws the form, checks the bcrypt hash and signs the cookie.

Who comes with a cookie is let in without it. What it leaves open is closed here: guesses are slowed down, unknown names
take as long as known ones, a cookie from before a sign-out is refused although it has not expired, a removed person is
out at once, and a broken cookie is a sign-in form, never a traceback.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

import streamlit as st

from components.people.sign_in.guarded_login import DEVICE, ByProvider, GuardedLogin, Parts, address_of_tab, was_refused
from components.people.sign_in.limits import NEVER, SHIFT, Limits, Place, enter_by_till, is_ahead
from components.people.sign_in.training import TrainingAccount
from components.people.till.page import to_the_pad
from components.platform import session
from components.platform.cookies.handing import hand_over, sent
from components.platform.cookies.tickets import Tickets
from components.platform.sign_in_library import SignInLibrary, read_cookie
from warranty.access import Operator
from warranty.errors import JournalUnavailable
from warranty.language import _
from warranty.people.accounts import Accounts

_SIGNING_OUT = "signing-out"
_NOT, _HERE, _ELSEWHERE, _AT_THE_PROVIDER = "", "here", "elsewhere", "at the provider"
_WHY = "put-out"
_SIGNED_IN_AT = "signed-in-at"
_HANDSHAKE = "handshake"
"""By which this tab was entered, or last came back with what opens it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn(Parts):
    """The parts of signing in, made once per process."""

    tickets: Tickets
    limits: Limits
    owes: Callable[[Accounts, Operator, datetime], bool]
    """Whether the second factor of a sign-in that began at this moment is still to be given."""
    provider: ByProvider | None = None
    """The shop's identity provider, where it has one."""

    def operator(
        self, *, beside_form: Callable[[], TrainingAccount | None], above_form: Callable[[], None] = lambda: None
    ) -> Operator | None:
        """The person signed in; None after drawing the form, with `above_form` over and `beside_form` under it.

        At a till the way to its pad takes its place.

        All that this draws stands in one container: the form comes and goes, and so does what writes the cookie, and
        a screen below that moved up or down would be mounted anew, with the text just typed into it lost.
        """
        form = partial(self._form, above_form=above_form, beside_form=beside_form)
        with st.container(key="sign-in-parts"):
            return self._operator(form)

    def _operator(self, form: Callable[[Accounts], None]) -> Operator | None:
        accounts = self.people()
        username = session.signed_in_username() or self._by_till(accounts) or self._by_cookie(accounts)
        place = Place.of_this_tab(self.tills)
        username = username or self._by_provider(place)
        accounts = self.people()  # the account may have been made just now
        operator = accounts.operator(username) if username else None
        way_out = session.recall(_SIGNING_OUT, _NOT)
        is_out = username is not None and self._is_out(accounts, username, place, _signed_in_at())
        if way_out != _NOT or is_out or (username is not None and operator is None):
            by_others = way_out in {_NOT, _ELSEWHERE}
            why = self._why_out(accounts, username) if username and by_others else ""
            _leave(self._library(accounts), way_out or _ELSEWHERE)
            session.remember(_WHY, why)  # for as long as the form stands, however often it is drawn
            operator = None
        elif operator is not None:
            self._is_here(accounts)
        hand_over(self.tickets, make_ready=operator is None)
        if way_out == _AT_THE_PROVIDER:  # once the cookie is taken away: the browser leaves this page
            st.logout()  # it ends the session over there, and comes back to the form
            return None
        if operator is not None:
            here = self._standing(accounts, place, operator, _signed_in_at())
            if here is None:
                return None
            return replace(here, as_of_now=self.watch(self.people.fresh, fresh=True), address=address_of_tab())
        if was_refused() or not to_the_pad(self.tills):
            if why := session.recall(_WHY, ""):
                st.info(why)
            form(self.people.fresh())
        return None

    def _why_out(self, accounts: Accounts, username: str) -> str:
        """Why the person of this tab is signed in no more, who did not sign out here."""
        account, before = accounts.by_username.get(username.lower()), session.current_operator()
        if self.limits.is_idle(accounts, username, _signed_in_at()):
            return _("You were signed out because nobody worked here for a while. What you had begun waits.")
        if account is None:
            return _("You were signed out: this account no longer exists. Ask an administrator.")
        if account.locked:
            return _("You were signed out: this account is locked. Ask an administrator.")
        if before is not None and before.role is not account.role:
            return _("Your role was changed: sign in again.")
        return _("You were signed out.")

    def watch(
        self, people: Callable[[], Accounts] | None = None, *, fresh: bool = False
    ) -> Callable[[], Operator | None]:
        """Give a look at who is signed in by now in this tab: None after a sign-out in any tab, or a removal.

        What acts looks by `people.fresh`, and `fresh` at the till, which asks the journal each time.
        """
        ask = people or self.people
        username, since = session.signed_in_username(), _signed_in_at()
        place = Place.of_this_tab(self.tills)

        def look() -> Operator | None:
            accounts = ask()
            if username is None or self._is_out(accounts, username, place, since, fresh=fresh):
                return None
            return self._standing(accounts, place, accounts.operator(username), since)

        return look

    def began_at(self) -> datetime:
        """When the sign-in of this tab began, aware; it is called by this moment."""
        return _signed_in_at()

    def _standing(
        self, accounts: Accounts, place: Place, operator: Operator | None, since: datetime
    ) -> Operator | None:
        """The person, working where this tab is; who was switched in at a till may too little to owe a code."""
        here = place.standing(operator)
        here = here and replace(here, on_refusal=self.people.denied)
        if here is None or place.since is not None:
            return here
        return replace(here, owes_second_factor=self.owes(accounts, here, since))

    def is_signed_in(self, cookie: str, till_key: str = "") -> bool:
        """Whether this cookie of a request is that of somebody who is signed in, or the till's of one who is there."""
        accounts, till = self.people(), self.tills.at(till_key)
        found = _cookie(cookie, accounts)
        left = self.tills.left_since(till_key)
        if found is not None and left is not None and found[1] <= left:
            found = None
        if found is not None:
            operator = None if self.limits.ended(accounts, *found) else accounts.operator(found[0])
            return operator is not None and not self.owes(accounts, operator, found[1])
        if till is None or not till.username or till.since is None:
            return False
        has_ended = self.limits.ended(accounts, till.username, till.since)
        return not has_ended and accounts.operator(till.username) is not None

    def is_signed(self, cookie: str, till_key: str = "") -> bool:
        """Whether this cookie was given to somebody by us, and is not too old, or somebody is at the till of this key.

        By the accounts and the tills seen last: what has ended by then stays so, and what seems idle may not be.
        """
        till, accounts = self.tills.last_at(till_key), self.people.last()
        found = _cookie(cookie, accounts)
        return bool(till and till.username) or (found is not None and not accounts.left(*found))

    def works(self) -> None:
        """Note that somebody works in this tab: its sign-in does not end for want of that."""
        accounts, username, since = self.people(), session.signed_in_username(), _signed_in_at()
        if username and self.limits.is_to_be_noted(accounts, username, since):
            with suppress(JournalUnavailable):  # what is drawn stays there while the journal is away
                self.people.worked(username, since)

    def begin_sign_out(self) -> None:
        """For the sign-out button's callback: the run that follows at once signs out, in every tab."""
        username, place = session.signed_in_username(), Place.of_this_tab(self.tills)
        if username and self._is_anothers(self.people(), username, _signed_in_at()):
            return
        if place.since is not None:  # who was switched in leaves the till alone
            self.tills.lock(place.key)
        elif username:
            self.people.sign_out(username)
            self.people.went(username, address_of_tab(), place.station())
        operator = self.people.last().operator(username or "")
        is_provided = place.since is None and operator is not None and operator.by_provider
        session.remember(_SIGNING_OUT, _AT_THE_PROVIDER if is_provided else _HERE)

    def stay(self) -> None:
        """After a person has changed their password here: the next run makes this tab's sign-in a new one."""
        session.forget(_SIGNED_IN_AT)

    def _by_till(self, accounts: Accounts) -> str | None:
        """Sign in who is switched in at this till."""

        def is_still_in(username: str, since: datetime) -> bool:
            return not (
                self.limits.ended(accounts, username, since)
                or self.limits.is_left_open(accounts, username, since)
                or accounts.operator(username) is None
            )

        found = enter_by_till(Place.of_this_tab(self.tills), is_still_in)
        if found is None:
            return None
        username, since = found
        session.remember(_SIGNED_IN_AT, since)
        session.enter(username)
        return username

    def _by_cookie(self, accounts: Accounts) -> str | None:
        """Sign in whom the browser's cookie names, unless it is broken, expired, or from before a sign-out."""
        cookie = self._sent(accounts)
        if cookie is None:
            session.refuse_cookie()
            return None
        username, issued_at = cookie
        place = Place.of_this_tab(self.tills)
        ended = self.limits.ended(accounts, username, issued_at) or place.has_ended(username, issued_at, fresh=True)
        left_open = place.till() is not None and self.limits.is_left_open(accounts, username, issued_at)
        if ended or left_open or accounts.operator(username) is None:
            session.refuse_cookie()
            return None
        # The moment first: with the name alone, a run cut off between the two would be a new sign-in.
        session.remember(_SIGNED_IN_AT, issued_at)
        session.enter(username)
        return username

    def _by_provider(self, place: Place) -> str | None:
        """Sign in whom the shop's identity provider has just sent back to this tab, as after the form."""
        username = self.provider.enter(place, address_of_tab()) if self.provider else None
        if username is not None:
            self._begin()
            session.enter(username)
        return username

    def _sent(self, accounts: Accounts) -> tuple[str, datetime] | None:
        """Whom the cookie of this tab's handshake names."""
        return _cookie(sent(self.cookie_name), accounts)

    def _is_out(self, accounts: Accounts, username: str, place: Place, since: datetime, *, fresh: bool = False) -> bool:
        """Whether a sign-in of this tab that began at this moment counts no more in it."""
        return (
            self.limits.ended(accounts, username, since)
            or place.has_ended(username, since, fresh=fresh)
            or self._is_anothers(accounts, username, since)
        )

    def _is_anothers(self, accounts: Accounts, username: str, since: datetime) -> bool:
        """Whether the browser that is connected now could not have opened this tab.

        The platform hands a tab to whoever names its session, also while it is in use. Who was not there as it was
        entered has to bring what opens it: at a till its key, else a cookie of this very person that counts still.
        """
        if session.handshake() in {"", session.recall(_HANDSHAKE, "")}:
            return False
        place, sent = Place.of_this_tab(self.tills), self._sent(accounts)
        if place.since is not None:
            return place.has_ended(username, since)
        return sent is None or sent[0] != username or self.limits.ended(accounts, *sent) or place.has_ended(*sent)

    def _begin(self) -> None:
        """A sign-in by a password or by the provider begins in this tab, with this connection."""
        session.forget(_SIGNED_IN_AT)
        session.remember(_HANDSHAKE, session.handshake())

    def _form(
        self, accounts: Accounts, *, above_form: Callable[[], None], beside_form: Callable[[], TrainingAccount | None]
    ) -> None:
        """Draw the library's form and let it judge; whom it lets in, the run that follows at once takes up."""
        library, guard = self._library(accounts), GuardedLogin(accounts, self, begins_anew=self._begin)
        with st.container(horizontal_alignment="center"), st.container(key="sign-in-card", width=416):
            above_form()
            if self.provider is not None:
                self.provider.offer()
                if self.provider.is_only:
                    return
            with st.container(key="begin-sign-in"):  # who comes begins in Name
                words = {"Form name": _("Sign in"), "Username": _("Name"), "Password": _("Password")}
                library.form(guard.login, {**words, "Login": _("Sign in")})
            problem = st.container()
            if trainee := beside_form():
                guard.login(trainee.username, trainee.password, library.check)
            if guard.problem:
                problem.error(guard.problem)

    def _is_here(self, accounts: Accounts) -> None:
        """Note of whom this tab is, and by which connection; of one who was just let in, the cookie too."""
        session.remember(_HANDSHAKE, session.handshake())
        if _signed_in_at() == NEVER:
            # Last, so that both are done: the cookie is signed, and its moment kept. Read just now, it is later than
            # what ended in letting this person in: another password, the till's last switch.
            session.remember(_SIGNED_IN_AT, self._library(accounts).give_cookie(self.people.fresh().now()))
        else:
            self.works()

    def _library(self, accounts: Accounts) -> SignInLibrary:
        return SignInLibrary(accounts, self.cookie_name, SHIFT)


def _leave(library: SignInLibrary, way_out: str) -> None:
    """End what the person had here. Each step may be the last of a run that a click cuts off: the next begins anew.

    Another tab may have a newer cookie than the one that has ended: only a sign-out here takes it away.
    """
    session.remember(_SIGNING_OUT, way_out)
    session.leave_everything(_SIGNING_OUT, DEVICE)
    library.leave(take_cookie=way_out != _ELSEWHERE)
    session.forget(_SIGNING_OUT)


def _signed_in_at() -> datetime:
    return session.recall(_SIGNED_IN_AT, NEVER)


def _cookie(token: str, accounts: Accounts) -> tuple[str, datetime] | None:
    """Whose cookie this is, and since when; None for none, a forged, expired or odd one, and one of a time to come."""
    found = read_cookie(token, accounts.cookie_key, SHIFT)
    return found if found and found[1] + SHIFT > accounts.now() and not is_ahead(accounts, found[1]) else None
