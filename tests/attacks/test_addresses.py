"""What a stranger claims about their address."""

import httpx

from tests.dashboard import Dashboard


def test_who_claims_another_address_each_time_is_counted_as_one(dashboard: Dashboard) -> None:
    """Screens that wait for their code are counted by address, as tries to sign in are: 20 of one, no more."""
    answers = [
        httpx.get(
            f"{dashboard.url}/customer/now",
            headers={"X-Forwarded-For": f"203.0.113.{number}"},
            trust_env=False,
        ).status_code
        for number in range(25)
    ]
    assert answers.count(429) == 5
