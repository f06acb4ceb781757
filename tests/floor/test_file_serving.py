"""A stored file is handed out so that no browser takes it for a page of the portal."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory

from portal import stored
from portal.files import find_broken, serve
from portal.models import Document
from portal.uploads.store import store

from . import sample_files as make
from .sample_files import sent

pytestmark = pytest.mark.django_db


def served(thing, *, inline=False, method="get", **headers):
    request = getattr(RequestFactory(), method)("/file/", headers=headers)
    request.user = AnonymousUser()
    return serve(request, thing, inline=inline)


@pytest.fixture
def upload(applicant):
    return store(sent("Größe.jpg", make.jpeg(at=make.MADISON)), by=applicant)


@pytest.fixture
def document(tmp_path):
    content = make.pdf()
    with (tmp_path / "x.pdf").open("w+b") as file:
        file.write(content)
        kept = stored.put(stored.new_name("papers", "pdf", 2026), file)
    return Document.objects.create(
        kind="permit-card", title='Permit "card"', file=kept.name, sha256=kept.sha256,
        size=kept.size, pages=1,
    )  # fmt: skip


@pytest.mark.parametrize("inline", [False, True])
def test_what_people_sent_is_always_saved_and_never_shown(upload, inline):
    response = served(upload, inline=inline)
    assert response.status_code == 200
    assert b"".join(response.streaming_content) == make.jpeg(at=make.MADISON)
    assert response.headers["Content-Disposition"].startswith("attachment;")
    assert "filename*=utf-8''Gr%C3%B6%C3%9Fe.jpg" in response.headers["Content-Disposition"]
    assert response.headers["Content-Type"] == "image/jpeg"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
    assert response.headers["Cache-Control"] == "private, no-store"
    assert int(response.headers["Content-Length"]) == upload.size


def test_a_picture_of_it_is_shown_without_the_place_where_it_was_taken(upload):
    response = served(upload.previews.get())
    body = b"".join(response.streaming_content)
    assert response.headers["Content-Disposition"].startswith("inline;")
    assert response.headers["Content-Type"] == "image/jpeg"
    assert "sandbox" in response.headers["Content-Security-Policy"]
    assert b"Exif" not in body


def test_our_own_papers_are_shown_when_asked_and_saved_otherwise(document):
    shown = served(document, inline=True).headers
    assert shown["Content-Disposition"] == 'inline; filename="Permit \\"card\\".pdf"'
    assert shown["Content-Type"] == "application/pdf"
    assert "default-src 'none'" in shown["Content-Security-Policy"]
    assert served(document).headers["Content-Disposition"].startswith("attachment;")


@pytest.mark.parametrize("name", ['a".pdf\r\nX-Evil: y', "../../x.html", "a\0b.pdf", "CON"])
def test_no_name_can_add_a_header_or_a_path(upload, name):
    upload.original_name = name
    response = served(upload)
    value = response.headers["Content-Disposition"]
    assert value.startswith("attachment; filename")
    assert value.endswith('.jpg"')
    assert not set(value) & set("\r\n\0/")
    assert "X-Evil" not in response.headers


def test_a_part_may_be_asked_for_and_the_whole_is_given(upload):
    response = served(upload, range="bytes=0-9")
    assert response.status_code == 200
    assert response.headers["Accept-Ranges"] == "none"
    assert served(upload, method="head").status_code == 200


@pytest.mark.parametrize("spoil", ["change", "shorten", "remove"])
def test_a_file_that_was_changed_is_held_back_and_reported(upload, document, caplog, spoil):
    for thing in (upload, document):
        path = Path(thing.file.path)
        content = path.read_bytes()
        if spoil == "change":
            path.write_bytes(content[:50] + bytes([content[50] ^ 1]) + content[51:])
        elif spoil == "shorten":
            path.write_bytes(content[:-1])
        else:
            path.unlink()
        with caplog.at_level(logging.ERROR, logger="portal.files"):
            response = served(thing)
        assert response.status_code == 410
        assert "This file is held back" in response.content.decode()
        assert f"{type(thing).__name__} {thing.pk}" in caplog.text
    first, second = find_broken()
    assert first.startswith(f"Upload {upload.pk}: ")
    assert second.startswith(f"Document {document.pk}: ")


def test_a_storage_that_is_away_is_not_called_a_changed_file(upload, monkeypatch):
    def away(name, mode="rb"):
        raise ConnectionError("no answer")

    monkeypatch.setattr("portal.files.default_storage.open", away)
    response = served(upload)
    assert response.status_code == 503
    assert "cannot be read right now" in response.content.decode()


def test_files_that_are_as_they_were_stored_are_not_reported(upload, document):
    assert not list(find_broken())
