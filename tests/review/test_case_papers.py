"""The papers of a filed application: what each says, and that nothing breaks them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

import icalendar
import pypdfium2
import pytest
from django.core.files.storage import default_storage

from permits import acts
from permits.models import Application, CasePaper, DocketEntry
from portal.models import OutboxMessage
from tests import factory
from tests.factory import MONDAY

from .pages import signed_in, text_of, url

pytestmark = pytest.mark.django_db


def pages_of(paper: CasePaper) -> list[str]:
    """The words of each page of a paper."""
    with default_storage.open(paper.document.file.name) as file:
        pdf = pypdfium2.PdfDocument(file.read())
    words = [page.get_textpage().get_text_range() for page in pdf]
    return [" ".join(text.split()) for text in words]


def paper_of(application: Application, kind: str) -> str:
    return " ".join(pages_of(application.papers.get(kind=kind)))


def has(text: str, parts: Iterable[str]) -> None:
    for part in parts:
        assert part in text, (part, text)


CITY = ["City of Example", "(555) 010-0100", "inspection@city.example"]
APPEAL = ["Right of appeal", "Wednesday, December 16, 2026", "Thirty calendar days: Nov 17"]


def test_the_receipt(at) -> None:
    at(MONDAY)
    application = factory.received()
    has(
        paper_of(application, "receipt"),
        [
            *CITY,
            str(application.number),
            "the fee are all in (§ 40-886)",
            "Tuesday, December 1, 2026",
            "Ten working days: Nov 17, 18, 19, 20, 23, 24, 25, 27, 30, Dec 1.",
            "Thanksgiving Day, a legal holiday",
            "Cash at the counter, $25.00",
            "may appeal to the board of zoning appeals",
            "Work may begin only once the permit is issued.",
            "Northfield Builders LLC (Mai Vang) 1 Mill Street Example, WI 54999",
        ],
    )


def test_the_denial(at) -> None:
    at(MONDAY)
    application = factory.denied()
    has(
        paper_of(application, "denial"),
        [
            *CITY,
            *APPEAL,
            "(§ 40-886(c))",
            "Plan revision 1 must be added to or modified",
            "Show the inlet east of the drive. § 40-939 · Sheet C-1",
            "Give dates for the permanent seeding. § 40-939",
            "No new fee is due.",
            "Dana Olson (Building inspector)",
        ],
    )


def test_the_notice_of_grant_the_escrow_receipt_and_the_card(at) -> None:
    at(MONDAY)
    application = factory.issued()
    has(
        paper_of(application, "grant"),
        [
            *CITY,
            *APPEAL,
            "Escrow to post: $2,500.00",
            "cash, which may not be more than the amount",
            "a letter of credit, with the City of Example as its beneficiary",
            "Call two working days before the first disturbance.",
            "Wednesday, July 14, 2027",
            "former § 17.19(4)(c)",
        ],
    )
    has(
        paper_of(application, "escrow_receipt"),
        [*CITY, *APPEAL, "$2,500.00", "Receipt E-", "there is no partial release"],
    )
    card = pages_of(application.papers.get(kind="permit_card"))
    has(
        card[0],
        [
            "Erosion control permit",
            "EC-2026-0001",
            "Prairie Road",
            "Northfield Builders LLC",
            "Monday, November 16, 2026",
            "Wednesday, July 14, 2027",
            "Silt fence, Storm drain inlet protection",
            "(555) 010-0100",
            "Scan for this permit",
        ],
    )
    has(
        " ".join(card[1:]),
        [
            *APPEAL,
            "YOU ARE RESPONSIBLE FOR COMPLYING WITH STATE AND FEDERAL LAWS",
            "Wis. Stat. § 62.232",
            "The permit names Wednesday, July 14, 2027",
            "Call two working days before the first disturbance.",
        ],
    )


def test_the_card_has_nobodys_telephone_or_address(at) -> None:
    """It hangs at the street: no number but the city's."""
    at(MONDAY)
    application = factory.issued()
    text = paper_of(application, "permit_card")
    for party in application.parties.all():
        for private in (party.telephone, party.email, party.mailing_address.splitlines()[0]):
            assert not private or private not in text
    assert application.applicant.email not in text
    assert set(re.findall(r"[\w.]+@[\w.]*\w", text)) == {"inspection@city.example"}


