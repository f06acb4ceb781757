"""The way from an order to money, step by step, by the acts that people use."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from enforcement.acts import owner_notices
from enforcement.models import CityWork, OwnerNotice, StopWorkOrder
from escrow.account import drawing
from escrow.account.drawing import Part
from escrow.bills import making
from escrow.bills.payers import payers
from escrow.books.trial import trial_balance
from escrow.models import Bill, Draw, RollBatch, RollLayout
from escrow.roll import certify
from escrow.roll.candidates import Candidate, candidates
from escrow.roll.year import roll_year_on
from permits.models import NotNow, Permit, Site
from tests import factory
from tests.enforcement import factory as orders
from tests.enforcement import works
from tests.enforcement.appealing import holds_true

ISSUED = date(2026, 3, 2)  # a Monday
ORDERED = date(2026, 5, 4)  # the permittee has until Thursday, May 14
NOTICED = date(2026, 5, 18)  # accepted by the post that day: open May 29, safe June 1
CHARGE, ASSESSMENT = Bill.Path.SPECIAL_CHARGE, Bill.Path.ASSESSMENT


def refused(act: Any, *args: Any, **given: Any) -> list[str]:
    with pytest.raises(NotNow) as why:
        act(*args, **given)
    return [obstacle.key for obstacle in why.value.obstacles]


def ordered(permit: Permit, at: Any) -> StopWorkOrder:
    at(ORDERED)
    return orders.order_standing(permit, on=ORDERED)


def mailed(permit: Permit, at: Any, *, on: date = NOTICED) -> OwnerNotice:
    """The notice to the owner, accepted by the post on its day."""
    at(on)
    notice = works.owner_notice(permit, on=on)
    for letter in owner_notices.letters_of(notice):
        works.mailed(letter, on=on)
    notice.refresh_from_db()
    return notice


def worked(notice: Any, at: Any, *, cost: str, on: date | None = None) -> CityWork:
    """City work begun on the safe day, at one cost, closed on the next day."""
    opens = notice.city_work_opens() if hasattr(notice, "order") else notice.draw_opens()
    day = on or opens.safe_on
    at(day)
    begun = works.begun(notice, on=day)
    rate = works.cost(day, quantity=Decimal("1.00"), unit="lot", rate=Decimal(cost))
    works.work.add_cost(begun, rate, by=factory.inspector(), on=day)
    at(day + timedelta(days=1))
    return works.work.close(
        begun, by=factory.inspector(), on=day + timedelta(days=1), note="Seeded and matted."
    )


def billed(work: CityWork, at: Any, *, on: date) -> Bill:
    at(on)
    payer = payers(work.site, making.permit_of(work), work)[-1]
    return making.bill_work(work, payer, by=factory.clerk(), on=on)


def draw(work: CityWork, amount: str, *, on: date) -> Draw:
    assert work.owner_notice is not None
    part = Part(work.owner_notice.permit.instruments.get(), Decimal(amount))  # type: ignore[attr-defined]
    return drawing.draw(work, [part], by=factory.clerk(), on=on)


def listed(path: str, *, on: date, layout: RollLayout) -> list[Candidate]:
    """The clerk's list on a day, of the roll on which she works."""
    now = roll_year_on(on)
    return candidates(path, cut_off_on=now.list_on, on=on, layout=layout)


def certified(path: str, *, on: date, layout: RollLayout) -> RollBatch:
    now = roll_year_on(on)
    batch = certify.propose(
        certify.lines_from(listed(path, on=on, layout=layout)),
        year=now.year,
        cut_off_on=now.cut_off_on,
        instrument=path,
        layout=layout,
        by=factory.clerk(),
        on=on,
    )
    return certify.certify(batch, signed=batch.sha256, by=factory.administrator(), on=on)


def all_is_right(on: date) -> None:
    """Docket, record, papers and accounts agree, as `verify` and `trial_balance` say."""
    assert holds_true() == []
    found = trial_balance(on=on)
    assert (found.total, found.problems) == (Decimal("0.00"), [])
    call_command("trial_balance", f"--on={on}", stdout=StringIO())


def unpermitted(at: Any, *, ordered_on: date) -> tuple[Site, CityWork]:
    """Land where nobody applied, from the order to the closed work of $1,800.00."""
    at(ordered_on)
    site = orders.site_without_permit()
    site.parcels.create(number="0240-9001-001")
    order = orders.posted_order(orders.order_without_permit(site, on=ordered_on))
    opens = order.notice_of_intent_opens()
    assert opens is not None
    at(opens.safe_on)
    notice = works.intent(order, told=[(orders.owner(), "us_mail")])
    return site, worked(notice, at, cost="1800.00")
