"""Wis. Stat. § 59.43(2m), (5), (1m): the recorded paper, measured on the rendered page."""

from __future__ import annotations

import itertools
from datetime import date
from typing import Any

import pypdfium2
import pytest
from PIL import Image

from permits.agreements import drafting, papers
from permits.models import MaintenanceAgreement, NotNow
from portal.ordinance.recording import FIRST_PAGE
from tests.permits import agreements
from tests.permits.agreements import LEGAL, MONDAY, POND

pytestmark = [pytest.mark.django_db, pytest.mark.once]

DPI = 96
INCH = 72
DARK = 250
"""A dot lighter than this is paper."""


class Page:
    """A page as it is printed: its words with their place, and its ink, in inches."""

    def __init__(self, page: pypdfium2.PdfPage) -> None:
        self.width, self.height = (side / INCH for side in page.get_size())
        self._text = page.get_textpage()
        image = page.render(scale=DPI / INCH).to_pil()
        self.image: Image.Image = image.convert("RGB")

    @property
    def text(self) -> str:
        return " ".join(str(self._text.get_text_range()).split())

    def place(self, words: str) -> tuple[float, float, float, float]:
        """Return left, top, right, bottom of the first place where the words stand."""
        found = self._text.search(words).get_next()
        assert found is not None, words
        index, count = found
        boxes = [self._text.get_charbox(each) for each in range(index, index + count)]
        left = min(box[0] for box in boxes) / INCH
        right = max(box[2] for box in boxes) / INCH
        top = self.height - max(box[3] for box in boxes) / INCH
        bottom = self.height - min(box[1] for box in boxes) / INCH
        return left, top, right, bottom

    def within(self, left: float, top: float, right: float, bottom: float) -> str:
        """Return the words that stand within an area."""
        box = (left * INCH, (self.height - bottom) * INCH)
        far = (right * INCH, (self.height - top) * INCH)
        return " ".join(str(self._text.get_text_bounded(*box, *far)).split())

    def ink(self, left: float, top: float, right: float, bottom: float) -> int:
        """Return how many dots of an area of the page are not paper."""
        box = tuple(round(each * DPI) for each in (left, top, right, bottom))
        area = self.image.crop(box).convert("L")  # type: ignore[arg-type]
        return sum(area.histogram()[:DARK])

    def colored(self) -> int:
        """Return how many dots are neither black, white nor gray."""
        raw = self.image.tobytes()
        dots = zip(raw[0::3], raw[1::3], raw[2::3], strict=True)
        return sum(max(dot) - min(dot) > 12 for dot in dots)


def pages_of(made: MaintenanceAgreement) -> list[Page]:
    content = papers.make_instrument(made, on=MONDAY).content
    document = pypdfium2.PdfDocument(content)
    return [Page(page) for page in document]


LONG_NAME = "The Northfield and Southfield Residential and Commercial Land Development Holding"
LONG: dict[str, Any] = {
    "owner_organization": f"{LONG_NAME} Company LLC"[:200],
    "owner_name": "Maximiliana Theodora Vanderbilt-Schwarzenegger " * 3,
    "owner_title": "Managing member and authorized representative of the sole owner",
    "owner_body": "llc",
    "party_kind": "association",
    "party_organization": f"{LONG_NAME} Owners Association",
    "party_address": "Suite 4100, Building 12\n12345 West Very Long Parkway Boulevard\n"
    "Example, WI 54999",
    "return_to": "City of Example, Wisconsin\nDepartment of Building Inspection and Zoning\n"
    "Attention: maintenance agreements\n100 Main Street, Second Floor\nExample, WI 54999",
    "parcels": "\n".join(f"0240-{number:04d}-001-{number:02d}" for number in range(1, 13)),
    "legal_description": "\n".join(f"Parcel {number}. {LEGAL}" for number in range(1, 13)),
    "additions": {"schedule": "Records of each visit are kept for five years. " * 20},
}


