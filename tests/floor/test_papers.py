"""Papers: tagged, stored once with their hash, and deaf to whatever text asks them to open."""

from __future__ import annotations

import base64
import copy
import gc
import hashlib
import http.server
import io
import json
import logging
import re
import resource
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from portal import papers
from portal.models import Document
from portal.ordinance.appeals import appeal_deadline
from portal.ordinance.days import Calendar
from portal.ordinance.decision import decision_deadline

ON = date(2026, 11, 24)
ADDRESSEE = {"name": "Ann Meyer", "address": "4418 Ridge Road\nVerona, WI 53593"}
LETTER = '{% extends "papers/base.html" %}{% block content %}'


@pytest.fixture
def written(settings, tmp_path) -> Callable[[str], str]:
    """Write a paper's template and return its name."""
    folder = tmp_path / "templates"
    folder.mkdir()
    templates = copy.deepcopy(settings.TEMPLATES)
    templates[0]["DIRS"] = [*templates[0]["DIRS"], folder]
    settings.TEMPLATES = templates

    def write(content: str, *, whole: bool = False) -> str:
        text = content if whole else LETTER + content + "{% endblock %}"
        (folder / "paper.html").write_text(text)
        return "paper.html"

    return write


def letter(**context) -> dict:
    return {
        "title": "Denial of application AP-2026-0042",
        "reference": "AP-2026-0042",
        "on": ON,
        "addressee": ADDRESSEE,
        **context,
    }


def text_of(content: bytes) -> str:
    """All text of a PDF, as its readers take it out."""
    document = pypdfium2.PdfDocument(content)
    return "\n".join(page.get_textpage().get_text_range() for page in document)


def one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def megabytes() -> float:
    """The memory that this process holds, without what only waits to be swept up."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux to ask for memory")
def test_many_papers_need_no_more_memory_than_a_few(written):
    name = written("<h1>Notice</h1><p>To be sent <b>by mail</b>.</p>")
    for _ in range(20):
        papers.make(name, letter())
    warm = megabytes()
    for _ in range(80):
        papers.make(name, letter())
    assert megabytes() - warm < 8


@pytest.mark.django_db
def test_a_paper_is_kept_as_it_was_rendered(written):
    name = written("<p>Once.</p>")
    document = papers.render(name, letter(), kind="denial", title="Denial AP-2026-0042")
    content = Path(document.file.path).read_bytes()
    assert content.startswith(b"%PDF-")
    assert document.sha256 == hashlib.sha256(content).hexdigest()
    assert (document.size, document.pages) == (len(content), 1)
    assert re.fullmatch(r"papers/\d{4}/[0-9a-f-]{36}\.pdf", document.file.name)
    assert Document.objects.get(kind="denial").title == "Denial AP-2026-0042"


def test_the_same_paper_is_made_of_the_same_bytes(written):
    name = written("<p>Again.</p>{{ qr }}")
    context = letter(qr=papers.qr_code("https://city.example/EC-2026-0042/"))
    assert papers.make(name, context) == papers.make(name, context)


def test_a_paper_is_tagged_and_names_its_language_and_title(written):
    made = papers.make(written("<p>Tagged.</p>"), letter())
    with pikepdf.open(io.BytesIO(made.content)) as pdf:
        assert pdf.Root.MarkInfo.Marked
        assert pdf.Root.Lang == "en"
        assert pdf.Root.ViewerPreferences.DisplayDocTitle
        assert "/StructTreeRoot" in pdf.Root
        with pdf.open_metadata() as metadata:
            assert metadata["pdfuaid:part"] == "1"
            assert metadata["dc:title"] == "Denial of application AP-2026-0042"


def test_a_letter_says_from_whom_to_whom_which_page_and_how_to_reach_the_city(written, settings):
    made = papers.make(written("<p>Text</p>" * 40), letter(delivery="By certified mail"))
    text = one_line(text_of(made.content))
    assert made.pages == 2
    for words in (
        settings.CITY["name"], "Ann Meyer", "Verona, WI 53593", "November 24, 2026",
        "By certified mail", "Page 1 of 2", "Page 2 of 2", settings.CITY["telephone"],
        "Please name the reference AP-2026-0042",
    ):  # fmt: skip
        assert words in text


def test_the_address_and_nothing_else_stands_in_the_window(written):
    """A #10 envelope shows 2.04 to 3.63 inches from the top, however the sheet lies in it."""
    address = {"name": "Ridge Road Builders LLC", "address": "Attn: A\nSuite 2\nVerona, WI 53593"}
    made = papers.make(written("<p>The body.</p>" * 5), letter(addressee=address))
    page = pypdfium2.PdfDocument(made.content)[0]
    inch, height = 72, page.get_height()
    reader = page.get_textpage()

    def shown(left, top, right, bottom):
        return reader.get_text_bounded(
            left * inch, height - bottom * inch, right * inch, height - top * inch
        ).split("\r\n")

    lines = ["Ridge Road Builders LLC", "Attn: A", "Suite 2", "Verona, WI 53593"]
    assert [line for line in shown(0, 2.04, 5.375, 3.63) if line] == lines
    assert [line for line in shown(0.875, 2.4, 4.375, 3.17) if line] == lines


