"""The report of a visit: made once when it is finished, with photos, to parties and file."""

from __future__ import annotations

import os
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest
from django.test import Client
from django.urls import reverse

from escrow.demo.photos import draw_photo
from escrow.demo.studio import store_jpeg
from inspections.acts import findings as finding_acts
from inspections.acts import visits as acts
from inspections.models import ChecklistLine, Visit
from permits.models import CasePaper, Permit
from portal.models import Mailing, OutboxMessage, Role

from .factory import MONDAY, finding, inspector, open_visit, site_without_permit, user

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.usefixtures("monday")]


@pytest.fixture
def blank_papers() -> None:
    """Here the papers are real."""


def text_of(paper: CasePaper) -> str:
    with paper.document.file.open("rb") as source:
        document = pypdfium2.PdfDocument(BytesIO(source.read()))
    return " ".join(" ".join(page.get_textpage().get_text_bounded().split()) for page in document)


def finish(visit: Visit, line: ChecklistLine, *, photos: int = 0) -> CasePaper:
    acts.answer(line, by=inspector(), outcome="missing", note="Torn out over 40 feet.")
    for seed in range(photos):
        upload = store_jpeg(draw_photo(seed), name=f"fence-{seed}.jpg", by=inspector())
        acts.attach_photo(visit, upload, by=inspector(), line=line)
    finding_acts.record(
        visit,
        by=inspector(),
        what="The fence is torn out.",
        section="devices",
        correct_by=MONDAY + timedelta(days=1),
        line=line,
        is_violation=True,
    )
    paper = acts.finish(visit, by=inspector()).report
    assert paper is not None
    return paper


def test_the_report_has_lines_findings_photos_and_who(visit: Visit, line: ChecklistLine) -> None:
    acts.describe(visit, by=inspector(), weather="after_rain", phase="clearing")
    paper = finish(visit, line, photos=2)
    text = text_of(paper)
    for words in (
        f"Inspection report {visit.number}",
        "Dana Olson (Building inspector)",
        "After rain",
        "Clearing and grading",
        "Missing",
        "Torn out over 40 feet.",
        "not looked at",
        "correct by Tuesday, November 17, 2026 (violation)",
        "Photo 2",
    ):
        assert words in text, words
    assert paper.kind == "inspection_report"
    assert paper.document.size < 600_000
    with paper.document.file.open("rb") as source:
        content = source.read()
    if keep := os.environ.get("SILTFENCE_LOOK"):
        Path(keep, "inspection_report.pdf").write_bytes(content)
    assert pypdfium2.PdfDocument(BytesIO(content)).is_tagged()


def test_the_parties_get_it_by_e_mail_or_by_mail(visit: Visit, line: ChecklistLine) -> None:
    paper = finish(visit, line)
    cause = f"visit_report:{visit.number}"
    letters = Mailing.objects.filter(cause=cause)
    assert letters.exists()
    assert {letter.document_id for letter in letters} == {paper.document_id}
    mail = OutboxMessage.objects.filter(cause=cause).first()
    assert mail is not None
    assert mail.attachment_id == paper.document_id
    assert "Finding 1, to be corrected by" in mail.body


def test_finishing_twice_makes_one_report(visit: Visit, line: ChecklistLine) -> None:
    paper = finish(visit, line)
    assert acts.finish(visit, by=inspector()).report == paper
    assert CasePaper.objects.filter(kind="inspection_report").count() == 1


def test_an_earlier_finding_follows_the_site(permit: Permit) -> None:
    finding(permit.site, on=MONDAY - timedelta(days=8), what="Mud on the road.")
    later = open_visit(permit.site, on=MONDAY, note="Swept, but not at the drive.")
    text = text_of(acts.finish(later, by=inspector()).report)  # type: ignore[arg-type]
    assert "Still open from earlier visits" in text
    assert "Mud on the road." in text


def test_a_visit_without_permit_is_reported_to_the_file() -> None:
    site = site_without_permit()
    visit = open_visit(site, on=MONDAY, note="A basement is dug.")
    paper = acts.finish(visit, by=inspector()).report
    assert paper is not None
    assert paper.application is None
    assert "A basement is dug." in text_of(paper)
    assert not Mailing.objects.filter(reference=site.number).exists()


def test_who_may_read_the_visit_is_led_to_its_report(
    client: Client, visit: Visit, line: ChecklistLine
) -> None:
    address = reverse("visit_report", args=[visit.key])
    client.force_login(inspector())
    assert client.get(address).status_code == 404
    paper = finish(visit, line)
    assert client.get(address).url == paper.get_absolute_url()  # type: ignore[attr-defined]
    assert address in client.get(visit.get_absolute_url()).content.decode()
    assert client.get(paper.get_absolute_url()).status_code == 200
    client.force_login(user(Role.APPLICANT, "stranger@example.test"))
    assert client.get(address).status_code == 404


def test_a_paper_that_cannot_be_kept_leaves_the_visit_open(
    visit: Visit, line: ChecklistLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*words: object, **more: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr("portal.papers.put", full)
    with pytest.raises(OSError, match="no room"):
        finish(visit, line)
    visit.refresh_from_db()
    assert visit.status == Visit.Status.OPEN
