"""Photos of a visit: byte for byte, once, and what speaks against them."""

from __future__ import annotations

import hashlib
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from inspections.acts import visits as acts
from inspections.models import VisitPhoto
from portal.models import Upload

from .factory import clerk, inspector
from .visiting import JSON, photo, send_photo, url

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("monday")]


def test_a_photo_is_kept_byte_for_byte_and_answered_with_its_hash(as_inspector, visit, line):
    file = photo()
    data, key = file.read(), str(uuid.uuid4())
    told = hashlib.sha256(data).hexdigest()
    for _ in range(2):
        file.seek(0)
        answer = send_photo(as_inspector, visit, file, key=key, line=line.ref, sha256=told)
        assert answer.json()["sha256"] == told
    kept = VisitPhoto.objects.get()
    assert kept.line == line
    assert kept.upload.file.read() == data
    assert kept.upload.previews.count() == 1
    assert Upload.objects.count() == 1
    page = as_inspector.get(visit.get_absolute_url()).content.decode()
    picture = reverse("preview", args=[kept.upload.key, 1])
    assert picture in page
    assert as_inspector.get(picture).status_code == 200


def test_the_same_picture_under_another_key_is_one_photo_of_the_line(as_inspector, visit, line):
    send_photo(as_inspector, visit, photo(), line=line.ref)
    assert send_photo(as_inspector, visit, photo(), line=line.ref).status_code == 200
    send_photo(as_inspector, visit, photo())
    assert sorted(str(row.line_id) for row in visit.photos.all()) == sorted([str(line.pk), "None"])


def test_a_damaged_photo_is_sent_again_and_one_that_is_none_is_not(as_inspector, visit):
    answer = send_photo(as_inspector, visit, photo(), sha256="0" * 64)
    assert (answer.status_code, answer.json()["again"]) == (400, True)
    for name, data in (
        ("letter.jpg", b"Dear city"),
        ("empty.jpg", b""),
        ("cut.jpg", b"\xff\xd8\xff"),
    ):
        answer = send_photo(as_inspector, visit, SimpleUploadedFile(name, data, "image/jpeg"))
        assert (answer.status_code, answer.json()["again"]) == (422, False)
        assert answer.json()["problem"].startswith(name)
    assert not Upload.objects.exists()


def test_a_photo_that_was_cut_off_on_its_way_is_sent_again(as_inspector, visit):
    data = {"key": str(uuid.uuid4()), "photo": photo()}
    answer = as_inspector.post(url("visit_photo", visit), data, **JSON)
    assert (answer.status_code, answer.json()["again"]) == (400, True)
    assert not Upload.objects.exists()


def test_a_photo_from_another_continent_is_told_to_staff(as_inspector, visit, permit, client):
    exif = Image.Exif()
    exif.get_ifd(0x8825).update({1: "S", 2: (33.0, 51.0, 0.0), 3: "E", 4: (151.0, 12.0, 0.0)})
    exif.get_ifd(0x8769)[0x9003] = "2026:03:02 10:00:00"
    answer = send_photo(as_inspector, visit, photo(exif=exif))
    assert answer.json()["doubts"] == [
        "Its camera says that it was taken outside the state.",
        "Its camera says that it was taken on Monday, March 2, 2026.",
    ]
    acts.finish(visit, by=inspector())
    client.force_login(clerk())
    assert "outside the state" in client.get(visit.get_absolute_url()).content.decode()
    client.force_login(permit.application.applicant)
    page = client.get(visit.get_absolute_url()).content.decode()
    assert "IMG_1.jpg" in page
    assert "outside the state" not in page
