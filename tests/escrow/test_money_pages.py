"""The clerk's pages of bills and tax roll, as the roles concerned see them."""

from __future__ import annotations

import hashlib
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.http import FileResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from enforcement.models import CityWork
from escrow.bills import making, moving
from escrow.bills.payers import Payer
from escrow.models import Bill, ParcelNote, RollBatch, RollCharge, RollFile, RollLayout
from escrow.roll.columns import columns_of
from portal import papers
from portal.models import CouncilValue
from tests import factory
from tests.escrow import money
from tests.review.pages import fields_of, signed_in, text_of

pytestmark = pytest.mark.django_db

TODAY = date(2026, 11, 16)
PAYER = Payer("landowner", "Mai Vang", "1 Mill Street\nExample, WI 54999")


@pytest.fixture(autouse=True)
def _quick(at, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(TODAY)


@pytest.fixture
def clerk() -> Client:
    return signed_in(factory.clerk())


@pytest.fixture
def administrator() -> Client:
    return signed_in(factory.administrator())


@pytest.fixture
def work() -> CityWork:
    money.resolution(CouncilValue.Key.BILL_DAYS, "30", number="2026-14")
    site = factory.issued(on=date(2026, 3, 2)).site
    return money.charge_work(site, on=date(2026, 8, 3), costs=("800.00", "400.00"))


@pytest.fixture
def bill(work: CityWork) -> Bill:
    return making.bill_work(work, PAYER, by=factory.clerk(), on=date(2026, 10, 1))


def send(client: Client, page: str, **fields: str):  # type: ignore[no-untyped-def]
    """Send the page's own form with these answers, as its button does."""
    shown = client.get(page)
    return client.post(page, fields_of(shown) | fields)


def test_the_clerk_bills_closed_work(clerk: Client, work: CityWork) -> None:
    assert "Bill $1,200.00" in text_of(clerk.get(reverse("bills")))
    page = reverse("bill_work", args=[work.key])
    shown = send(clerk, page, step="check")
    words = text_of(shown)
    assert "Make this bill?" in words
    assert "Wednesday, December 16, 2026" in words
    assert not Bill.objects.exists()
    done = clerk.post(page, fields_of(shown) | {"step": "confirm"})
    made = Bill.objects.get()
    assert done.headers["Location"] == made.get_absolute_url()
    again = clerk.post(page, fields_of(shown) | {"step": "confirm"})
    assert again.headers["Location"] == made.get_absolute_url()
    assert Bill.objects.count() == 1


def test_without_the_resolution_the_page_says_which_is_missing(clerk: Client) -> None:
    work = money.charge_work(factory.issued(on=date(2026, 3, 2)).site, on=date(2026, 8, 3))
    words = text_of(clerk.get(reverse("bill_work", args=[work.key])))
    assert "resolution on the time to pay a bill for city work is not on file" in words


PAYMENT = {"means": "check", "check_number": "1041", "paid_by": "Mai Vang"}


def test_a_payment_is_asked_shown_and_done_once(clerk: Client, bill: Bill) -> None:
    page = reverse("bill_pay", args=[bill.key])
    answers = PAYMENT | {"amount": "1,200.00", "received_on": "2026-11-02"}
    shown = send(clerk, page, **answers, step="check")
    assert "The bill is then paid in full." in text_of(shown)
    for _ in range(3):
        clerk.post(page, fields_of(shown) | {"step": "confirm"})
    assert bill.balance() == 0
    words = text_of(clerk.get(bill.get_absolute_url()))
    assert "Settled." in words
    assert "RC-2026-0001" in words


def listed(page: Any) -> list[Bill]:
    return [bill for bill, _ in page.context["rows"]]


def test_settled_bills_are_listed_without_adding_up_every_account(
    clerk: Client, bill: Bill, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"list": "paid"}
    assert listed(clerk.get(reverse("bills"), asked)) == []
    given = PAYMENT | {"amount": bill.balance(), "received_on": date(2026, 11, 2)}
    moving.pay(bill, **given, by=factory.clerk())
    with CaptureQueriesContext(connection) as queries:
        page = clerk.get(reverse("bills"), asked)
    assert listed(page) == [bill]
    (counted,) = (
        query["sql"]
        for query in queries
        if "COUNT(" in query["sql"] and '"escrow_bill"' in query["sql"]
    )
    assert "escrow_billentry" not in counted
    assert "LIMIT" in counted
    assert listed(clerk.get(reverse("bills"))) == []
    second = making.bill_work(
        money.charge_work(bill.site, on=date(2026, 8, 4)),
        PAYER,
        by=factory.clerk(),
        on=date(2026, 10, 2),
    )
    given |= {"amount": second.balance(), "check_number": "1042"}
    moving.pay(second, **given, by=factory.clerk())
    assert listed(clerk.get(reverse("bills"), asked)) == [second, bill]
    monkeypatch.setattr("permits.views.pages.MOST_LISTED", 1)
    shown = clerk.get(reverse("bills"), asked)
    assert listed(shown) == [second]
    assert "The list goes on behind its last page" in text_of(shown)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"amount": "1200.01"}, "$1,200.00 is owed; that is $0.01 too much."),
        ({"amount": "-5"}, "Write a number of"),
        ({"amount": "12.345"}, "at most 2 digits after the point"),
        ({"amount": "1000000000"}, "Write a number up to"),
        ({"amount": "1e9"}, "Write a number, such as"),
        ({"amount": "100 EUR"}, "Write a number, such as"),
        ({"amount": "€100"}, "Write a number, such as"),
        ({"received_on": "2027-11-02"}, "This day is still to come."),
        ({"check_number": ""}, "Write the number that is printed on it."),
        (
            {"amount": "1.00", "received_on": "2026-11-03"},
            "a special charge is not payable in installments",
        ),
    ],
)
def test_a_wrong_payment_is_told_next_to_the_field(
    clerk: Client, bill: Bill, fields: dict[str, str], sentence: str
) -> None:
    page = reverse("bill_pay", args=[bill.key])
    answers = PAYMENT | {"amount": "100.00", "received_on": "2026-11-02"} | fields
    for step in ("check", "confirm"):
        shown = send(clerk, page, **answers, step=step)
        assert sentence in text_of(shown)
        assert fields_of(shown)["paid_by"] == "Mai Vang"
    assert bill.balance() == Decimal("1200.00")


