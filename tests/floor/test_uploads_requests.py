"""Odd and broken requests, spoken byte by byte to a real server: never a 500."""

from __future__ import annotations

import base64
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.conftest import ROOT

from .servers import free_port, wait_for_port

TOKEN = "a" * 32  # an unmasked secret: cookie and field may both carry it
EDGE = "edge-of-a-part"
END = ("end_of_form", "")


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[int]:
    """The site with one form, under gunicorn as in production."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "django.core.wsgi:get_wsgi_application()",
         "--bind", f"127.0.0.1:{port}", "--workers", "1", "--no-control-socket", "--timeout", "30"],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "tests.floor.upload_settings"},
        stdout=subprocess.DEVNULL,
        stderr=(tmp_path_factory.mktemp("gunicorn") / "log").open("wb"),
    )  # fmt: skip
    wait_for_port(port, process)
    yield port
    process.terminate()
    process.wait(15)


def part(name: str, value: str | bytes, *more: str, file: str | None = None) -> bytes:
    """One part of a form."""
    head = f'Content-Disposition: form-data; name="{name}"'
    head += f'; filename="{file}"' if file is not None else ""
    lines = [f"--{EDGE}", head, *more, "", ""]
    return "\r\n".join(lines).encode() + (value if isinstance(value, bytes) else value.encode())


def body_of(*parts: bytes, end: bool = True) -> bytes:
    """A form from its parts, with the token that every form of ours begins with."""
    begun = [part("csrfmiddlewaretoken", TOKEN), *parts, *([part(*END)] if end else [])]
    return b"\r\n".join([*begun, f"--{EDGE}--\r\n".encode()])


def speak(port: int, body: bytes, *, length: int | None = None) -> tuple[int, str]:
    """Send a form and hang up our half of the line; return the answer's status and text."""
    head = (
        "POST /test/form/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        f"Cookie: csrftoken={TOKEN}\r\n"
        f"Content-Type: multipart/form-data; boundary={EDGE}\r\n"
        f"Content-Length: {len(body) if length is None else length}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        try:
            line.sendall(head.encode() + body)
            line.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the server may answer before it has read everything
        return read_answer(line)


def read_answer(line: socket.socket) -> tuple[int, str]:
    received = b""
    while piece := line.recv(65_536):
        received += piece
    head, _, text = received.decode("utf-8", "replace").partition("\r\n\r\n")
    found = re.match(r"HTTP/1\.[01] (\d{3})", head)
    assert found, received[:200]
    return int(found[1]), text


SCALE = part("scale", "1 inch = 20 feet")
PLAN = part("files", b"%PDF-1.7 " + bytes(5000), "Content-Type: application/pdf", file="plan.pdf")


def test_a_whole_form_arrives(server):
    status, text = speak(server, body_of(SCALE, PLAN))
    assert status == 200
    assert "scale=1 inch = 20 feet" in text
    assert "plan.pdf=5009" in text


def test_the_form_ends_with_the_field_that_shows_its_end(server):
    with socket.create_connection(("127.0.0.1", server), timeout=30) as line:
        line.sendall(b"GET /test/form/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        status, text = read_answer(line)
    assert status == 200
    assert '<input type="hidden" name="end_of_form" value="">' in text


@pytest.mark.parametrize("claimed", ["the length of what was sent", "the length of the whole"])
def test_a_form_that_is_cut_off_anywhere_is_never_taken_for_whole(server, claimed):
    whole = body_of(SCALE, PLAN)
    places = [
        whole.index(b"plan.pdf") + 3,
        whole.index(b"%PDF") + 2000,
        whole.index(b"end_of") - 60,
    ]
    for place in places:
        length = None if claimed.endswith("sent") else len(whole)
        status, text = speak(server, whole[:place], length=length)
        assert status == 400, place
        assert "plan.pdf=" not in text
        assert "The upload was cut off" in text
        assert "nothing that was saved before is lost" in text


def test_a_form_without_its_last_field_is_cut_off_though_it_is_well_formed(server):
    status, text = speak(server, body_of(SCALE, PLAN, end=False))
    assert status == 400
    assert "The upload was cut off" in text


def test_a_form_cut_off_before_its_token_is_refused_as_well(server):
    assert speak(server, body_of(SCALE)[:70])[0] in (400, 403)


def test_a_file_over_the_limit_is_named_with_the_rest_of_the_form_kept(server):
    big = part("files", bytes(26 * 1024 * 1024), file="big.pdf")
    status, text = speak(server, body_of(SCALE, big, PLAN))
    assert status == 200
    assert "big.pdf: it is 26 MB; a file may be at most 25 MB." in text
    assert "plan.pdf=5009" in text
    assert "scale=1 inch = 20 feet" in text


def test_more_than_can_be_taken_at_once_is_named_file_by_file(server):
    big = [part("files", bytes(24 * 1024 * 1024), file=f"{number}.pdf") for number in range(5)]
    status, text = speak(server, body_of(SCALE, *big))
    assert status == 200
    assert "3.pdf=25165824" in text
    assert "4.pdf: the files chosen at once are more than 100 MB." in text


def test_thirty_photos_at_once_reach_the_page_that_says_how_many(server):
    status, text = speak(
        server, body_of(SCALE, *(part("files", b"x", file=f"{n}.jpg") for n in range(30)))
    )
    assert status == 200
    assert "29.jpg=1" in text


def test_a_part_in_base64_is_bounded_too(server):
    encoded = base64.encodebytes(bytes(26 * 1024 * 1024))
    big = part("files", encoded, "Content-Transfer-Encoding: base64", file="big.pdf")
    status, text = speak(server, body_of(SCALE, big))
    assert status == 200
    assert "a file may be at most 25 MB" in text
    wrong = part("files", b"%%%not base64%%%", "Content-Transfer-Encoding: base64", file="x.pdf")
    assert speak(server, body_of(wrong))[0] in (200, 400)


def odd_bodies() -> dict[str, bytes]:
    return {
        "150 files": body_of(*(part("files", b"x", file=f"{n}.pdf") for n in range(150))),
        "2001 fields": body_of(*(part(f"f{n}", "x") for n in range(2001))),
        "a field of 3 MB": body_of(part("scale", "x" * 3_000_000)),
        "a head of 200 KB": body_of(part("files", b"x", "X: " + "y" * 200_000, file="a.pdf")),
        "a form of another kind": b"--other\r\n" + bytes(5000),
    }


@pytest.mark.parametrize("name", odd_bodies())
def test_too_much_of_anything_is_a_bad_request(server, name):
    assert speak(server, odd_bodies()[name])[0] in (400, 413)


@pytest.mark.parametrize(
    "file",
    ["../../etc/cron.d/x", "..\\\\x", "a\0b.pdf", "..", "", "x" * 300, "a." + "b" * 300, "CON",
     "a%22.pdf", "\u202efdp.exe", "👩🏽.pdf"],
)  # fmt: skip
def test_no_file_name_breaks_the_form(server, file):
    status, text = speak(server, body_of(SCALE, part("files", b"%PDF", file=file)))
    assert status in (200, 400)
    assert "/etc" not in text


def test_no_boundary_and_a_wrong_length(server):
    assert speak(server, body_of(SCALE), length=10)[0] in (400, 403)


def test_the_server_still_answers_after_all_that(server):
    assert speak(server, body_of(SCALE, PLAN))[0] == 200