def test_a_date_on_paper_shows_its_count_and_its_citation(written):
    deadline = decision_deadline(ON, calendar=Calendar())
    name = written('{% include "papers/_clock.html" with clock=deadline %}')
    text = one_line(text_of(papers.make(name, letter(deadline=deadline)).content))
    assert "Last day: Wednesday, December 9, 2026" in text
    assert "§ 40-886(c)" in text
    for step in deadline.steps:
        assert step.text in text


def test_a_paper_states_the_right_of_appeal(written):
    appeal = appeal_deadline(ON, calendar=Calendar())
    context = letter(appeal=appeal, appealed="this denial", appeal_stays=True)
    text = one_line(text_of(papers.make(written("<p>Denied.</p>"), context).content))
    assert "Any person aggrieved by this denial may appeal to the board of zoning appeals" in text
    assert "Thursday, December 24, 2026" in text
    assert str(appeal.citation) in text
    assert "stand still" in text


def test_a_qr_code_is_a_picture_with_words_for_those_who_cannot_see_it():
    image = papers.qr_code("https://city.example/EC-2026-0042/?a=1&b=2", alt='The "public" page')
    assert image.startswith('<img class="qr" src="data:image/svg+xml')
    assert 'alt="The &quot;public&quot; page"' in image
    assert "QR code that leads to https://city.example/" in papers.qr_code("https://city.example/")


# What a paper may read ---------------------------------------------------------------------


@pytest.fixture
def listener() -> Iterator[tuple[str, list[str]]]:
    """A server on loopback that notes who asks for what."""
    asked: list[str] = []

    class Note(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(302)
            self.send_header("Location", "file:///etc/passwd")
            self.end_headers()

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Note)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


