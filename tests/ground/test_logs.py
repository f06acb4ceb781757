"""The log: one line per event, in UTC, and no secret in it."""

from __future__ import annotations

import json
import logging
from datetime import datetime
from typing import Any

import pytest
from django.test import RequestFactory

from portal.logs import JsonLineFormatter, without_secrets


def _line(message: str, *args: Any, **extra: Any) -> str:
    record = logging.LogRecord("portal", logging.WARNING, __file__, 1, message, args, None)
    vars(record).update(extra)
    return JsonLineFormatter().format(record)


@pytest.mark.parametrize(
    "nasty", ["\r\n", "\n", "\x1b[2J\x1b[31m", "\x7f\x08", "\x85", "\u2028", "\u202e", "\x00"]
)
def test_no_text_starts_a_second_line_or_moves_the_cursor(nasty: str) -> None:
    line = _line("Upload %s refused", f"plan{nasty}2026-12-08 INFO all is well.pdf")
    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["message"].startswith(f"Upload plan{nasty}")


def test_the_moment_is_utc_and_says_so() -> None:
    line = json.loads(_line("x", created=0.25))
    assert line["at"] == "1970-01-01T00:00:00.250Z"
    assert datetime.fromisoformat(json.loads(_line("x"))["at"]).utcoffset() is not None


def test_a_traceback_stays_in_the_line() -> None:
    try:
        raise ValueError("first\nsecond")
    except ValueError as error:
        line = _line("It failed", exc_info=(type(error), error, error.__traceback__))
    assert line.isprintable()
    assert "ValueError: first\nsecond" in json.loads(line)["exception"]


def test_a_request_is_named_without_its_query() -> None:
    request = RequestFactory().get("/look-up/?q=my+neighbour")
    line = json.loads(_line("Not found", request=request, status_code=404))
    assert (line["method"], line["path"], line["status"]) == ("GET", "/look-up/", 404)
    assert "neighbour" not in json.dumps(line)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("POST password=hunter2&next=/", "hunter2"),
        ("{'csrfmiddlewaretoken': 'abc123'}", "abc123"),
        ("Cookie: sessionid=abc123; other=1", "abc123"),
        ("Authorization: Bearer abc123", "abc123"),
        ("cannot reach postgres://siltfence:hunter2@db/siltfence", "hunter2"),
        ("smtp+tls://mail:hunter2@mail.city.example:587", "hunter2"),
        ("SECRET_KEY=abc123", "abc123"),
        ("Not Found: /calendar/mY3sEcReTlInK-mY3sEcReTlInK_99/", "mY3sEcReTlInK"),
        ("Not Found: /accounts/password/reset/key/4-cq2n8o-0123456789abcdef0123/", "cq2n8o"),
    ],
)
def test_secrets_are_hidden(text: str, secret: str) -> None:
    assert secret in text
    assert secret not in without_secrets(text)
    assert "[hidden]" in without_secrets(text)


@pytest.mark.parametrize(
    "text",
    [
        "Not Found: /sites/S-2026-0042/applications/AP-2026-0042/",
        "Bad Request: /law/stop-work-compliance/",
        "Outbox message 17 waits: [Errno 111] Connection refused",
    ],
)
def test_the_rest_is_left_as_it_is(text: str) -> None:
    assert without_secrets(text) == text


@pytest.mark.django_db
def test_a_real_event_of_the_server_is_one_line(client, capsys) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLineFormatter())
    logger = logging.getLogger("django.request")
    logger.addHandler(handler)
    try:
        client.get("/nowhere%0d%0aFAKE%1b[31m/?token=hunter2", HTTP_USER_AGENT="x\r\nFAKE")
    finally:
        logger.removeHandler(handler)
    lines = [x for x in capsys.readouterr().err.splitlines() if '"django.request"' in x]
    assert len(lines) == 1
    assert json.loads(lines[0])["status"] == 404
    assert "hunter2" not in lines[0]