def test_the_face_of_the_card_is_one_page_however_long_its_words(at) -> None:
    at(MONDAY)
    application = factory.posted()
    application.site.address = "Lot 14 of Prairie Crossing Second Addition, " * 6
    application.site.save()
    application.parties.filter(role="landowner").update(
        organization="The Very Long Named Northfield Land and Building Company of Wisconsin " * 2
    )
    revision = application.permit.grant.revision
    for device in ("sediment-basin", "tracking-pad", "ditch-check", "mat-channel", "dewatering"):
        revision.devices.create(device=device, place="Somewhere")
    acts.issue(application.permit, by=factory.clerk(), on=MONDAY)
    card = pages_of(application.papers.get(kind="permit_card"))
    assert "EC-2026-0001" in card[0]
    assert "Scan for this permit" in card[0]
    assert "are on the next page" in card[0]
    assert "terms and dates" in card[1]


def test_a_late_decision_says_so_on_paper(at) -> None:
    at("2026-12-02")
    application = factory.received()
    change = {"section": "plan", "sheet": "", "text": "Show the inlet."}
    acts.deny(application, by=factory.inspector(), on=date(2026, 12, 2), changes=[change])
    assert "recorded as late" in paper_of(application, "denial")


def test_one_date_everywhere(at) -> None:
    """The page of the applicant and of staff, mail, paper, calendar file, docket: one date."""
    at(MONDAY)
    application = factory.received()
    long = "Tuesday, December 1, 2026"
    assert application.decision_deadline().on == date(2026, 12, 1)
    assert DocketEntry.objects.running().get(rule="decision").on == date(2026, 12, 1)
    for user in (application.applicant, factory.inspector(), factory.clerk()):
        assert long in text_of(signed_in(user).get(url("receipt", application)))
    assert long in text_of(signed_in(factory.inspector()).get(url("review", application)))
    for mail in OutboxMessage.objects.filter(cause__startswith="received"):
        assert long in mail.body
    assert long in paper_of(application, "receipt")
    calendar = signed_in(application.applicant).get(url("receipt_calendar", application))
    (entry,) = icalendar.Calendar.from_ical(calendar.content).walk("VEVENT")
    assert entry["DTSTART"].dt == date(2026, 12, 1)
    assert application.site.events.get(kind="application.received").facts["decide_by"] == (
        "2026-12-01"
    )


def test_the_same_date_after_the_case_changed_hands(at) -> None:
    at(MONDAY)
    application = factory.received()
    before = application.decision_deadline()
    Application.objects.filter(pk=application.pk).update(applicant=factory.applicant("Ana Ruiz"))
    application.refresh_from_db()
    assert application.decision_deadline() == before


NASTY = [
    "line\u2028separator\u2029here",
    "\u202eturned around",
    "\x07bell and \x1b[31mcolour",
    "<script>alert(1)</script><img src=file:///etc/passwd>",
    "{{ city.name }}{% now 'Y' %}",
    "表ポあA鷗ŒéＢ逍Üßªąñ丂㐀𠀀",
    "الكل في المجمو عة (5)",
    "Ṱ̺̺̕o͞ ̷i̲̬͇̪͙n̝̗͕v̟̜̘̦͟o̶̙̰̠kè͚̮̺̪̹̱̤",
    "x" * 3000,
    "&amp;&lt;'\"",
]


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_whatever_was_typed_the_paper_is_made(at, text: str) -> None:
    at(MONDAY)
    application = factory.received()
    application.parties.filter(role="landowner").update(name=text[:200], organization=text[:200])
    changes = [{"section": "plan", "sheet": text[:120], "text": text}]
    acts.deny(application, by=factory.inspector(), on=MONDAY, changes=changes, note=text)
    assert "Denial with required changes" in paper_of(application, "denial")


@pytest.mark.slow
def test_every_string_known_to_break_things_makes_a_paper(at, cases: Path) -> None:
    at(MONDAY)
    strings = [each for each in _strings(json.loads((cases / "strings.json").read_text())) if each]
    application = factory.received()
    changes = [
        {
            "section": "plan",
            "sheet": each[:120].replace("\x00", ""),
            "text": each.replace("\x00", ""),
        }
        for each in strings
        if each.replace("\x00", "").strip()
    ]
    acts.deny(application, by=factory.inspector(), on=MONDAY, changes=changes)
    assert f"{len(changes)}." in paper_of(application, "denial")


def _strings(found: Any) -> Iterable[str]:
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict):
        for each in found.values():
            yield from _strings(each)
    elif isinstance(found, list):
        for each in found:
            yield from _strings(each)