def test_a_check_twice_is_refused_with_the_receipt(clerk: Client, bill: Bill) -> None:
    page = reverse("bill_pay", args=[bill.key])
    answers = PAYMENT | {"amount": "100.00", "received_on": "2026-11-02"}
    send(clerk, page, **answers, step="confirm")
    shown = send(clerk, page, **answers, step="confirm")
    assert shown.status_code == 409
    assert "Check 1041 of Mai Vang is recorded: receipt RC-2026-0001" in text_of(shown)
    assert bill.balance() == Decimal("1100.00")


def test_the_holder_sees_every_cent_and_no_button(bill: Bill) -> None:
    holder = signed_in(bill.site.applications.get().applicant)
    words = text_of(holder.get(bill.get_absolute_url()))
    assert "$1,200.00 is owed." in words
    assert "Take a payment" not in words
    assert holder.get(reverse("bill_pay", args=[bill.key])).status_code == 404
    stranger = signed_in(factory.applicant("Tom Reyes"))
    assert stranger.get(bill.get_absolute_url()).status_code == 404


def test_a_credit_and_its_reversal(clerk: Client, bill: Bill) -> None:
    send(clerk, reverse("bill_credit", args=[bill.key]), amount="200", reason="Less fence.")
    assert bill.balance() == Decimal("1000.00")
    entry = bill.entries.get(kind="credit")
    send(clerk, reverse("bill_reverse", args=[entry.pk]), reason="An error.")
    assert bill.balance() == Decimal("1200.00")


def test_a_bill_is_withdrawn_with_a_reason(clerk: Client, bill: Bill) -> None:
    page = reverse("bill_withdraw", args=[bill.key])
    assert "This field is required" in text_of(send(clerk, page)) or not bill.withdrawn_why
    send(clerk, page, reason="The wrong owner.")
    bill.refresh_from_db()
    assert bill.status == "withdrawn"


def test_work_under_an_agreement_is_billed_by_its_costs_with_the_agreement_on_the_bill(
    clerk: Client, work: CityWork
) -> None:
    kept = money.maintenance_work(work.site, on=date(2026, 8, 3), costs=("130.00",))
    page = reverse("bill_work", args=[kept.key])
    assert "maintenance agreement" in text_of(clerk.get(page))
    send(clerk, page, step="confirm")
    bill = Bill.objects.get(work=kept)
    assert bill.amount == Decimal("130.00")
    assert "gave time until" in text_of(clerk.get(bill.get_absolute_url()))


def test_the_levy_says_which_resolution_is_missing(clerk: Client) -> None:
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    permit = factory.issued(on=date(2026, 3, 2)).permit
    made = money.escrow_work(permit, on=date(2026, 8, 3), costs=("2800.00",))
    money.draw(made, "2500.00")
    bill = making.bill_work(made, PAYER, by=factory.clerk(), on=date(2026, 10, 1))
    page = reverse("bill_levy", args=[bill.key])
    words = text_of(clerk.get(page))
    assert "resolution on the interest rate of assessments is not on file" in words
    assert "resolution on the administrative fee of assessments is not on file" in words
    money.resolution(CouncilValue.Key.INTEREST_RATE, "5")
    money.resolution(CouncilValue.Key.ADMINISTRATIVE_FEE, "65")
    send(clerk, page, resolution="2026-40", levied_on="2026-11-10")
    assert bill.balance() == Decimal("365.00")


# The roll ---------------------------------------------------------------------------------


def propose(clerk: Client) -> RollBatch:
    page = reverse("roll_propose", args=["special-charge"])
    shown = clerk.get(page)
    layout = RollLayout.objects.get(name="CSV, all columns")
    clerk.post(page, fields_of(shown) | {"layout": str(layout.pk)})
    return RollBatch.objects.get()