def draft(case: str) -> MaintenanceAgreement:
    if case == "plain":
        made: MaintenanceAgreement = agreements.drafted(agreements.required("granted"))
        return made
    made = agreements.drafted(agreements.required("granted"), **LONG)
    many = [
        drafting.Practice(
            name=f"Bioretention area number {number} with its forebay and its overflow",
            drainage_area="The roofs, walks and parking lots that slope to it. " * 4,
            place="Beside the drive",
            tasks=POND.tasks * 3,
        )
        for number in range(1, 9)
    ]
    drafting.save_words(made, answers={}, practices=many)
    return made


@pytest.fixture(scope="module")
def _made() -> dict[str, list[Page]]:
    return {}


@pytest.fixture(params=["plain", "long", "release"])
def pages(request: pytest.FixtureRequest, _made: dict[str, list[Page]]) -> list[Page]:
    """The pages of an instrument; each is typeset once for all of its measures."""
    case = request.param
    if case not in _made:
        made = draft("plain" if case == "release" else case)
        if case == "release":
            made = released(made)
        _made[case] = pages_of(made)
    return _made[case]


def released(made: MaintenanceAgreement) -> MaintenanceAgreement:
    """A release of the agreement, as if that were recorded."""
    made.recorded_on, made.document_number = date(2026, 11, 2), "1123344"
    made.county = "Example County"
    return MaintenanceAgreement(
        number="MA-2026-0002",
        site=made.site,
        permit=made.permit,
        kind="release",
        before=made,
        parcels=made.parcels,
        legal_description=LEGAL,
        owner_name=made.owner_name,
        return_to=made.return_to,
        drafter="Dana Olson",
        terms="The pond was filled in.",
        drafted_on=MONDAY,
        pk=made.pk,
    )


def test_the_sheet_is_letter_paper(pages: list[Page]) -> None:
    assert {(page.width, page.height) for page in pages} == {(8.5, 11.0)}


def test_three_by_three_inches_at_the_upper_right_are_blank(pages: list[Page]) -> None:
    first = pages[0]
    right = first.width - 0.75
    assert first.ink(right - 3, 0.5, right, 3.5) == 0
    # and from the very edge of the sheet, so that the stamp may stand anywhere there
    assert first.ink(right - 3, 0, first.width, 3.5) == 0


def test_a_strip_at_the_upper_left_is_blank_for_the_number(pages: list[Page]) -> None:
    first = pages[0]
    label = first.place("Document Number")
    top = label[1] - 0.1 - FIRST_PAGE.number_height
    assert label[3] < FIRST_PAGE.number_within
    assert top >= FIRST_PAGE.top_margin
    assert first.ink(0.75, top, 0.75 + FIRST_PAGE.number_width, label[1] - 0.1) == 0


def test_the_title_stands_between_half_an_inch_and_three(pages: list[Page]) -> None:
    first = pages[0]
    area = (0.5, FIRST_PAGE.title_from, first.width - 0.75 - 3, FIRST_PAGE.title_to)
    label, _, title = first.within(*area).partition("Document Number ")
    assert label == ""
    assert title in papers.TITLES.values()


def test_the_return_address_stands_directly_below_the_recording_area(pages: list[Page]) -> None:
    first = pages[0]
    left, top, _, _ = first.place("Name and Return Address")
    area = first.place("Recording Area")
    assert top > 3.5
    assert 0 < top - area[3] < 0.2
    assert left >= first.width - 0.75 - 3.2
    pin = first.place("Parcel Identification Number (PIN)")
    assert pin[1] - area[3] >= FIRST_PAGE.return_height
    assert first.width - 0.75 - left >= FIRST_PAGE.return_width


def test_nothing_of_the_return_address_is_cut_off() -> None:
    first = pages_of(draft("long"))[0]
    pin = first.place("Parcel Identification Number (PIN)")
    shown = first.within(4.5, 3.7, 8, pin[1])
    assert shown.endswith(" ".join(LONG["return_to"].split()))


