"""A demand that was paid in part and refused for the rest. Former § 17.19(4)(c) and (e)"""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from escrow.account import drawing, issuers, refusing
from escrow.account.drawing import Part
from escrow.account.held import refused
from escrow.bills import making
from escrow.books.trial import trial_balance
from escrow.models import Demand, EscrowEntry, IssuerPayment
from permits.models import CaseEvent, NotNow
from portal.models import CouncilValue, OutboxMessage
from tests import factory
from tests.escrow import money
from tests.escrow.test_issuers import DAY, PAYER, _quick, clerk, demand, due, page, pay
from tests.mails import check_reading
from tests.review.pages import act, fill, text_of

__all__ = ["_quick", "clerk", "demand"]  # the fixtures of the neighbour

pytestmark = pytest.mark.django_db
WHY = "It disputes the second row of the costs, by its letter of December 14."


def refuse(demand: Demand) -> EscrowEntry:
    return refusing.refuse(demand, reason=WHY, by=factory.clerk(), on=DAY)


def test_the_part_paid_stays_drawn_and_the_rest_may_be_billed(demand: Demand) -> None:
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    pay(demand, "700.00")
    draw, permit, bond = demand.entry.draw, demand.entry.permit, demand.entry.instrument
    assert draw is not None
    assert bond.held() == Decimal("1300.00")
    row = refuse(demand)
    assert (row.amount, bond.held()) == (Decimal("500.00"), Decimal("1800.00"))
    assert due(demand) == issuers.left_of(demand) == 0
    assert refused(permit) == {bond.pk}
    assert drawing.undrawn(draw.work) == Decimal("500.00")
    assert making.obstacles_to_bill(draw.work, on=DAY) == []
    bill = making.bill_work(draw.work, PAYER, by=factory.clerk(), on=DAY)
    assert (bill.escrow_applied, bill.amount) == (Decimal("700.00"), Decimal("500.00"))
    assert trial_balance(on=DAY).is_right
    event = permit.site.events.get(kind=CaseEvent.Kind.ESCROW_DRAW_REVERSED)
    assert event.facts["refused_by"] == ["Lake States Surety"]
    mails = OutboxMessage.objects.filter(cause__startswith="escrow_demand_refused")
    assert mails
    for mail in mails:
        check_reading(mail)
        assert "$500.00" in mail.body
        assert "$700.00" in mail.body
    with pytest.raises(NotNow, match="The rest was refused"):
        pay(demand, "1.00", check_number="88104")


def test_a_refusal_is_taken_back_by_a_row_and_the_demand_is_open_again(demand: Demand) -> None:
    pay(demand, "700.00")
    row = refuse(demand)
    refusing.take_back(row, reason="It pays after all.", by=factory.clerk(), on=DAY)
    assert issuers.left_of(demand) == due(demand) == Decimal("500.00")
    assert refused(demand.entry.permit) == set()
    assert demand.entry.instrument.held() == Decimal("1300.00")
    mails = OutboxMessage.objects.filter(cause__startswith="escrow_refusal_back")
    assert mails
    for mail in mails:
        check_reading(mail)
    with pytest.raises(NotNow, match="taken back already"):
        refusing.take_back(row, reason="Again.", by=factory.clerk(), on=DAY)
    pay(demand, "500.00", check_number="88103")
    with pytest.raises(NotNow, match="Nothing is left"):
        refuse(demand)
    assert trial_balance(on=DAY).is_right


def test_a_check_that_came_back_after_the_refusal_opens_the_part_that_it_paid(
    demand: Demand,
) -> None:
    made = pay(demand, "700.00")
    refuse(demand)
    issuers.reverse(made, reason="The bank did not pay it.", by=factory.clerk(), on=DAY)
    assert issuers.left_of(demand) == Decimal("700.00")
    refuse(demand)
    assert (issuers.left_of(demand), due(demand)) == (0, 0)
    assert demand.entry.instrument.held() == Decimal("2500.00")
    assert trial_balance(on=DAY).is_right


