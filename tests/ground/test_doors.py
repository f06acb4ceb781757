"""What the portal answers to a stranger who tries its doors, asked of the real server."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command

from .processes import answers, database_url, free_port, running, wait_for

GUNICORN = ["gunicorn", "portal.wsgi", "--workers", "2", "--no-control-socket", "--bind"]


@pytest.fixture(scope="module")
def server(lasting_database: None) -> Iterator[int]:
    """The portal behind gunicorn, on a port of its own."""
    port = free_port()
    with running([*GUNICORN, f"127.0.0.1:{port}"], DATABASE_URL=database_url()):
        wait_for(lambda: answers(port))
        yield port


def _ask(port: int, first_line: str, *headers: str) -> tuple[int, str]:
    """Send a request byte for byte and return the status and the whole answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as door:
        lines = [first_line, *headers, "Connection: close", "", ""]
        door.sendall("\r\n".join(lines).encode())
        answer = b""
        while part := door.recv(65536):
            answer += part
    return int(answer.split(b" ", 2)[1]), answer.decode(errors="replace")


@pytest.mark.slow
def test_the_portal_answers_to_its_own_name_only(server: int) -> None:
    good = f"Host: 127.0.0.1:{server}"
    page = "GET /accounts/login/ HTTP/1.1"
    assert _ask(server, page, good)[0] == 200
    for headers in (
        ["Host: evil.example"],
        ["Host: 127.0.0.1.evil.example"],
        ["Host: 127.0.0.1@evil.example"],
        [good, "Host: evil.example"],
        ["Host: evil.example", good],
    ):
        status, said = _ask(server, page, *headers)
        assert status == 400, headers
        assert "Traceback" not in said
    status, said = _ask(server, "GET http://evil.example/accounts/login/ HTTP/1.1", good)
    assert status == 400 or "evil.example" not in said


@pytest.mark.slow
def test_no_header_makes_a_link_to_somewhere_else(server: int) -> None:
    for header in (
        "X-Forwarded-Host: evil.example",
        "X-Host: evil.example",
        "X-Original-URL: /admin/",
        "Forwarded: host=evil.example",
    ):
        status, said = _ask(
            server, "GET /accounts/login/ HTTP/1.1", f"Host: 127.0.0.1:{server}", header
        )
        assert status == 200
        assert "evil.example" not in said


@pytest.mark.slow
def test_nothing_of_the_inside_is_served(server: int) -> None:
    for path in (
        "/.git/config",
        "/.env",
        "/manage.py",
        "/portal/settings.py",
        "/static/../portal/settings.py",
        "/static/%2e%2e/portal/settings.py",
        "/media/",
        "/files/",
        "/metrics",
        "/debug/",
        "/__debug__/",
        "/server-status",
        "/var/siltfence.sqlite3",
    ):
        status, said = _ask(server, f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{server}")
        assert status == 404, path
        assert "DJANGO_SETTINGS_MODULE" not in said, path


@pytest.mark.django_db
def test_a_new_portal_has_no_account_that_anybody_knows() -> None:
    """ASVS 6.3.2: there are no default accounts."""
    call_command("migrate", verbosity=0)
    assert not get_user_model().objects.exists()


def test_a_stored_file_is_for_the_portal_alone(tmp_path: Path) -> None:
    name = default_storage.save("plans/plan.pdf", ContentFile(b"%PDF-1.7"))
    stored = tmp_path / "files" / name
    assert stored.stat().st_mode & 0o777 == 0o640
    assert stored.parent.stat().st_mode & 0o777 == 0o750
