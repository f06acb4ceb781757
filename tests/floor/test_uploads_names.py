"""Names as they were sent: text to show, never a path, never a header."""

from __future__ import annotations

import json

import pytest

from portal.files import download_name
from portal.models import Upload
from portal.uploads import limits
from portal.uploads.names import clean_name


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("plan.pdf", "plan.pdf"),
        ("../../etc/cron.d/x", "x"),
        ("..\\..\\windows\\win.ini", "win.ini"),
        ("C:\\fakepath\\Site plan.pdf", "Site plan.pdf"),
        ("a\0b.pdf", "ab.pdf"),
        ("harmless\u202efdp.exe", "harmlessfdp.exe"),
        ('a".pdf\r\nX: y', 'a".pdfX: y'),
        (".htaccess", ".htaccess"),
        ("CON", "CON"),
        ("👩🏽‍🌾 yard.jpg", "👩🏽‍🌾 yard.jpg"),
        ("cafe\u0301.pdf", "café.pdf"),
        ("line\u2028break.pdf", "linebreak.pdf"),
        ("", "file"),
        ("..", "file"),
        ("/", "file"),
        (None, "file"),
    ],
)
def test_a_name_is_kept_as_text_only(sent, kept):
    assert clean_name(sent) == kept


def test_a_very_long_name_keeps_its_ending():
    name = clean_name("x" * 300 + ".pdf")
    assert len(name) <= 150
    assert name.endswith("….pdf")
    assert len(clean_name("a." + "b" * 300)) <= 150


def test_every_string_that_breaks_software_gives_a_name(cases):
    for text in json.loads((cases / "strings.json").read_text(encoding="utf-8")):
        name = clean_name(text)
        assert name
        assert len(name) <= 150
        assert not set(name) & set("/\\\0\r\n\u2028\u2029\u202e")


@pytest.mark.parametrize(
    ("original", "stored", "saved_as"),
    [
        ("plan.PDF", "pdf", "plan.PDF"),
        ("IMG_1.jpg", "heic", "IMG_1.heic"),
        ("image", "jpg", "image.jpg"),
        ("Plan v1.2 final", "pdf", "Plan v1.2 final.pdf"),
        (".htaccess", "pdf", ".htaccess.pdf"),
    ],
)
def test_a_file_is_saved_under_its_name_with_the_ending_of_its_content(original, stored, saved_as):
    upload = Upload(original_name=original, file=f"uploads/2026/x.{stored}")
    assert download_name(upload) == saved_as


def test_the_limits_are_said_before_choosing():
    assert limits.sentence() == (
        "PDF, JPEG, PNG, HEIC, DWG or DXF. A file may be up to 25 MB; up to 20 files, 100 MB "
        "together. You can choose several at once."
    )
    assert limits.megabytes(25 * 1024 * 1024 + 1) == "25.1 MB"
