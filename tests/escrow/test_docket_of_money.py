"""The docket of the money: the payer's last day, and the day on which a guarantee ends."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.urls import reverse

from escrow import acts as escrow_acts
from escrow.account import drawing, keeping
from escrow.account.drawing import Part
from escrow.bills import making, moving, reminding
from escrow.bills.payers import Payer, payers
from escrow.models import Bill, Instrument
from permits import verify
from permits.models import DocketEntry, Permit
from portal import papers
from portal.models import CouncilValue, Mailing, OutboxMessage
from tests import factory
from tests.escrow import money
from tests.factory import MONDAY
from tests.mails import check_reading
from tests.review.pages import signed_in, text_of

pytestmark = pytest.mark.django_db
UNTIL = date(2027, 6, 30)
PAYER = Payer("landowner", "Mai Vang", "1 Mill Street\nExample, WI 54999")


@pytest.fixture(autouse=True)
def _quick(at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(MONDAY)
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")


def letter_of_credit(**fields: Any) -> Instrument:
    given = {
        "form": "letter_of_credit",
        "amount": Decimal("2500"),
        "received_on": MONDAY,
        "issuer": "First Bank",
        "instrument_number": "LC-204",
        "expires_on": UNTIL,
    }
    return Instrument(**{**given, **fields})


@pytest.fixture
def permit() -> Permit:
    """An issued permit whose escrow is a letter of credit until June 30, 2027."""
    made: Permit = factory.granted().permit
    escrow_acts.post(made, [letter_of_credit()], by=factory.clerk(), on=MONDAY)
    made.refresh_from_db()
    made.issue(by=factory.clerk(), on=MONDAY)
    return made


@pytest.fixture
def bill(permit: Permit, at: Any) -> Bill:
    """A bill of $1,200.00 for work after a notice of intent."""
    work = money.charge_work(permit.site)
    assert work.closed_on is not None
    at(work.closed_on)
    return making.bill_work(work, PAYER, by=factory.clerk(), on=work.closed_on)


def running(permit: Permit) -> list[tuple[str, date]]:
    entries = DocketEntry.objects.running().filter(site=permit.site, rule="escrow-expiry")
    return [(entry.bound, entry.on) for entry in entries]


def test_a_guarantee_that_ends_runs_on_the_docket_until_it_is_renewed_or_gone(
    permit: Permit,
) -> None:
    item = permit.instruments.get()  # type: ignore[attr-defined]
    assert running(permit) == [("city", UNTIL)]
    later = UNTIL + timedelta(days=365)
    keeping.renew(item, expires_on=later, number="Rider 1", by=factory.clerk(), on=MONDAY)
    assert running(permit) == [("city", later)]
    keeping.renew(
        item, expires_on=None, number="Rider 2", by=factory.clerk(), on=MONDAY + timedelta(days=1)
    )
    assert running(permit) == []
    assert list(verify.faults()) == []


def test_a_replacement_ends_the_clock_of_the_old_and_starts_its_own(permit: Permit) -> None:
    old = permit.instruments.get()  # type: ignore[attr-defined]
    until = UNTIL + timedelta(days=100)
    new = letter_of_credit(instrument_number="LC-205", expires_on=until)
    keeping.replace(old, new, by=factory.clerk(), on=MONDAY)
    assert running(permit) == [("city", until)]
    assert list(verify.faults()) == []


def test_what_is_drawn_whole_has_no_clock_until_the_draw_is_taken_back(
    permit: Permit, at: Any
) -> None:
    work = money.escrow_work(permit, costs=("2500.00",))
    on = MONDAY + timedelta(days=30)
    at(on)
    part = Part(permit.instruments.get(), Decimal("2500.00"), address="9 Dock St")  # type: ignore[attr-defined]
    drawn = drawing.draw(work, [part], by=factory.clerk(), on=on)
    assert running(permit) == []
    drawing.reverse(drawn, by=factory.clerk(), on=on, reason="The wrong permit.")
    assert running(permit) == [("city", UNTIL)]
    assert list(verify.faults()) == []


def test_the_desk_shows_what_lapses_with_the_way_to_the_account(permit: Permit, at: Any) -> None:
    at(UNTIL - timedelta(days=2))
    page = signed_in(factory.inspector()).get("/desk/")
    (row,) = [each for s in page.context["sections"] for each in s.rows if "LC-204" in each.title]
    assert row.act == "Draw or renew"
    assert row.act_url == reverse("escrow_account", args=[permit.application.key])
    case = text_of(signed_in(permit.application.applicant).get(permit.site.get_absolute_url()))
    assert "Letter of credit LC-204 of First Bank expires" in case


def test_the_payers_last_day_is_one_filter_away(bill: Bill, at: Any) -> None:
    at(bill.due_on + timedelta(days=1))
    desk = signed_in(factory.clerk())
    for who in ("payer", "all"):
        page = desk.get("/desk/", {"who": who, "list": "late"})
        rows = [row for row in page.context["rows"] if row.title == f"Bill {bill} due"]
        assert [(row.act, row.act_url) for row in rows] == [
            ("See the bill", bill.get_absolute_url())
        ]
    assert not desk.get("/desk/", {"list": "late"}).context["rows"]
    words = text_of(desk.get(bill.site.get_absolute_url()))
    assert f"Bill {bill} due" in words
    moving.pay(
        bill,
        amount=Decimal("1200.00"),
        received_on=bill.due_on,
        means="cash",
        paid_by="Mai Vang",
        by=factory.clerk(),
    )
    assert not desk.get("/desk/", {"who": "payer", "list": "late"}).context["rows"]
    assert not [fault for fault in verify.faults() if str(bill) in fault]


def test_many_bills_ask_no_more_than_one(
    at: Any, django_assert_max_num_queries: Any, permit: Permit
) -> None:
    sites = [factory.issued().site for _ in range(4)]
    works = [money.charge_work(site) for site in sites]
    on = works[0].closed_on
    assert on is not None
    at(on)
    bills = [making.bill_work(work, PAYER, by=factory.clerk(), on=on) for work in works]
    at(bills[0].due_on + timedelta(days=1))
    desk = signed_in(factory.clerk())
    desk.get("/account/")
    for query in ("?who=payer", "?who=payer&list=late", "?who=all"):
        with django_assert_max_num_queries(25):
            assert desk.get(f"/desk/{query}").status_code == 200


# The payer is reminded --------------------------------------------------------------------


def told(bill: Bill) -> list[tuple[str, int, int]]:
    """Each kind of reminder with how many letters and e-mails there are of it."""
    found = []
    for kind in ("bill_soon", "bill_late"):
        cause = {"reference": bill.site.number, "cause__startswith": f"{kind}:"}
        mails = OutboxMessage.objects.filter(**cause)
        found.append((kind, Mailing.objects.filter(**cause).count(), mails.count()))
    return found


def test_the_payer_is_reminded_before_and_after_the_last_day_once_each(bill: Bill) -> None:
    due = bill.due_on
    assert reminding.remind(due - timedelta(days=15)) == 0
    # The landowner of the case has an e-mail address, by another name than the payer's.
    assert reminding.remind(due - timedelta(days=14)) == 1
    assert reminding.remind(due) == 0
    assert told(bill) == [("bill_soon", 1, 0), ("bill_late", 0, 0)]
    assert reminding.remind(due + timedelta(days=1)) == 1
    assert reminding.remind(due + timedelta(days=2)) == 0
    assert told(bill) == [("bill_soon", 1, 0), ("bill_late", 1, 0)]


def test_a_known_payer_is_reminded_by_e_mail_and_told_of_the_delay_by_letter_too(
    permit: Permit, at: Any
) -> None:
    work = money.charge_work(permit.site)
    on = work.closed_on
    assert on is not None
    at(on)
    (known,) = [each for each in payers(work.site, permit) if each.role == "landowner"]
    bill = making.bill_work(work, known, by=factory.clerk(), on=on)
    reminding.remind(bill.due_on)
    reminding.remind(bill.due_on + timedelta(days=1))
    assert told(bill) == [("bill_soon", 0, 1), ("bill_late", 1, 1)]
    for kind in ("bill_soon", "bill_late"):
        mail = OutboxMessage.objects.get(cause__startswith=f"{kind}:")
        check_reading(mail)
        assert "$1,200.00" in mail.body


def test_what_is_paid_or_held_still_is_not_reminded_of(bill: Bill) -> None:
    day = bill.due_on + timedelta(days=1)
    entry = DocketEntry.objects.of(bill).running()
    entry.update(stayed_since=bill.billed_on)
    assert reminding.remind(day) == 0
    entry.update(stayed_since=None)
    moving.credit(bill, amount=Decimal("1200.00"), reason="An error.", by=factory.clerk(), on=day)
    assert reminding.remind(day) == 0
    assert told(bill) == [("bill_soon", 0, 0), ("bill_late", 0, 0)]
