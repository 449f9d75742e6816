from datetime import UTC, datetime, timedelta

from components.sign_in.throttle import Throttle


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 11, 21, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def test_a_few_wrong_passwords_cost_nothing_and_then_the_wait_grows() -> None:
    clock = Clock()
    throttle = Throttle(free_tries=3, now=clock)
    waits = []
    for _ in range(6):
        throttle.failed("ada")
        waits.append(throttle.wait("ada"))
        clock.now += waits[-1]
    assert waits == [timedelta(seconds=seconds) for seconds in (0, 0, 5, 10, 20, 40)]


def test_a_wait_ends_by_itself_and_another_person_never_waits() -> None:
    clock = Clock()
    throttle = Throttle(free_tries=1, now=clock)
    throttle.failed("ada")
    assert throttle.wait("ada") == timedelta(seconds=5)
    assert throttle.wait("bob") == timedelta(0)
    clock.now += timedelta(seconds=5)
    assert throttle.wait("ada") == timedelta(0)


def test_the_right_password_clears_the_wrong_tries() -> None:
    throttle = Throttle(free_tries=1, now=Clock())
    throttle.failed("ada")
    throttle.succeeded("ada")
    assert throttle.wait("ada") == timedelta(0)


def test_nobody_is_locked_out_for_longer_than_five_minutes() -> None:
    clock = Clock()
    throttle = Throttle(free_tries=1, now=clock)
    for _ in range(50):
        throttle.failed("ada")
    assert throttle.wait("ada") == timedelta(minutes=5)
