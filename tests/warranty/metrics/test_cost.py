"""What counting costs a call."""

import logging
import time
from statistics import median

import pytest
from prometheus_client import CollectorRegistry

from tests.builders import order_of
from warranty.access import Operator
from warranty.desk import Desk
from warranty.metrics.counted import Counted


@pytest.mark.long
def test_counting_a_call_takes_less_than_a_hundredth_of_the_call(desk: Desk, clerk: Operator) -> None:
    """The call goes to a service on this machine: over a network it takes longer, and counting does not."""
    times = []
    for number in range(11):
        began = time.process_time()
        desk.send(clerk, order_of(order_id=f"o-{number}"), draft_id=f"d-{number}", screen="s")
        times.append(time.process_time() - began)
    counted = Counted(CollectorRegistry())
    line = {"operation": "submit_order", "outcome": "done", "milliseconds": 12.3}
    record = logging.makeLogRecord({"levelno": logging.INFO, "call": line})
    rounds = []
    for _ in range(5):
        began = time.process_time()
        for _ in range(1000):
            counted.handle(record)
            counted.transaction("write", 0.01, False)
            counted.transaction("write", 0.01, False)
        rounds.append((time.process_time() - began) / 1000)
    assert min(rounds) < median(times) / 100
