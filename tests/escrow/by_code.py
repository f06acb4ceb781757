"""A browser without an account, and a bill that it opens with number and code."""

from __future__ import annotations

import uuid
from typing import Any

from django.test import Client

from escrow.bills.code import code_of
from escrow.models import Bill

__all__ = ["asks", "enter", "opened", "page_of", "text"]


def page_of(bill: Bill) -> str:
    return f"/pay/{bill.key}/"


def enter(client: Client, number: str, typed: str, **more: str) -> Any:
    return client.post("/pay/", {"number": number, "code": typed, **more})


def opened(bill: Bill, client: Client | None = None) -> Client:
    """A browser without an account that has opened the bill."""
    client = client or Client()
    answer = enter(client, bill.number, code_of(bill))
    assert (answer.status_code, answer.headers["Location"]) == (303, page_of(bill))
    return client


def asks(step: str, **more: str) -> dict[str, str]:
    fields = {"amount": "200.00", "name": "Ann Meyer", "operation": str(uuid.uuid4())}
    return fields | more | {"step": step}


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())
