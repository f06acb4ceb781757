"""Bills, lists and batches for the tests of the tax roll, made by the acts that people use."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.core.files.storage import default_storage

from escrow.bills import making
from escrow.bills.payers import Payer
from escrow.models import (
    Bill,
    RollBatch,
    RollFile,
    RollLayout,
)
from escrow.roll import certify
from escrow.roll.candidates import Candidate, candidates
from escrow.roll.corrections import Correction, corrections
from permits.models import Site
from portal.models import User
from tests import factory
from tests.escrow import money

PAYER = Payer("landowner", "Mai Vang", "1 Mill Street\nExample, WI 54999")
BILLED = date(2026, 10, 1)
TODAY = date(2026, 11, 16)
CUT_OFF = date(2026, 11, 15)
CHARGE = Bill.Path.SPECIAL_CHARGE


def billed(
    site: Site | None = None, *, on: date = BILLED, costs: tuple[str, ...] = ("1200.00",)
) -> Bill:
    """A bill for work at a site of its own, or at this one."""
    site = site or factory.issued(on=date(2026, 3, 2)).site
    work = money.charge_work(site, on=date(2026, 8, 3), costs=costs)
    return making.bill_work(work, PAYER, by=factory.clerk(), on=on)


def listed(layout: RollLayout | None = None, *, on: date = TODAY) -> list[Candidate]:
    return candidates(CHARGE, cut_off_on=CUT_OFF, on=on, layout=layout)


def proposed(layout: RollLayout, *, by: User | None = None) -> RollBatch:
    return certify.propose(
        certify.lines_from(listed(layout)),
        year=2026,
        cut_off_on=CUT_OFF,
        instrument=CHARGE,
        layout=layout,
        by=by or factory.clerk(),
        on=TODAY,
    )


def certified(layout: RollLayout) -> RollBatch:
    batch = proposed(layout)
    return certify.certify(batch, signed=batch.sha256, by=factory.administrator(), on=TODAY)


def problems_of(bill: Bill, layout: RollLayout | None = None) -> list[str]:
    (found,) = [each for each in listed(layout) if each.bill == bill]
    return [problem.key for problem in found.problems]


def propose_corrections(found: Sequence[Correction], **facts: Any) -> RollBatch:
    """Propose the batch that takes these off the roll, as its page does."""
    return certify.propose(certify.lines_of_corrections(found), purpose="correction", **facts)


def correct(layout: RollLayout, *, on: date = TODAY) -> RollBatch:
    batch = propose_corrections(
        corrections(2026, CHARGE),
        year=2026,
        instrument=CHARGE,
        cut_off_on=CUT_OFF,
        layout=layout,
        by=factory.clerk(),
        on=on,
    )
    return certify.certify(batch, signed=batch.sha256, by=factory.administrator(), on=on)


def content(found: RollFile) -> bytes:
    with default_storage.open(found.document.file.name) as file:
        return file.read()
