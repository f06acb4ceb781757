"""The papers of orders, rendered as they go out."""

from __future__ import annotations

import os
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest

from enforcement.acts import revocation

from .factory import MONDAY, inspector, lifted, order_of_permit, order_without_permit, told

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(autouse=True)
def rendered(real_papers):
    """Every paper of these tests is rendered."""


def text_of(paper) -> tuple[str, int]:
    """The words of a paper and the number of its pages."""
    content = paper.document.file.read()
    if folder := os.environ.get("KEEP_PAPERS"):
        Path(folder, f"{paper.kind}.pdf").write_bytes(content)
    pages = [
        page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(BytesIO(content))
    ]
    return " ".join(" ".join(pages).split()), len(pages)


def test_the_order_has_facts_duties_dates_with_their_count_and_the_right_of_appeal(permit):
    order = order_of_permit(permit)
    text, _ = text_of(order.paper)
    for wanted in (
        order.number,
        "Plan not followed in good faith",
        "the silt fence on the north line is down",
        "All grading, and all hauling of soil.",
        "Put the silt fence up again",
        "November 27, 2026",
        "How the days are counted",
        "Right of appeal",
        "board of zoning appeals",
        "imposes none",
    ):
        assert wanted in text, wanted


def test_the_placard_is_one_page_and_leads_to_the_public_page(permit):
    order = order_of_permit(permit, must_stop="All grading. " * 30)
    text, pages = text_of(order.placard)
    assert pages == 1
    assert "stop work" in text.lower()
    assert order.number in text
    assert "Mai Vang" not in text


def test_the_order_against_a_person_without_a_permit_names_the_other_dates(db):
    text, _ = text_of(order_without_permit().paper)
    assert "to obey or to obtain a permit" in text
    assert "revoked" not in text


def test_the_paper_that_lifts_an_order_names_the_visit(permit):
    order = lifted(order_of_permit(permit))
    paper = order.site.papers.get(kind="lift_notice")
    text, _ = text_of(paper)
    assert f"Visit {order.lifted_by_visit}" in text
    assert "Work may go on under permit" in text


def test_the_revocation_says_why_and_what_it_does(permit):
    order = order_of_permit(permit)
    made = revocation.revoke(
        order,
        by=inspector(),
        on=MONDAY + timedelta(days=30),
        facts="Grading went on, day by day.",
        told=told(permit.site, permit),
    )
    text, _ = text_of(made.paper)
    for wanted in ("Grading went on", "The escrow stays with the city", "Right of appeal"):
        assert wanted in text, wanted