def test_the_parcel_line_stands_directly_below_the_return_address(pages: list[Page]) -> None:
    first = pages[0]
    left, top, _, _ = first.place("Parcel Identification Number (PIN)")
    bottom = first.place("Name and Return Address")[1] + FIRST_PAGE.return_height
    assert 0 <= top - bottom < 0.25
    assert left == pytest.approx(first.place("Name and Return Address")[0], abs=0.02)


def test_one_parcel_stands_on_the_line_and_twelve_in_the_exhibit() -> None:
    made = draft("plain")
    first = pages_of(made)[0]
    (number,) = made.parcel_numbers
    line = first.place("Parcel Identification Number (PIN)")
    assert first.place(number)[1] - line[1] < 0.3
    pages = pages_of(draft("long"))
    assert "(PIN): see Exhibit A" in pages[0].text
    exhibit = " ".join(page.text for page in pages[1:])
    assert all(parcel in exhibit for parcel in LONG["parcels"].splitlines())


def test_the_margins_are_blank_on_every_page(pages: list[Page]) -> None:
    for page in pages:
        assert page.ink(0, 0, page.width, FIRST_PAGE.top_margin) == 0
        assert page.ink(0, 0, 0.25, page.height) == 0
        assert page.ink(page.width - 0.25, 0, page.width, page.height) == 0
        assert page.ink(0, page.height - 0.25, page.width, page.height) == 0


def test_all_is_black_on_white(pages: list[Page]) -> None:
    assert [page.colored() for page in pages] == [0] * len(pages)
    for page in pages:
        assert page.image.getpixel((2, 2)) == (255, 255, 255)


def test_signatures_acknowledgment_and_drafter_are_there(pages: list[Page]) -> None:
    text = " ".join(page.text for page in pages)
    for words in (
        "This instrument was drafted by",
        "Acknowledgment of the owner",
        "Acknowledgment of the city",
        "Notary public, State of Wisconsin",
        "Exhibit A. The land",
    ):
        assert words in text


def test_a_spouse_signs_with_an_individual_and_not_with_a_company() -> None:
    made = agreements.drafted(
        agreements.required("granted"),
        owner_body="individual",
        owner_organization="",
        owner_name="Mai Vang",
        spouse_name="Tou Vang",
    )
    text = " ".join(page.text for page in pages_of(made))
    assert "Mai Vang and Tou Vang, spouses" in text
    assert "Tou Vang, spouse, who joins for the homestead" in text
    assert "spouse" not in " ".join(page.text for page in pages_of(draft("long")))


def test_each_provision_stands_though_the_city_adds_nothing() -> None:
    made = draft("plain")
    text = " ".join(page.text for page in pages_of(made))
    for number, title in enumerate(
        (
            "Facilities and drainage area",
            "Maintenance schedule",
            "Responsible party",
            "Duty to maintain",
            "Access for inspections",
            "Notice and corrections",
            "City work and special charge",
        ),
        start=1,
    ):
        assert title in text
        assert f"former § 17.19(4)(f)({number})" in text
    assert "Wet detention pond, South of the building (DNR technical standard 1001)" in text
    assert "4.25 acres" in text


def test_a_colored_map_is_printed_in_gray() -> None:
    pages = pages_of(draft("plain"))
    (page,) = [page for page in pages if "Exhibit B" in page.text]
    assert page.colored() == 0
    assert page.ink(1, 1.5, 7.5, 6) > 1000


def test_a_number_that_comes_together_on_the_paper_only_is_refused() -> None:
    made = draft("plain")
    made.owner_name = "123-45-6789"
    made.save()
    printed = papers.make_instrument(made, on=MONDAY)
    with pytest.raises(NotNow, match="social security"):
        papers.refuse_social_security(made, printed)


def test_the_same_draft_gives_the_same_bytes() -> None:
    made = draft("plain")
    once, again = (papers.make_instrument(made, on=MONDAY).content for _ in range(2))
    assert once == again


def test_headings_do_not_end_a_page(pages: list[Page]) -> None:
    for page, after in itertools.pairwise(pages):
        assert not page.text.endswith("Signatures"), after.text[:60]
