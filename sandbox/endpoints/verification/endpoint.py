"""GET /api/verify-auth: whether the private token is accepted (section "GET /api/verify-auth")."""

from sandbox.service.service import Service
from sandbox.wire.answers import Answer, json_answer
from sandbox.wire.requests import Request


def verify_credentials(_service: Service, _request: Request) -> Answer:
    """Reached only with the private token, so there is nothing left to find out."""
    # Assumption verify-auth.answer
    return json_answer({"success": True})