EVIL = """
<link rel="attachment" href="file:///etc/hostname"><link rel="attachment" href="URL/a">
<a rel="attachment" href="file:///etc/hostname">a</a>
<link rel="stylesheet" href="URL/b.css"><link rel="stylesheet" href="file:///etc/hostname">
<style>@import "URL/c.css"; @import url(file:///etc/passwd);
@font-face { font-family: Evil; src: url(URL/d.ttf) } p { font-family: Evil;
background: url(URL/e.png); list-style-image: url(../../../../etc/passwd) }
p::before { content: url(URL/f.png) }</style>
<img src="URL/g.png"><img src="file:///etc/passwd"><img src="//127.0.0.1/h.png">
<img src="../../../../../etc/passwd"><img src="%2e%2e/%2e%2e/portal/settings.py">
<img src="ftp://127.0.0.1/i"><object data="URL/j.svg"></object><embed src="URL/k.svg">
<img src="data:image/svg+xml;base64,SVG"><iframe src="URL/l"></iframe>
<svg xmlns="http://www.w3.org/2000/svg"><image href="URL/m.png"/><use href="URL/n.svg#x"/></svg>
<p>The text is still here.</p>
"""
SVG = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
<image xlink:href="URL/o.png"/><image href="file:///etc/passwd"/>
<style>@import url(URL/p.css);</style></svg>"""


def test_text_cannot_make_a_paper_open_a_file_or_an_address(written, listener, caplog):
    url, asked = listener
    inner = base64.b64encode(SVG.replace("URL", url).encode()).decode()
    evil = EVIL.replace("URL", url).replace("SVG", inner, 1)
    with caplog.at_level(logging.WARNING, logger="portal.papers"):
        made = papers.make(written("{{ evil|safe }}"), letter(evil=evil))
    assert asked == []
    assert "The text is still here." in text_of(made.content)
    with pikepdf.open(io.BytesIO(made.content)) as pdf:
        assert not pdf.attachments
    everything = unpacked(made.content)
    hostname = Path("/etc/hostname").read_text().strip() if Path("/etc/hostname").exists() else "?"
    assert b"root:x:0" not in everything
    assert hostname.encode() + b"\n" not in everything
    assert "asked for something outside" in caplog.text


def unpacked(content: bytes) -> bytes:
    """A PDF with its streams readable."""
    with pikepdf.open(io.BytesIO(content)) as pdf:
        out = io.BytesIO()
        pdf.save(out, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.all)
    return out.getvalue()


def test_the_same_words_typed_by_a_person_are_only_words(written, listener):
    url, asked = listener
    typed = f'<img src="{url}/x.png"> {{{{ 7|add:7 }}}} {{% now "Y" %}}'
    made = papers.make(written("<p>{{ typed }}</p>"), letter(typed=typed))
    assert one_line(typed) in one_line(text_of(made.content))
    assert asked == []


def test_the_renderer_of_the_library_is_never_used_with_its_own_reader(root):
    for path in [*root.glob("portal/**/*.py"), *root.glob("[pei]*/**/*.py")]:
        if re.search(r"^\s*(import|from) weasyprint", path.read_text("utf-8"), re.MULTILINE):
            assert path == root / "portal" / "papers.py"


# Text as people write it -------------------------------------------------------------------


def test_every_string_that_breaks_software_can_be_printed(written, cases):
    strings = json.loads((cases / "strings.json").read_text(encoding="utf-8"))
    name = written("{% for text in strings %}<p>{{ forloop.counter }} {{ text }}</p>{% endfor %}")
    made = papers.make(name, letter(strings=strings))
    text = text_of(made.content)
    assert made.pages > 10
    for number in (1, len(strings) - 1):
        assert re.search(rf"^{number} ?", text, re.MULTILINE)
    plain = [s for s in strings if re.fullmatch(r"[A-Za-z0-9 .,']{4,40}", s) and s == s.strip()]
    assert len(plain) > 20
    for string in plain:
        assert one_line(string) in one_line(text)


@pytest.mark.parametrize(
    "strange",
    ["\0", "\x07", "\x0b", "\x1b", "\x85", "\u2028", "\u2029", "\u202e", "\ufffe", "\ud800"],
)
def test_what_cannot_be_printed_leaves_a_visible_mark(strange):
    assert papers.printable(f"a{strange}b") == "a\N{REPLACEMENT CHARACTER}b"


def test_ordinary_text_is_left_alone():
    text = "Größe 10½″ – § 40-886\tZufahrt\r\n田中さん 👩🏽‍🌾 שלום\u200f"
    assert papers.printable(text) == text


def test_a_word_without_an_end_does_not_leave_the_sheet(written):
    name = written("<p>{{ word }}</p><table><tr><th>a</th><td>{{ word }}</td></tr></table>")
    made = papers.make(name, letter(word="W" * 400, addressee={"name": "M" * 90, "address": ""}))
    page = pypdfium2.PdfDocument(made.content)[0]
    reader = page.get_textpage()
    rights = [reader.get_charbox(index)[2] for index in range(reader.count_chars())]
    assert max(rights) <= page.get_width() - 0.9 * 72


@pytest.mark.skipif(shutil.which("pdffonts") is None, reason="needs poppler-utils")
def test_every_font_is_in_the_paper(written, tmp_path):
    path = tmp_path / "paper.pdf"
    path.write_bytes(papers.make(written("<p><b>a</b> <i>b</i></p>"), letter()).content)
    listed = subprocess.run(["pdffonts", path], capture_output=True, text=True, check=True).stdout
    fonts = listed.splitlines()[2:]
    assert fonts
    assert all(line.split()[-5] == "yes" for line in fonts)
