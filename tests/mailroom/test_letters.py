"""The batch for the post: stored papers as they are, addresses in the window, a list with names."""

from __future__ import annotations

import io
import resource
import time
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from permits import mailroom
from permits.models import CasePaper
from portal import letters
from portal.models import Document, Mailing
from tests import factory
from tests.factory import MONDAY
from tests.mailroom import post

pytestmark = pytest.mark.django_db


def batch(*chosen: Mailing, two_sided: bool = False) -> tuple[letters.Batch, bytes]:
    target = io.BytesIO()
    made = letters.make_batch(chosen, target, on=MONDAY, two_sided=two_sided)
    return made, target.getvalue()


def texts(content: bytes) -> list[str]:
    """The words of each page."""
    pages = pypdfium2.PdfDocument(content)
    return [" ".join(page.get_textpage().get_text_range().split()) for page in pages]


def in_window(content: bytes, number: int) -> list[str]:
    """What a #10 window of 4 1/2 by 1 1/8 inches, 7/8 from the left, shows of a page.

    Folded in three, the sheet lies with its first fold at the top of the envelope; the
    window then shows 2.5 to 3.17 inches however it slips, and never more than 2.04 to 3.63.
    """
    page = pypdfium2.PdfDocument(content)[number]
    reader, inch, top = page.get_textpage(), 72, page.get_height()

    def shown(left: float, above: float, right: float, below: float) -> list[str]:
        text = reader.get_text_bounded(
            left * inch, top - below * inch, right * inch, top - above * inch
        )
        return [line for line in text.split("\r\n") if line]

    most, least = shown(0, 2.04, 5.375, 3.63), shown(0.875, 2.4, 4.375, 3.17)
    assert most == least, "nothing else than the address can be seen, and all of it"
    return least


def contents(page: pikepdf.Page) -> bytes:
    page.contents_coalesce()
    return page.Contents.read_bytes()


def test_a_stored_paper_goes_byte_true_when_its_window_shows_the_address() -> None:
    paper = post.paper("Ann Meyer")
    made, content = batch(post.letter(addressee="Ann Meyer", document=paper))
    assert [piece.papers for piece in made.printed] == [[paper]]
    assert made.printed[0].mailing.letter is None, "no cover letter was made"
    with pikepdf.open(io.BytesIO(content)) as whole, pikepdf.open(paper.file.path) as stored:
        assert len(whole.pages) == 2
        assert contents(whole.pages[1]) == contents(stored.pages[0])
    assert in_window(content, 1) == ["Ann Meyer", "1 Mill Street", "Example, WI 54999"]


def test_a_paper_addressed_to_somebody_else_goes_behind_a_cover_letter() -> None:
    """ATX#9805: nobody gets an envelope with the name of another."""
    paper = post.paper("Ann Meyer")
    letter = post.letter(addressee="Berg Excavating Inc", document=paper)
    made, content = batch(letter)
    assert [len(piece.papers) for piece in made.printed] == [2]
    assert in_window(content, 1)[0] == "Berg Excavating Inc"
    assert "Enclosed: Notice (1 page)" in texts(content)[1]
    assert "The city will complete the work." in texts(content)[1]


def test_a_notice_without_a_paper_is_a_letter_made_once() -> None:
    letter = post.letter()
    first, content = batch(letter)
    assert "The city will complete the work." in texts(content)[1]
    assert in_window(content, 1)[0] == letter.addressee
    again, _ = batch(Mailing.objects.get(pk=letter.pk))
    assert again.printed[0].papers == first.printed[0].papers
    assert Document.objects.filter(kind="mail_letter").count() == 1


def test_the_list_says_how_many_letters_there_are_and_to_whom() -> None:
    chosen = [post.letter(addressee=f"Owner number {n}") for n in range(3)]
    lost = post.letter(addressee="Nobody's heir", address="")
    made, content = batch(*chosen, lost)
    cover = texts(content)[0]
    assert "3 letters, 3 pages" in cover
    for letter in chosen:
        assert letter.addressee in cover
    assert "Nobody’s heir" in cover or "Nobody's heir" in cover
    assert "has no address" in cover
    assert len(made.left_out) == 1
    assert made.pages == 4


