"""What the desk writes to its log."""

import json
import logging

from components.platform.serving.log_lines import Dated


def test_a_line_has_a_moment_of_its_own_and_one_of_json_is_json_still() -> None:
    call, sentence = (
        Dated().format(logging.makeLogRecord({"msg": text, "created": 1795716000.1234}))
        for text in ('{"operation": "record_sale", "status": 401}', "journal read failed: OperationalError")
    )
    moment = "2026-11-26T18:00:00.123+00:00"
    assert json.loads(call) == {"at": moment, "operation": "record_sale", "status": 401}
    assert sentence == f"{moment} journal read failed: OperationalError"
