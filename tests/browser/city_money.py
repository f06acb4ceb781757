"""The money of the small city: an escrow in each state, bills, and two lists for the tax roll."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from enforcement.models import CityWork
from escrow import acts as escrow_acts
from escrow.account import drawing, forfeiting, issuers, refusing, releasing
from escrow.bills import levying, making, moving
from escrow.bills.payers import Payer
from escrow.books import bank
from escrow.models import Bill, Demand, Instrument, OnlineEvent, RollBatch, RollLayout
from escrow.roll import certify, outcomes
from escrow.roll.candidates import candidates
from inspections.acts import cover, visits
from permits import acts
from permits.models import Application, Permit
from portal.models import CouncilValue, Role, User
from tests import factory
from tests.escrow import money, online

__all__ = ["build"]

DAYS = timedelta(days=1)
PAYER = Payer("landowner", "Ann Meyer", "4418 Ridge Road\nExample, WI 54999")
Key = CouncilValue.Key


def build(cases: dict[str, Any], things: dict[str, Any], people: dict[str, User], on: date) -> None:
    """Put up cases and things of the money, by name."""
    for key, value in (
        (Key.BILL_DAYS, "30"),
        (Key.INTEREST_RATE, "5"),
        (Key.ADMINISTRATIVE_FEE, "65.00"),
    ):
        money.resolution(key, value, on=on - 730 * DAYS)
    _accounts(cases, things, people, on)
    _bills(cases, things, people, on)
    _rolls(things, people, on)


# Escrow -----------------------------------------------------------------------------------


def _accounts(
    cases: dict[str, Any], things: dict[str, Any], people: dict[str, User], on: date
) -> None:
    holder, clerk = people[Role.APPLICANT], people[Role.CLERK]
    for name in ("finished", "release proposed"):
        cases[name] = _finished(factory.issued(holder, on=on - 200 * DAYS), people, on)
    releasing.propose(_permit(cases["release proposed"]), by=clerk, on=on)
    for name in ("overdue", "forfeiture proposed"):
        cases[name] = factory.issued(holder, on=on - 300 * DAYS)
        seen = visits.begin(cases[name].site, by=people[Role.INSPECTOR], on=on, today=on)
        visits.finish(seen, by=people[Role.INSPECTOR])
    forfeiting.propose(
        _permit(cases["forfeiture proposed"]),
        what_is_open="The slope is bare.",
        visit=seen,
        by=people[Role.INSPECTOR],
        on=on,
    )
    cases["bonded"] = _bonded(holder, on=on - 60 * DAYS, until=on + 40 * DAYS)
    cases["demanded"] = _bonded(holder, on=on - 120 * DAYS, until=None)
    _demand(_permit(cases["demanded"]), things, people, on)
    given_back = _finished(_bonded(holder, on=on - 200 * DAYS, until=None), people, on)
    cases["released"] = given_back
    release = releasing.propose(_permit(given_back), by=clerk, on=on)
    releasing.approve(release, by=people[Role.ADMINISTRATOR], on=on)


def _demand(permit: Permit, things: dict[str, Any], people: dict[str, User], on: date) -> None:
    """Draw on a bond; the surety paid a part."""
    bond = permit.instruments.get()  # type: ignore[attr-defined]
    work = money.escrow_work(permit, on=on - 60 * DAYS, costs=("640.00", "60.00"))
    address = "Lake States Surety\n200 Water Street\nMilwaukee, WI 53202"
    for amount in ("640.00", "60.00"):
        part = drawing.Part(bond, Decimal(amount), address, "The bond\nThe statement of costs")
        drawing.draw(work, [part], by=people[Role.CLERK], on=on - 20 * DAYS)
    things["demand"], other = Demand.objects.filter(entry__permit=permit).order_by("pk")
    things["refusal"] = refusing.refuse(
        other, reason="It disputes the second notice.", by=people[Role.CLERK], on=on
    )
    things["issuer paid"] = issuers.pay(
        things["demand"],
        amount=Decimal("140.00"),
        received_on=on,
        means="check",
        check_number="5512",
        paid_by="Lake States Surety",
        by=people[Role.CLERK],
    )


def _bonded(holder: User, *, on: date, until: date | None) -> Application:
    case = factory.granted(holder, on=on)
    bond = Instrument(
        form="bond",
        amount=case.permit.escrow_amount,
        received_on=on,
        issuer="Lake States Surety",
        instrument_number="B-1044",
        expires_on=until,
        original_kept_at="Safe, shelf 2",
    )
    escrow_acts.post(case.permit, [bond], by=factory.clerk(), on=on)
    acts.issue(_permit(case), by=factory.clerk(), on=on)
    return case


def _finished(case: Application, people: dict[str, User], on: date) -> Application:
    by = people[Role.INSPECTOR]
    seen = visits.begin(case.site, by=by, on=on, today=on)
    cover.record_final(
        seen,
        by=by,
        controls_complete=True,
        perennial=True,
        density_percent=85,
        method="estimate",
    )
    return case


def _permit(case: Application) -> Permit:
    return Permit.objects.get(application=case)


# Bills ------------------------------------------------------------------------------------


def _bills(
    cases: dict[str, Any], things: dict[str, Any], people: dict[str, User], on: date
) -> None:
    holder, clerk = people[Role.APPLICANT], people[Role.CLERK]
    _untold(holder, things, people, on - 365 * DAYS)
    billed = on - 45 * DAYS
    certified = things["bill certified"] = _charged(holder, on=billed)
    batch = things["batch certified"] = _certified(people, on)
    things["roll file"] = batch.files.first()
    things["charge"] = batch.charges.get()
    _charged(holder, on=billed)
    second = _certified(people, on)
    collect = {"amount": Decimal("50.00"), "on": on, "reference": "S-1"}
    outcomes.collect(second.charges.get(), by=clerk, **collect)
    things["collected"] = second.charges.get().outcomes.get()
    things["layout"] = RollLayout.objects.get(format="fixed")
    things["parcel"] = certified.site.parcels.get()
    things["bill late"] = _charged(holder, on=billed)
    divided = things["bill of two parcels"] = _charged(holder, on=billed)
    divided.site.parcels.create(number="0099-0007-000")
    in_part = things["bill"] = _charged(holder, on=on - 5 * DAYS)
    pay = {"means": "cash", "paid_by": "Ann Meyer", "by": clerk, "received_on": on}
    moving.pay(in_part, amount=Decimal("100.00"), **pay)
    things["payment"] = in_part.entries.get(kind="payment")
    settled = things["bill settled"] = _charged(holder, on=on - 5 * DAYS)
    check = pay | {"means": "check", "check_number": "2207"}
    moving.pay(settled, amount=settled.amount, **check)
    error = things["bill withdrawn"] = _charged(holder, on=on - 5 * DAYS)
    moving.withdraw(error, reason="The wrong site.", by=clerk, on=on)
    moving.pay(certified, amount=certified.amount, **pay)
    things["bill to levy"] = _assessed(holder, on=on - 150 * DAYS)
    levied = things["bill levied"] = _assessed(holder, on=on - 150 * DAYS)
    levying.levy(levied, resolution="2026-88", levied_on=on - 70 * DAYS, by=clerk)
    unbilled = factory.issued(holder, on=on - 250 * DAYS)
    things["work to bill"] = money.charge_work(unbilled.site, on=on - 60 * DAYS)
    cases["drawable"] = factory.issued(holder, on=on - 120 * DAYS)
    money.escrow_work(_permit(cases["drawable"]), on=on - 60 * DAYS, costs=("412.50", "87.25"))
    things["online payment"] = online.begun(bill=in_part, amount="100.00")
    things["payment with the code"] = online.begun_with_code(things["bill late"], amount="1200.00")
    things["set aside"] = OnlineEvent.objects.create(
        provider="stripe",
        event_id="evt_city",
        kind="checkout.session.completed",
        reference="nobody-knows",
        amount=Decimal("100.00"),
        currency="USD",
        verdict="set-aside",
        why="No payment of this portal has this reference.",
    )
    days = {"since": on - 400 * DAYS, "until": on - DAYS}
    bank.deposit(**days, total=bank.takings(**days).total, by=clerk, on=on)


def _untold(holder: User, things: dict[str, Any], people: dict[str, User], on: date) -> None:
    """A charge of a roll that is with the treasurer: it was paid, and no correction certified."""
    bill = _charged(holder, on=on - 45 * DAYS)
    things["charge untold"] = _certified(people, on).charges.get()
    pay = {"means": "cash", "paid_by": "Ann Meyer", "by": people[Role.CLERK], "received_on": on}
    moving.pay(bill, amount=bill.amount, **pay)


def _charged(holder: User, *, on: date) -> Bill:
    """A bill for work after a notice of intent."""
    case = factory.issued(holder, on=on - 200 * DAYS)
    return _bill(money.charge_work(case.site, on=on - 60 * DAYS), on=on)


def _assessed(holder: User, *, on: date) -> Bill:
    """A bill of what an escrow of $2,500 did not bear."""
    case = factory.issued(holder, on=on - 60 * DAYS)
    drawn = money.drawn(_permit(case), "2500.00", on=on, costs=("2400.00", "512.40"))
    return _bill(drawn.work, on=on + 40 * DAYS)


def _bill(work: CityWork, *, on: date) -> Bill:
    return making.bill_work(work, PAYER, by=factory.clerk(), on=on)


# The tax roll -----------------------------------------------------------------------------


def _rolls(things: dict[str, Any], people: dict[str, User], on: date) -> None:
    """One list waits for its second person."""
    things["batch proposed"] = _proposed(Bill.Path.ASSESSMENT, people, on)


def _proposed(path: str, people: dict[str, User], on: date) -> RollBatch:
    layout = RollLayout.objects.get(name="CSV, all columns")
    cut_off = on - DAYS
    found = candidates(path, cut_off_on=cut_off, on=on, layout=layout)
    return certify.propose(
        certify.lines_from(found),
        year=on.year,
        cut_off_on=cut_off,
        instrument=path,
        layout=layout,
        by=people[Role.CLERK],
        on=on,
    )


def _certified(people: dict[str, User], on: date) -> RollBatch:
    batch = _proposed(Bill.Path.SPECIAL_CHARGE, people, on)
    return certify.certify(batch, signed=batch.sha256, by=people[Role.ADMINISTRATOR], on=on)
