"""The papers of an appeal as they are rendered, and the record bound for the board."""

from __future__ import annotations

from collections.abc import Callable
from datetime import time, timedelta
from io import BytesIO
from typing import Any

import pikepdf
import pypdfium2
import pytest

from enforcement.acts import board, revision_orders
from enforcement.acts.revision_orders import Line
from enforcement.models import Appeal
from permits.models import CasePaper, NotNow, Permit

from .appealing import appealed, decided, holds_true
from .factory import MONDAY, inspector, order_standing, told

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.usefixtures("real_papers")]


@pytest.fixture(autouse=True)
def on_monday(at: Callable[..., Any]) -> None:
    at(MONDAY)


def text_of(paper: CasePaper | None) -> str:
    assert paper is not None
    with paper.document.file.open("rb") as source:
        pdf = pypdfium2.PdfDocument(source.read())
    pages = [page.get_textpage().get_text_range() for page in pdf]
    return " ".join(" ".join(pages).split())


def test_receipt_notice_decision_and_record_say_what_the_law_wants(permit: Permit) -> None:
    order = order_standing(permit)
    appeal: Appeal = appealed(order, on=MONDAY + timedelta(days=2))
    receipt = text_of(appeal.receipt)
    assert "This appeal is in time." in receipt
    assert "Kim Larsen" in receipt
    assert "The last day to file an appeal is" in receipt

    record = board.transmit(appeal, by=inspector(), on=MONDAY + timedelta(days=3))
    with record.document.file.open("rb") as source, pikepdf.open(BytesIO(source.read())) as pdf:
        assert len(pdf.pages) == record.document.pages
        with pdf.open_outline() as outline:
            titles = [item.title for item in outline.root]
    assert titles[0] == "Transmittal and index"
    assert f"Stop-work order {order.number}" in titles
    assert f"Receipt of appeal {appeal.number}" in titles
    front = text_of(record)
    assert "Transmittal to the board of zoning appeals" in front
    assert f"{record.document.pages} pages." in front
    with pytest.raises(NotNow, match="already"):
        board.transmit(appeal, by=inspector(), on=MONDAY + timedelta(days=3))

    board.set_hearing(
        appeal,
        by=inspector(),
        on=MONDAY + timedelta(days=3),
        held_on=MONDAY + timedelta(days=20),
        at=time(18, 30),
        place="Council chambers",
    )
    notice = text_of(CasePaper.objects.get(kind="hearing_notice"))
    assert "Sunday, December 6, 2026, 6:30 PM" in notice
    assert "Council chambers" in notice

    decided(appeal, on=MONDAY + timedelta(days=21), outcome="modified", text="Three more days.")
    decision = text_of(CasePaper.objects.get(kind="board_decision"))
    assert "modified" in decision
    assert "Three more days." in decision
    assert "Stayed by an appeal from" in decision
    assert "Wis. Stat. § 62.23(7)(e)10." in decision
    assert holds_true() == []


def test_a_late_receipt_says_so(permit: Permit) -> None:
    order = order_standing(permit)
    appeal = appealed(order, on=order.appeal_deadline().on + timedelta(days=1))
    receipt = text_of(appeal.receipt)
    assert "This appeal came after the last day." in receipt
    assert "it stays nothing" in receipt


def test_a_revision_order_has_its_timetable(permit: Permit) -> None:
    order = revision_orders.issue(
        permit,
        by=inspector(),
        on=MONDAY,
        cause="rain",
        facts="Mud runs over the north line.",
        lines=[Line("silt-fence", "North line", MONDAY + timedelta(days=3), "120 feet")],
        told=told(permit.site, permit),
    )
    paper = text_of(order.paper)
    assert "Silt fence (DNR 1056)" in paper
    assert "Thursday, November 19, 2026" in paper
    assert "Right of appeal" in paper