def test_the_november_of_the_clerk(clerk: Client, administrator: Client, bill: Bill) -> None:
    words = text_of(clerk.get(reverse("roll")))
    assert "Tax roll of 2026" in words
    assert "1 ready, $1,200.00 together" in words
    assert "Sunday, January 31, 2027" in words
    batch = propose(clerk)
    assert clerk.get(reverse("roll_certify", args=[batch.key])).status_code == 200
    refused = send(clerk, reverse("roll_certify", args=[batch.key]), signed=batch.sha256)
    assert refused.status_code == 409
    assert "A second person certifies it." in text_of(refused)
    shown = administrator.get(reverse("roll_certify", args=[batch.key]))
    assert "$1,200.00" in text_of(shown)
    administrator.post(reverse("roll_certify", args=[batch.key]), fields_of(shown))
    batch.refresh_from_db()
    assert batch.status == "certified"
    assert RollCharge.objects.count() == 1
    found = RollFile.objects.get()
    for client in (clerk, administrator):
        given = client.get(reverse("roll_file", args=[found.key]))
        assert isinstance(given, FileResponse)
        assert hashlib.sha256(b"".join(given.streaming_content)).hexdigest() == (
            found.document.sha256
        )
    sheet = clerk.get(reverse("roll_control", args=[batch.key])).content.decode()
    assert found.document.sha256 in sheet
    assert "Total:      1200.00" in sheet
    assert "On the tax roll" in text_of(clerk.get(bill.get_absolute_url()))


def test_the_file_in_another_layout_is_made_once(
    clerk: Client, administrator: Client, bill: Bill
) -> None:
    batch = propose(clerk)
    send(administrator, reverse("roll_certify", args=[batch.key]))
    excel = RollLayout.objects.get(format="xlsx")
    for _ in range(2):
        send(clerk, reverse("roll_file_new", args=[batch.key]), layout=str(excel.pk))
    assert RollFile.objects.filter(batch=batch).count() == 2


def test_what_the_roll_did_is_recorded(clerk: Client, administrator: Client, bill: Bill) -> None:
    batch = propose(clerk)
    send(administrator, reverse("roll_certify", args=[batch.key]))
    send(clerk, reverse("roll_accept", args=[batch.key]))
    charge = RollCharge.objects.get()
    refused = send(clerk, reverse("roll_reject", args=[charge.number]), reason="No parcel.")
    assert "recorded already" in text_of(refused)
    send(clerk, reverse("roll_collect", args=[charge.number]), amount="1200", on="2026-11-16")
    assert [each.kind for each in charge.outcomes.all()] == ["accepted", "collected"]


def test_a_list_is_withdrawn_before_it_is_certified(clerk: Client, bill: Bill) -> None:
    batch = propose(clerk)
    words = text_of(clerk.get(reverse("roll_propose", args=["special-charge"])))
    assert "Another list is proposed" in words
    send(clerk, reverse("roll_withdraw", args=[batch.key]), reason="A payment came in.")
    assert RollBatch.objects.get().status == "withdrawn"


def test_several_parcels_are_divided_from_the_list(clerk: Client, bill: Bill) -> None:
    bill.site.parcels.create(number="0240-9999-001")
    words = text_of(clerk.get(reverse("roll")))
    assert "The site has 2 parcels, and it is not said who bears what." in words
    page = reverse("bill_divide", args=[bill.key])
    first, second = bill.site.parcels.all()
    shown = send(clerk, page, basis="area", why="By area.")
    assert "0 if this parcel bears nothing" in text_of(shown)
    weights = {f"parcel-{first.pk}": "17,424", f"parcel-{second.pk}": "8712"}
    send(clerk, page, basis="area", why="By area.", **weights)
    assert "1 ready" in text_of(clerk.get(reverse("roll")))


def test_a_parcel_is_noted(clerk: Client, bill: Bill) -> None:
    page = reverse("parcel_note", args=[bill.site.parcels.get().pk])
    assert "Write who owns it now." in text_of(send(clerk, page, kind="owner"))
    send(clerk, page, kind="retired", note="See 0240-1.")
    assert ParcelNote.objects.get().kind == "retired"
    assert "The county retired parcel" in text_of(clerk.get(reverse("roll")))


def test_a_layout_is_kept_as_a_new_row(clerk: Client) -> None:
    layout = RollLayout.objects.get(format="fixed")
    page = reverse("roll_layout", args=[layout.pk])
    shown = send(clerk, page, **{"column-0-width": ""})
    assert "A column of a fixed-width file has a width." in text_of(shown)
    shown = send(clerk, page, parcel_form="(")
    assert "This is no regular expression." in text_of(shown)
    send(clerk, page, name="Our county", charge_code="EC01")
    made = RollLayout.objects.get(name="Our county")
    assert made.charge_code == "EC01"
    assert columns_of(made) == columns_of(layout)
    assert RollLayout.objects.filter(pk=layout.pk, charge_code="EROSN").exists()
    assert "Our county" in text_of(clerk.get(reverse("roll_layouts")))


@pytest.mark.parametrize("name", ["roll", "roll_layouts", "bills"])
def test_nobody_outside_sees_the_lists(name: str) -> None:
    holder = signed_in(factory.applicant())
    assert holder.get(reverse(name)).status_code == 404