def test_a_paper_that_was_changed_goes_to_nobody() -> None:
    paper = post.paper("Ann Meyer")
    Path(paper.file.path).write_bytes(b"%PDF-1.7 something else\n%%EOF\n")
    made, content = batch(post.letter(addressee="Ann Meyer", document=paper))
    assert made.printed == []
    assert "cannot be read" in texts(content)[0]


def test_an_address_too_long_for_the_window_is_written_by_hand() -> None:
    lines = "\n".join(f"Line {n}" for n in range(1, 9))
    made, content = batch(post.letter(address=lines))
    assert made.printed[0].by_hand
    assert "Write this envelope by hand" in texts(content)[0]


def test_printed_on_both_sides_each_letter_begins_on_a_sheet_of_its_own() -> None:
    _, content = batch(post.letter(), post.letter(), two_sided=True)
    pages = texts(content)
    assert len(pages) % 2 == 0
    assert [n for n, text in enumerate(pages) if "The city will complete" in text] == [2, 4]


@pytest.mark.parametrize(
    "text", ["a\u2028b", "\u202eright", "<script>alert(1)</script>", "👩‍👧 {{ 7 }}"]
)
def test_whatever_stands_in_a_letter_it_is_printed(text: str) -> None:
    """Altinn#5007: a strange character does not stop the post."""
    made, content = batch(post.letter(addressee=f"Ann {text}", text=text, subject=text))
    assert len(made.printed) == 1
    assert "Ann" in texts(content)[1]


def test_the_affidavit_says_who_swears_what_was_mailed_when_to_whom_and_where() -> None:
    paper = post.paper("Ann Meyer", title="Ten days' notice")
    letter = post.letter(addressee="Ann Meyer", document=paper, means="certified")
    clerk = factory.clerk()
    mailroom.deposit(
        [letter], on=MONDAY, by=clerk, today=MONDAY, numbers={letter.pk: "70220410000123456789"}
    )
    mailroom.accept([letter], on=MONDAY, by=clerk, today=MONDAY, scan=factory.upload())
    answers = {"affiant": "Pat Keller", "capacity": "City clerk", "place": "Example post office"}
    made = mailroom.make_affidavit(letter, county="Sample", by=clerk, on=MONDAY, **answers)
    assert made.kind == CasePaper.Kind.MAILING_AFFIDAVIT
    words = " ".join(texts(Path(made.document.file.path).read_bytes()))
    for wanted in (
        "Sample County", "Pat Keller, City clerk", "being first duly sworn", "Example post office",
        "Monday, November 16, 2026", "Ann Meyer", "1 Mill Street", "70220410000123456789",
        "Subscribed and sworn to before me", "Notary public", paper.sha256[:20],
    ):  # fmt: skip
        assert wanted in words, wanted
    assert letter.events.get(kind="affidavit").paper == made.document


@pytest.mark.slow
@pytest.mark.once
def test_two_hundred_letters_are_five_a_second_and_the_memory_stays_flat() -> None:
    """A warm process: styles and fonts were read by an earlier letter."""
    case = factory.submitted()
    chosen = [post.letter(case) for _ in range(letters.AT_ONCE)]
    batch(*chosen[:20])
    for letter in chosen[:20]:  # all two hundred are to be typeset
        Mailing.objects.filter(pk=letter.pk).update(letter=None)
        letter.letter = None
    memory, begun = _peak(), time.process_time()
    made, _ = batch(*chosen)
    rate = len(made.printed) / (time.process_time() - begun)
    first = _peak()
    batch(*chosen)
    again = _peak()
    print(f"{rate:.1f} letters a second and core; {first - memory} MB more, then {again - first}")
    assert len(made.printed) == letters.AT_ONCE
    assert rate >= 5
    assert first - memory < 150
    assert again - first < 15


def _peak() -> int:
    """The most memory that the process ever held, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
