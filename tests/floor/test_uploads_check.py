"""What is taken and what is not, with files made for each reason."""

from __future__ import annotations

import io
import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from portal.uploads import reasons
from portal.uploads.check import Examined, Refused, examine
from portal.uploads.child import bounds
from portal.uploads.kinds import BY_KEY

from . import sample_files as make
from .sample_files import sent

WHOLE_PDF, WHOLE_JPEG, WHOLE_PNG = make.pdf(2), make.jpeg(), make.image_as("PNG")
WHOLE_HEIC = make.heic()
WORKBOOK = make.workbook()
MACRO_TYPE = {"[Content_Types].xml": make.TYPES.replace(b"sheet.main", b"sheet.macroEnabled.main")}
TORN_WORKBOOK = WORKBOOK[:40] + bytes(30) + WORKBOOK[70:]
EMBEDDED_ARCHIVE = WHOLE_PDF.replace(b"%%EOF", b"%" + make.archive(make.EOF_COMMENT), 1)

TABLE = {
    # name: (content, verdict)
    "plan.pdf": (WHOLE_PDF, "pdf"),
    "with blank lines behind it.pdf": (WHOLE_PDF + b"\r\n\0\0\n\x1a", "pdf"),
    "restricted, no password to open.pdf": (make.locked_pdf(), "pdf"),
    "password to open.pdf": (make.locked_pdf(user="secret"), "password"),
    "half.pdf": (WHOLE_PDF[: len(WHOLE_PDF) // 2], "cut_off"),
    "without its last line.pdf": (WHOLE_PDF.rstrip()[:-5], "cut_off"),
    "middle missing.pdf": (WHOLE_PDF[:200] + WHOLE_PDF[-120:], "damaged"),
    "only a head.pdf": (b"%PDF-1.7\n%%EOF\n", "damaged"),
    "no pages.pdf": (make.pdf(0), "damaged"),
    "circular.pdf": (make.circular_pdf(), "damaged"),
    "bomb.pdf": (make.bomb_pdf(), "heavy"),
    "thousands of pages.pdf": (make.pdf(2100), "too_many_pages"),
    "please wait.pdf": (make.adobe_form_pdf(), "adobe_form"),
    "page first.pdf": (make.WEB_PAGE + WHOLE_PDF, "before_start"),
    "page inside its head.pdf": (WHOLE_PDF.replace(b"\n", b"\n%<HTML>\n", 1), "two_in_one"),
    "page behind.pdf": (WHOLE_PDF + make.WEB_PAGE, "behind_end"),
    "archive behind.pdf": (WHOLE_PDF + make.archive(), "two_in_one"),
    "archive whose comment is the end.pdf": (EMBEDDED_ARCHIVE, "two_in_one"),
    "photo.jpg": (WHOLE_JPEG, "jpeg"),
    "photo with a second picture.jpg": (WHOLE_JPEG + b"\0\0" + WHOLE_JPEG, "jpeg"),
    "moving photo.jpg": (WHOLE_JPEG + b"\0\0\0\x18ftypmp42" + b"\xab" * 500, "jpeg"),
    "half.jpg": (WHOLE_JPEG[: len(WHOLE_JPEG) // 2], "cut_off"),
    "without its end mark.jpg": (WHOLE_JPEG[:-2], "cut_off"),
    "page behind.jpg": (WHOLE_JPEG + make.WEB_PAGE, "two_in_one"),
    "archive behind.jpg": (WHOLE_JPEG + make.archive(), "two_in_one"),
    "script behind.jpg": (WHOLE_JPEG + b"\xff\xd8\xff <?PHP 1;", "two_in_one"),
    "something behind.jpg": (WHOLE_JPEG + b"secret", "behind_end"),
    "picture.png": (WHOLE_PNG, "png"),
    "half.png": (WHOLE_PNG[: len(WHOLE_PNG) // 2], "cut_off"),
    "something behind.png": (WHOLE_PNG + b"secret", "behind_end"),
    "wrong inside.png": (WHOLE_PNG[:60] + b"\xff" * 40 + WHOLE_PNG[100:], "damaged"),
    "flood.png": (make.flood_png(), "too_many_pixels"),
    "IMG_0001.HEIC": (WHOLE_HEIC, "heic"),
    "half.heic": (WHOLE_HEIC[: len(WHOLE_HEIC) // 2], "cut_off"),
    "IMG_0002.jpg": (WHOLE_HEIC, "heic"),  # telephones do that
    "scan.png": (WHOLE_JPEG, "jpeg"),
    "image": (WHOLE_JPEG, "jpeg"),
    "Plan v1.2 final": (WHOLE_PDF, "pdf"),
    "photo.pdf": (WHOLE_JPEG, "mismatch"),
    "plan.jpg": (WHOLE_PDF, "mismatch"),
    "plan.html": (WHOLE_PDF, "mismatch"),
    "photo.jpg.exe": (WHOLE_JPEG, "mismatch"),
    "plan.docx": (WHOLE_PDF, "mismatch"),
    "site.dxf": (make.DXF, "dxf"),
    "site.DXF": (make.DXF.replace(b"\n", b"\r\n"), "dxf"),
    "cut.dxf": (make.DXF[:-8], "cut_off"),
    "page behind.dxf": (make.DXF + make.WEB_PAGE, "disguise"),
    "something behind.dxf": (make.DXF + b"hello\n", "cut_off"),
    "not groups.dxf": (make.DXF.replace(b"LINE\n8\n", b"LINE\nhello\n"), "damaged"),
    "site.dwg": (make.DWG, "dwg"),
    "head.dwg": (b"AC1032", "cut_off"),
    "soil loss.xlsx": (WORKBOOK, "xlsx"),
    "with macros.xlsx": (make.workbook({"xl/vbaProject.bin": b"Sub Auto_Open()"}), "macros"),
    "with a program.xlsx": (make.workbook({"xl/embeddings/one.bin": b"MZ"}), "macros"),
    "macros by its type.xlsx": (make.workbook(MACRO_TYPE), "macros"),
    "bomb.xlsx": (make.workbook({"xl/media/flat.bmp": bytes(40 * 1024 * 1024)}), "heavy"),
    "half.xlsx": (WORKBOOK[: len(WORKBOOK) // 2], "other_kind"),
    "something behind.xlsx": (WORKBOOK + b"secret", "behind_end"),
    "with a comment.xlsx": (make.workbook(comment=b"<script>"), "behind_end"),
    "page first.xlsx": (make.WEB_PAGE + WORKBOOK, "other_kind"),
    "torn inside.xlsx": (TORN_WORKBOOK, "damaged"),
    "leads out.xlsx": (make.workbook({"xl/../../etc/passwd": b"x"}), "damaged"),
    "workbook.xlsm": (WORKBOOK, "mismatch"),
    "workbook.pdf": (WORKBOOK, "mismatch"),
    "archive.xlsx": (make.archive(), "other_kind"),
    "eicar.pdf": (make.EICAR, "other_kind"),
    "drawing.svg": (make.SVG, "other_kind"),
    "drawing.png": (make.SVG, "other_kind"),
    "page.pdf": (make.WEB_PAGE, "other_kind"),
    "plans.zip": (make.archive(), "other_kind"),
    "animation.gif": (make.image_as("GIF"), "other_kind"),
    "scan.tif": (make.image_as("TIFF"), "other_kind"),
    "nothing.pdf": (b"", "empty"),
}


def look(name: str) -> Examined | Refused:
    try:
        return examine(sent(name, TABLE[name][0]))
    except Refused as refused:
        return refused


@pytest.fixture(scope="module")
def looked() -> dict[str, Examined | Refused]:
    """Every file of the table, looked at once."""
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(TABLE, pool.map(look, TABLE), strict=True))


@pytest.mark.parametrize("name", TABLE)
def test_the_table(looked, name):
    found, expected = looked[name], TABLE[name][1]
    if isinstance(found, Refused):
        assert found.key == expected, found.reason
    else:
        assert found.kind is BY_KEY.get(expected)


def test_the_reason_names_what_was_sent_and_what_is_taken(looked):
    assert looked["eicar.pdf"].reason == (
        "it is a text file. We take PDF, JPEG, PNG, HEIC, DWG or DXF."
    )
    assert "a ZIP archive" in looked["plans.zip"].reason
    assert looked["photo.pdf"].reason.startswith("its name ends in .pdf, but it is a JPEG")


def test_every_reason_is_a_sentence_without_a_technical_word():
    facts = dict.fromkeys(("size", "most", "other", "ending", "called", "total"), "12") | {
        "pages": 12,
        "most": 12,
        "have": 12,
    }
    for key in reasons.REASONS:
        text = reasons.sentence(key, **facts)
        assert text.endswith(".")
        for word in ("exception", "stream", "xref", "MIME", "parse", "invalid", "byte offset"):
            assert word not in text


def test_a_file_over_the_limit_is_refused_with_both_figures(settings):
    settings.UPLOAD_MAX_FILE_BYTES = 1024 * 1024
    with pytest.raises(Refused) as refused:
        examine(sent("big.pdf", WHOLE_PDF + bytes(1024 * 1024)))
    assert "it is 1.1 MB; a file may be at most 1 MB." in refused.value.reason


def test_a_photo_keeps_where_and_when_for_staff_and_its_picture_stands_upright_without():
    sent_photo = make.jpeg((400, 300), turned=6, at=make.MADISON, moment="2026:05:04 13:22:10")
    found = examine(sent("IMG_0003.JPG", sent_photo))
    assert found.taken_at == "2026-05-04 13:22:10 -05:00"
    assert float(found.latitude) == pytest.approx(make.MADISON[0], abs=1e-5)
    assert float(found.longitude) == pytest.approx(make.MADISON[1], abs=1e-5)
    (picture,) = found.pictures
    assert (picture.width, picture.height) == (300, 400)
    shown = Image.open(io.BytesIO(picture.jpeg))
    assert shown.getpixel((290, 10))[0] > 200  # red was top left and is top right now
    assert not shown.getexif()
    assert set(shown.info) <= {
        "jfif",
        "jfif_version",
        "jfif_unit",
        "jfif_density",
        "progressive",
        "progression",
    }
    assert b"CanaryCamera" not in picture.jpeg


def test_a_heic_photo_keeps_its_position_too():
    found = examine(sent("a.heic", make.heic(at=(-33.5, 151.25))))
    assert float(found.latitude) == pytest.approx(-33.5, abs=1e-5)
    assert float(found.longitude) == pytest.approx(151.25, abs=1e-5)


@pytest.mark.parametrize("mode", ["P", "1", "L", "LA", "RGBA", "I;16", "CMYK"])
def test_every_sort_of_picture_becomes_a_plain_one(mode):
    """The child's own code, called here: these pictures are ours."""
    from portal.uploads.child.pictures import picture

    image = Image.new("I;16", (40, 30), 65_535) if mode == "I;16" else make.photo().convert(mode)
    shown = Image.open(io.BytesIO(picture(1, image).jpeg))
    assert shown.mode == "RGB"
    if mode == "I;16":
        assert shown.getpixel((5, 5))[0] > 240


def test_pages_of_a_plan_set_become_pictures_up_to_twelve():
    found = examine(sent("set.pdf", make.pdf(15)), seconds=10)
    assert [picture.page for picture in found.pictures] == list(range(1, 13))
    assert {max(picture.width, picture.height) for picture in found.pictures} == {1600}
    assert found.all_pictures


def test_a_plan_set_that_takes_long_to_draw_is_taken_with_the_pages_there_was_time_for():
    found = examine(sent("set.pdf", make.pdf(15)), seconds=0)
    assert len(found.pictures) == 1
    assert not found.all_pictures


def test_the_child_knows_no_secret_and_has_little_room(monkeypatch, tmp_path):
    from portal.uploads import sandbox

    monkeypatch.setenv("SECRET_KEY", "canary")
    monkeypatch.setenv("DATABASE_URL", "canary")
    assert "canary" not in str(sandbox.environment())
    assert bounds.MEMORY_BYTES <= 512 * 1024 * 1024
    assert bounds.CPU_SECONDS <= 10


def test_a_child_that_is_ended_by_the_kernel_refuses_the_file_and_not_the_request(monkeypatch):
    from portal.uploads import sandbox

    monkeypatch.setattr(sandbox, "WALL_SECONDS", 0.01)
    with pytest.raises(Refused) as refused:
        examine(sent("slow.pdf", WHOLE_PDF))
    assert refused.value.key == "heavy"


def test_a_child_that_cannot_start_is_our_fault_and_not_the_files(monkeypatch):
    from portal.uploads import sandbox

    monkeypatch.setattr(sandbox, "ROOT", os.devnull)
    with pytest.raises(RuntimeError, match="cannot start"):
        examine(sent("plan.pdf", WHOLE_PDF))
