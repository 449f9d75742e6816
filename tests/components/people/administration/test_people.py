"""The screen on which an administrator looks after who may sign in."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components.people.administration.people import state_words
from components.platform.markup import plain
from tests.builders import ADMINISTRATOR
from tests.components.stage import Stage, shown, words
from warranty.access import Operator, Role
from warranty.people.accounts import Account, account
from warranty.people.accounts.passwords import is_password_of
from warranty.people.accounts.people import People
from warranty.people.tills import BADGE_PREFIX

PASSWORD = "three odd teapots"


@pytest.fixture
def stage(stage: Stage) -> Stage:
    for username, role in (("ada", Role.ADMINISTRATOR), ("bo", Role.STAFF)):
        made = account(username, name=username.title(), role=role, password=PASSWORD, rounds=4)
        People(stage.runtime.desk.journal.database).put(made)
    return stage


def kept(stage: Stage, username: str) -> Account:
    return People(stage.runtime.desk.journal.database).accounts().by_username[username]


def picked(stage: Stage, username: str, by: Operator = ADMINISTRATOR) -> AppTest:
    screen = stage.screen("people", by)
    row = [each.username for each in stage.runtime.staff.accounts.accounts(ADMINISTRATOR)].index(username)
    screen.session_state["people"] = {"selection": {"rows": [], "columns": [], "cells": [(row, "Name")]}}
    return shown(screen.run())


def test_an_invitation_shows_its_password_once_and_the_fields_are_empty_for_the_next(stage: Stage) -> None:
    screen = stage.screen("people", ADMINISTRATOR)
    screen.text_input(key="invite-name-0").set_value("Rio Till")
    screen.text_input(key="invite-username-0").set_value("Rio")
    screen.text_input(key="invite-store-0").set_value("north")
    screen = shown(screen.button(key="FormSubmitter:invitation-0-Invite").click().run())
    password = screen.code[0].value
    rio = kept(stage, "rio")
    assert is_password_of(password, rio.password_hash)
    assert (rio.name, rio.role, rio.home_store) == ("Rio Till", Role.STAFF, "north")
    assert screen.text_input(key="invite-name-1").value == ""
    assert password not in words(shown(screen.button(key="one-time-done").click().run()))


def test_what_is_refused_is_said_and_nothing_is_changed(stage: Stage) -> None:
    before = kept(stage, "bo"), kept(stage, "ada")
    screen = stage.screen("people", ADMINISTRATOR)
    screen.text_input(key="invite-username-0").set_value("bo")
    screen = shown(screen.button(key="FormSubmitter:invitation-0-Invite").click().run())
    assert "Somebody has this login name already" in words(screen)
    assert not screen.code
    assert "last administrator" in words(shown(picked(stage, "ada").button(key="lock-ada").click().run()))
    assert (kept(stage, "bo"), kept(stage, "ada")) == before


def test_a_person_is_locked_unlocked_and_given_a_new_password_or_another_role_with_a_home_store(stage: Stage) -> None:
    shown(picked(stage, "bo").button(key="lock-bo").click().run())
    assert kept(stage, "bo").locked
    shown(picked(stage, "bo").button(key="unlock-bo").click().run())
    assert not kept(stage, "bo").locked
    screen = shown(picked(stage, "bo").button(key="reset-bo").click().run())
    assert is_password_of(screen.code[0].value, kept(stage, "bo").password_hash)
    screen = picked(stage, "bo")
    screen.selectbox(key="person-role-bo-staff-").set_value(Role.MANAGER)
    screen.text_input(key="person-store-bo-staff-").set_value("north")
    shown(screen.button(key="FormSubmitter:person-bo-staff--Save").click().run())
    assert (kept(stage, "bo").role, kept(stage, "bo").home_store) == (Role.MANAGER, "north")


def test_a_name_is_shown_as_it_is_written_whatever_is_asked_and_said_of_its_person(stage: Stage) -> None:
    People(stage.runtime.desk.journal.database).put(replace(kept(stage, "bo"), name="Bo-_Ng_"))
    screen = picked(stage, "bo")
    asked = [text.value for text in screen.text if "signed out" in text.value]
    assert len(asked) == 3
    assert all("Bo-_Ng_" in each for each in asked)
    screen = shown(screen.button(key="lock-bo").click().run())
    assert [toast.value for toast in screen.toast] == [f"{plain('Bo-_Ng_')} is locked."]


def test_of_whom_the_provider_vouches_for_neither_password_nor_role_is_changed_here(stage: Stage) -> None:
    cy = replace(kept(stage, "bo"), username="cy", name="Cy", issuer="https://id.example", subject="s-1")
    People(stage.runtime.desk.journal.database).put(cy)
    screen = picked(stage, "cy")
    assert "Active, by the provider" in list(screen.dataframe[0].value["State"])
    assert "signs in by the identity provider" in words(screen)
    assert screen.selectbox(key="person-role-cy-staff-").disabled
    assert "reset-cy" not in [button.key for button in screen.button]
    shown(screen.button(key="lock-cy").click().run())
    assert kept(stage, "cy").locked


def test_a_badge_is_issued_shown_once_and_taken_again_of_those_who_train_too(stage: Stage) -> None:
    for username in ("bo", "staff"):
        screen = picked(stage, username)
        assert "no badge for tills" in words(screen)
        screen = shown(screen.button(key=f"issue-badge-{username}").click().run())
        assert screen.code[0].value.startswith(BADGE_PREFIX)
        assert "has had a badge since" in words(screen)
        screen = shown(screen.run().button(key="badge-printed").click().run())
        assert not screen.code
        shown(screen.button(key=f"take-badge-{username}").click().run())
        assert stage.runtime.staff.tills.badge_since(ADMINISTRATOR, username) is None


@pytest.mark.parametrize(("given", "state"), [
    ({}, "Active"), ({"issuer": "https://id.example"}, "Active, by the provider"),
    ({"one_time_until": datetime(2026, 11, 30, tzinfo=UTC)}, "Invited, not here yet"),
    ({"issuer": "https://id.example", "locked": True}, "Locked"),
])  # fmt: skip
def test_a_lock_is_told_before_anything_else_of_an_account(given: dict[str, Any], state: str) -> None:
    account = Account("bo", "Bo", Role.STAFF, "", **given)
    assert state_words(account, is_trainee=False) == state
    assert state_words(account, is_trainee=True) == "For training"