def test_the_whole_draw_taken_back_takes_its_refusal_back_as_well(demand: Demand) -> None:
    row, draw = refuse(demand), demand.entry.draw
    assert draw is not None
    drawing.reverse(draw, by=factory.clerk(), on=DAY, reason="The wrong permit.")
    assert demand.entry.instrument.held() == Decimal("2500.00")
    assert (due(demand), drawing.undrawn(draw.work)) == (0, draw.work.total)
    with pytest.raises(NotNow, match="taken back already"):
        refusing.take_back(row, reason="No.", by=factory.clerk(), on=DAY)
    assert trial_balance(on=DAY).is_right


def test_while_the_work_is_billed_nothing_is_refused(demand: Demand) -> None:
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    permit, bond, by = demand.entry.permit, demand.entry.instrument, factory.clerk()
    work = money.escrow_work(permit, costs=("1400.00",))
    part = Part(bond, Decimal("1300.00"), address="9 Dock St\nExample, WI")
    draw = drawing.draw(work, [part], by=by, on=DAY)
    bill = making.bill_work(work, PAYER, by=by, on=DAY)
    second = draw.entries.get().demand
    with pytest.raises(NotNow, match=f"bill {bill}"):
        refuse(second)
    row = {"permit": permit, "instrument": bond, "draw": draw, "demand_refused": second}
    with pytest.raises(IntegrityError, match="while its work is billed"), transaction.atomic():
        EscrowEntry.objects.create(kind="refused", amount=Decimal("1.00"), on=DAY, by=by, **row)


def test_the_database_refuses_more_than_is_left_of_a_demand(demand: Demand) -> None:
    pay(demand, "700.00")
    entry = demand.entry
    more = {"permit": entry.permit, "instrument": entry.instrument, "draw": entry.draw}
    more |= {"demand_refused": demand, "kind": "refused", "on": DAY, "by": factory.clerk()}
    with pytest.raises(IntegrityError, match="at most what is left"), transaction.atomic():
        EscrowEntry.objects.create(amount=Decimal("500.01"), **more)
    made = refuse(demand)
    receipt = IssuerPayment.objects.get().receipt
    assert receipt is not None
    with pytest.raises(IntegrityError, match="did not refuse"), transaction.atomic():
        IssuerPayment.objects.create(
            demand=demand, amount=Decimal("0.01"), receipt_id=receipt.pk + 1, on=DAY,
            by=factory.clerk(),
        )  # fmt: skip
    assert made.amount == Decimal("500.00")


def test_an_earlier_draw_that_was_paid_does_not_hide_a_later_refusal(demand: Demand) -> None:
    pay(demand, "1200.00")
    bond, permit, by = demand.entry.instrument, demand.entry.permit, factory.clerk()
    work = money.escrow_work(permit)
    part = Part(bond, Decimal("300.00"), address="9 Dock St\nExample, WI")
    second = drawing.draw(work, [part], by=by, on=DAY)
    drawing.reverse(second, by=by, on=DAY, reason="It disputes it.", refused=[bond])
    assert refused(permit) == {bond.pk}
    drawing.draw(work, [part], by=by, on=DAY)
    assert refused(permit) == set()


def test_the_clerk_records_the_refusal_and_takes_it_back(clerk: Client, demand: Demand) -> None:
    pay(demand, "700.00")
    account = reverse("escrow_account", args=[demand.entry.permit.application.key])
    address = page(demand, "escrow_issuer_refused", demand.pk)
    assert address in clerk.get(account).content.decode()
    shown = text_of(fill(clerk, address, reason=WHY))
    assert "Record that Lake States Surety refused $500.00?" in shown
    assert act(clerk, address, reason=WHY).status_code == 302
    words = text_of(clerk.get(account))
    assert "$700.00 paid, $500.00 refused" in words
    assert "The issuer refused to pay" in words
    assert "Nothing is left of this demand." in text_of(clerk.get(address))
    row = EscrowEntry.objects.get(kind="refused")
    back = page(demand, "escrow_refusal_reverse", row.pk)
    assert act(clerk, back, reason="It pays after all.").status_code == 302
    assert "$500.00 is not paid yet" in text_of(clerk.get(account))
    case = text_of(clerk.get(demand.entry.permit.site.get_absolute_url()))
    assert "Lake States Surety refused $500.00 of draw DR-2026-0001" in case
    assert "It was taken back that Lake States Surety refused $500.00" in case
