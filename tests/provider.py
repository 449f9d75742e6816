"""A real OpenID provider on this machine, and the desk of a shop that signs in there."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

import httpx
from flask import Response, request
from oidc_provider_mock import app as provider_app
from werkzeug.serving import make_server

COOKIE_SECRET = "0123456789abcdef-of-a-test-0123456789"


@dataclass
class Provider:
    url: str
    asked: list[str] = field(default_factory=list)

    def knows(self, subject: str, *, groups: Sequence[str], **claims: object) -> None:
        told = {"groups": list(groups), **claims}
        httpx.put(f"{self.url}/users/{subject}", json=told).raise_for_status()

    def secrets_in(self, folder: Path) -> None:
        (folder / ".streamlit").mkdir(parents=True, exist_ok=True)
        (folder / ".streamlit" / "secrets.toml").write_text(
            '[auth]\nredirect_uri = "http://127.0.0.1:{port}/oauth2callback"\n'
            f'cookie_secret = "{COOKIE_SECRET}"\nclient_id = "desk"\nclient_secret = "the-secret-of-the-desk"\n'
            f'server_metadata_url = "{self.url}/.well-known/openid-configuration"\n'
        )


@contextmanager
def running_provider() -> Iterator[Provider]:
    """It runs in a thread of this process; the library that it is made with takes http only where it is told to."""
    before = os.environ.get("AUTHLIB_INSECURE_TRANSPORT")
    os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
    known = Provider("")
    app = provider_app()

    @app.before_request
    def note() -> None:
        known.asked.append(request.path)

    @app.after_request
    def ask_no_other_host(answer: Response) -> Response:
        """Its pages name a style sheet of another host."""
        if answer.mimetype == "text/html":
            answer.set_data(re.sub(r"<link\b[^>]*https://[^>]*>", "", answer.get_data(as_text=True)))
        return answer

    server = make_server("127.0.0.1", 0, app, threaded=True)
    known.url = f"http://127.0.0.1:{server.server_port}"
    serving = Thread(target=server.serve_forever)
    serving.start()
    try:
        yield known
    finally:
        server.shutdown()
        serving.join()
        server.server_close()
        if before is None:
            del os.environ["AUTHLIB_INSECURE_TRANSPORT"]
