"""Twenty photos of four megabytes at once: the process that takes them stays small."""

from __future__ import annotations

import os
import re
import uuid
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.urls import reverse
from PIL import Image

from inspections.models import Visit
from portal import clock
from tests.ground.processes import answers, database_url, free_port, running, wait_for

from .factory import active_permit, inspector, open_visit

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

FOUR_MEGABYTES = 4 * 1024 * 1024
MOST = 300 * 1024
"""Kilobytes, as the kernel counts them."""


def large_photo() -> bytes:
    """A photo of about four megabytes, as a telephone takes it."""
    data = BytesIO()
    noise = Image.frombytes("RGB", (2500, 1850), os.urandom(2500 * 1850 * 3))
    noise.save(data, "JPEG", quality=90)
    assert 0.8 < len(data.getvalue()) / FOUR_MEGABYTES < 1.5
    return data.getvalue()


def cookie_of_inspector() -> str:
    person, session = inspector(), SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.create()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def form_with(visit: Visit, token: str, boundary: str) -> bytes:
    """The page's form with twenty photos on its first line."""
    line, photo = visit.lines.first(), large_photo()
    assert line is not None
    body = BytesIO()

    def part(head: str, content: bytes) -> None:
        disposition = f"--{boundary}\r\nContent-Disposition: form-data; {head}\r\n\r\n"
        body.write(disposition.encode() + content + b"\r\n")

    part('name="csrfmiddlewaretoken"', token.encode())
    part('name="line"', line.ref.encode())
    for number in range(20):
        comment = b"\xff\xfe\x00\x06%04d" % number  # so that no two are the same
        head = f'name="line-{line.ref}-photos"; filename="IMG_{number}.jpg"'
        part(head, photo[:2] + comment + photo[2:])
    part('name="end_of_form"', b"")
    body.write(f"--{boundary}--\r\n".encode())
    return body.getvalue()


def peak_of_children(pid: int) -> int:
    """The most memory that the processes behind a server ever held, in kilobytes."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    held = [Path(f"/proc/{child}/status").read_text() for child in children]
    return max(int(re.search(r"VmHWM:\s+(\d+)", text)[1]) for text in held)  # type: ignore[index]


def test_the_web_process_stays_below_300_megabytes():
    today = clock.today()
    visit = open_visit(active_permit(issued_on=today - timedelta(days=30)).site, on=today)
    port, cookie = free_port(), cookie_of_inspector()
    root, boundary = f"http://127.0.0.1:{port}", uuid.uuid4().hex
    server = ["gunicorn", "portal.wsgi", "--workers", "1", "--timeout", "300"]
    server += ["--no-control-socket", "--bind", f"127.0.0.1:{port}"]
    with running(server, DATABASE_URL=database_url()) as process:
        wait_for(lambda: answers(port))
        page = urlopen(Request(root + visit.get_absolute_url(), headers={"Cookie": cookie}))
        token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page.read().decode())
        assert token is not None
        given = page.headers.get_all("Set-Cookie") or []
        cookies = "; ".join([cookie, *(each.split(";")[0] for each in given)])
        request = Request(
            root + reverse("visit_save", args=[visit.key]),
            data=form_with(visit, token[1], boundary),
            headers={
                "Cookie": cookies,
                "Content-Type": f"multipart/form-data; boundary={boundary}",
            },
        )
        answer = urlopen(request, timeout=280)
        assert peak_of_children(process.pid) < MOST
    # A machine with much to do takes what it can and names the rest.
    named = answer.read().decode().count("the time ran out")
    assert visit.photos.count() + named == 20
