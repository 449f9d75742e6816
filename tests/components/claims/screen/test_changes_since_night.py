"""What changed since the last night on record: of any filter, after any restart."""

import re
from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.components.claims.screen.conftest import AddClaims
from tests.components.claims.screen.screen import opened, read
from tests.components.stage import Stage, press, words
from warranty.claims.retrieval import retrieve_claims
from warranty.claims.retrieval.update import Reading
from warranty.client.resources import ClaimQuery
from warranty.insight.history.keeping import keep
from warranty.insight.history.nights import Night, Nights, stored_claims

YESTERDAY = datetime.now(UTC) - timedelta(days=1)


@pytest.fixture
def now(stage: Stage) -> pd.DataFrame:
    return retrieve_claims(stage.runtime.service.client, ClaimQuery()).frame


def night_of(stage: Stage, claims: pd.DataFrame, *, as_of: datetime = YESTERDAY) -> Night:
    settings = stage.runtime.settings
    reading = Reading(stored_claims(claims, as_of), as_of, len(claims))
    return keep(Nights(settings.history_dir / settings.environment), reading, day=as_of.date(), environment="sandbox")


def since(test: AppTest) -> str:
    return " ".join([words(test), *(box.label for box in test.expander)])


def test_after_a_restart_the_last_night_tells_what_is_new_or_gone(stage: Stage, now: pd.DataFrame) -> None:
    before = now.iloc[3:].copy()
    before["status"] = ["WAITING", *before["status"].astype("str")[1:]]
    gone = now.iloc[[5]].assign(order_id="only-in-the-night")
    night_of(stage, pd.concat([before, gone], ignore_index=True))
    assert f"Since the night of {YESTERDAY.day} {YESTERDAY:%b %Y}: 3 new, 1 with another status, 1 gone" in since(
        opened(stage)
    )


def test_a_night_that_is_gone_from_the_disk_is_said(stage: Stage, now: pd.DataFrame) -> None:
    night = night_of(stage, now)
    next(night.path.glob("start_month=*/part.parquet")).unlink()
    assert "The last night on record cannot be read" in words(opened(stage))


def test_changes_since_the_night_and_since_the_last_reading_are_told_apart(
    stage: Stage, now: pd.DataFrame, add_claims: AddClaims
) -> None:
    night_of(stage, now.iloc[2:])
    test = opened(stage)
    add_claims({"claim_date": datetime.now(UTC).replace(tzinfo=None).isoformat(timespec="microseconds")})
    said = since(read(stage, press(test, "Refresh")))
    assert re.search(r"Since the night of .*: 3 new Since the reading at .*: 1 new", said)
