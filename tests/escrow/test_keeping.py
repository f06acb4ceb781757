"""Former § 17.19(4)(c) Keeping the guarantee: renewal, replacement, reminders, whose it is."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.urls import reverse

from escrow import acts as escrow_acts
from escrow import journal
from escrow.account import expiry, keeping, releasing
from escrow.account.held import account, asked_whose, total
from escrow.bills import making
from escrow.books import cash
from escrow.models import CheckRequest, EscrowEntry, Instrument
from permits import handover
from permits.models import CasePaper, NotNow, Permit
from portal import papers
from portal.models import CouncilValue, Mailing, OutboxMessage
from portal.ordinance import edition_on
from tests import factory
from tests.escrow import money
from tests.factory import MONDAY
from tests.review.pages import act, confirm, fields_of, fill, signed_in, text_of, url

pytestmark = pytest.mark.django_db
UNTIL = date(2027, 6, 30)
DAY = UNTIL - timedelta(days=20)


@pytest.fixture(autouse=True)
def _quick(at, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(DAY)


@pytest.fixture
def bond() -> Instrument:
    """The bond of an issued permit, good until June 30, 2027."""
    permit: Permit = factory.granted().permit
    made = Instrument(
        form="bond",
        amount=Decimal("2500"),
        received_on=MONDAY,
        issuer="Lake States Surety",
        instrument_number="B-1",
        expires_on=UNTIL,
    )
    escrow_acts.post(permit, [made], by=factory.clerk(), on=MONDAY)
    permit.refresh_from_db()
    permit.issue(by=factory.clerk(), on=MONDAY)
    return made


def letter(amount: str = "2500", **fields: Any) -> Instrument:
    return Instrument(
        form="letter_of_credit",
        amount=Decimal(amount),
        received_on=DAY,
        issuer="First Bank",
        instrument_number="LC-9",
        **fields,
    )


def renew(bond: Instrument, until: date | None, *, on: date = DAY) -> None:
    keeping.renew(bond, expires_on=until, by=factory.clerk(), on=on)


# Renewal ----------------------------------------------------------------------------------


def test_a_renewal_is_a_row_and_the_bond_stays_as_it_was(bond: Instrument) -> None:
    renew(bond, date(2028, 6, 30))
    bond.refresh_from_db()
    assert bond.expires_on == UNTIL
    assert bond.good_until(on=DAY) == date(2028, 6, 30)
    assert bond.good_until(on=DAY - timedelta(days=1)) == UNTIL
    bond.permit.refresh_from_db()
    assert bond.permit.escrow_good_until == date(2028, 6, 30)
    assert bond.permit.site.events.filter(kind="escrow.renewed").count() == 1
    assert CasePaper.objects.filter(kind="escrow_renewal", site=bond.permit.site).count() == 1


@pytest.mark.parametrize("until", [UNTIL, UNTIL - timedelta(days=1)])
def test_a_renewal_is_for_longer(bond: Instrument, until: date) -> None:
    with pytest.raises(NotNow, match="for longer"):
        renew(bond, until)


def test_cash_is_not_renewed() -> None:
    permit = factory.issued().permit
    with pytest.raises(NotNow, match="does not expire"):
        renew(permit.instruments.get(), date(2028, 6, 30))


# Replacement ------------------------------------------------------------------------------


def test_the_new_one_is_posted_before_the_old_one_goes(bond: Instrument) -> None:
    new = keeping.replace(bond, letter(), by=factory.clerk(), on=DAY)
    entries = list(EscrowEntry.objects.filter(permit=bond.permit).order_by("pk"))
    assert [entry.kind for entry in entries] == ["posted", "posted", "replaced"]
    running = [sum(e.amount for e in entries[: n + 1]) for n in range(3)]
    assert min(running) == Decimal("2500.00")
    assert new.replaces == bond
    assert releasing.to_give_back(bond.permit) == [bond]
    assert sum(each.balance for each in journal.balances().values()) == 0


def test_a_cent_short_is_no_replacement_and_nothing_is_half_booked(bond: Instrument) -> None:
    with pytest.raises(NotNow, match=r"\$0.01 short"):
        keeping.replace(bond, letter("2499.99"), by=factory.clerk(), on=DAY)
    assert Instrument.objects.filter(permit=bond.permit).count() == 1
    assert total(account(bond.permit, on=DAY)) == Decimal("2500.00")


def test_cash_above_what_is_held_is_refused(bond: Instrument) -> None:
    cash = Instrument(form="cash", amount=Decimal("2500.01"), received_on=DAY, receipt_number="E-9")
    with pytest.raises(NotNow, match="too much"):
        keeping.replace(bond, cash, by=factory.clerk(), on=DAY)


def test_an_expired_one_replaces_nothing(bond: Instrument) -> None:
    old = letter(expires_on=DAY - timedelta(days=1))
    with pytest.raises(NotNow, match="expired"):
        keeping.replace(bond, old, by=factory.clerk(), on=DAY)


def test_replaced_twice_is_refused(bond: Instrument) -> None:
    keeping.replace(bond, letter(), by=factory.clerk(), on=DAY)
    with pytest.raises(NotNow, match="Nothing is held"):
        keeping.replace(bond, letter(), by=factory.clerk(), on=DAY)


# Reminders and the task -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("days", "mark"), [(61, None), (60, 60), (31, 60), (30, 30), (15, 30), (14, 14), (0, 14)]
)
def test_reminders_go_out_sixty_thirty_and_fourteen_days_before(
    bond: Instrument, days: int, mark: int | None
) -> None:
    on = UNTIL - timedelta(days=days)
    sent = expiry.remind(on)
    found = OutboxMessage.objects.filter(cause__startswith="escrow_expiry")
    assert (sent > 0) == (mark is not None)
    assert {mail.cause.rpartition(":")[2] for mail in found} == ({str(mark)} if mark else set())
    assert bool(found.filter(recipient="clerk@example.test")) == (mark is not None)


def test_a_round_that_runs_twice_sends_one_mail(bond: Instrument) -> None:
    assert expiry.remind(DAY) > 0
    assert expiry.remind(DAY) == 0
    assert expiry.remind(DAY + timedelta(days=1)) == 0
    assert expiry.remind(UNTIL - timedelta(days=14)) > 0


def test_a_party_without_an_address_for_mail_gets_one_letter(bond: Instrument) -> None:
    bond.permit.application.parties.filter(role="contractor").update(email="")
    expiry.remind(DAY)
    expiry.remind(DAY)
    mailing = Mailing.objects.get(cause__startswith="escrow_expiry")
    assert mailing.means == "us_mail"
    assert mailing.document.kind == "expiry_letter"


def test_a_lapsed_bond_is_told_once_and_a_renewed_one_not(bond: Instrument) -> None:
    late = UNTIL + timedelta(days=1)
    assert expiry.remind(late) > 0
    assert OutboxMessage.objects.filter(subject__startswith="The escrow has lapsed").exists()
    renew(bond, date(2028, 6, 30))
    assert expiry.remind(late) == 0


def test_the_task_stands_until_it_is_renewed(bond: Instrument) -> None:
    clerk = signed_in(factory.clerk())
    assert list(expiry.permits_to_keep(on=DAY)) == [bond.permit]
    assert "Lake States Surety" in text_of(clerk.get("/money/escrow/"))
    desk = text_of(clerk.get("/desk/"))
    assert "Draw or renew" in desk
    renew(bond, None)
    assert list(expiry.permits_to_keep(on=DAY)) == []
    assert "No bond or letter of credit lapses" in text_of(clerk.get("/money/escrow/"))
    assert "Draw or renew" not in text_of(clerk.get("/desk/"))


def test_no_bill_waits_for_a_guarantee_that_has_lapsed(bond: Instrument) -> None:
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    work = money.escrow_work(bond.permit)
    waits = [each.key for each in making.obstacles_to_bill(work, on=UNTIL)]
    assert waits == ["draw-first"]
    assert making.obstacles_to_bill(work, on=UNTIL + timedelta(days=1)) == []
    renew(bond, date(2028, 6, 30))
    waits = [each.key for each in making.obstacles_to_bill(work, on=UNTIL + timedelta(days=1))]
    assert waits == ["draw-first"]


def test_cash_that_is_replaced_is_paid_back_by_the_treasury() -> None:
    permit = factory.issued().permit
    keeping.replace(permit.instruments.get(), letter(), by=factory.clerk(), on=DAY)
    source = next(each for each in cash.SOURCES if each.name == "escrow")
    (row,) = source.rows(DAY, DAY)
    assert (row.b_way, row.b_amount) == ("treasury", Decimal("-2500"))


def test_replaced_cash_has_its_check_request(monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[str] = []

    def make(template: str, context: dict[str, Any]) -> papers.Made:
        known = {"city": settings.CITY, "today": DAY, "edition": edition_on(DAY)}
        printed.append(render_to_string(template, known | context))
        return papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)

    monkeypatch.setattr(papers, "make", make)
    clerk = signed_in(factory.clerk())
    permit = factory.issued().permit
    old = permit.instruments.get()
    owner = account(permit, on=DAY)[0].owner
    keeping.replace(old, letter(), by=factory.clerk(), on=DAY)
    check = CheckRequest.objects.get()
    assert (check.replaced, check.release) == (old, None)
    assert (check.payee, check.address) == (owner.name, owner.address)
    assert check.amount == Decimal("2500")
    (request,) = (text for text in printed if "Pay to" in text)
    assert owner.name in request
    assert "Another instrument was posted in its place" in request
    assert "released whole" not in request
    assert check.paper is not None
    assert check.paper.kind == CasePaper.Kind.CHECK_REQUEST
    event = permit.site.events.get(kind="escrow.replaced")
    assert event.facts["check"] == {"payee": owner.name, "amount": "2500.00"}
    words = text_of(clerk.get(reverse("escrow_account", args=[permit.application.key])))
    assert f"Check request for $2,500.00 to {owner.name} (PDF)" in words


def test_a_bond_that_is_replaced_asks_for_no_check(bond: Instrument) -> None:
    keeping.replace(bond, letter(), by=factory.clerk(), on=DAY)
    assert not CheckRequest.objects.exists()


def test_cash_is_not_replaced_before_it_is_said_whose_it_is() -> None:
    permit = factory.issued().permit
    hand_over(permit)
    old = permit.instruments.get()
    with pytest.raises(NotNow, match="whose the cash is"):
        keeping.replace(old, letter(), by=factory.clerk(), on=DAY)
    said = {"name": "Tom Reyes", "address": "2 Dock Street", "why": "Signed by both."}
    keeping.name_owner(old, **said, by=factory.clerk(), on=DAY)
    keeping.replace(old, letter(), by=factory.clerk(), on=DAY)
    assert CheckRequest.objects.get().payee == "Tom Reyes"


def test_a_check_request_is_of_a_release_or_of_replaced_cash(bond: Instrument) -> None:
    facts = {"payee": "Mai Vang", "address": "1", "amount": 1, "on": DAY, "by": factory.clerk()}
    with pytest.raises(IntegrityError), transaction.atomic():
        CheckRequest.objects.create(**facts)


# Whose it is ------------------------------------------------------------------------------


def hand_over(permit: Permit) -> None:
    new = factory.applicant("Tom Reyes")
    application = permit.application
    offer = handover.offer(application, by=application.applicant, email=new.email, on=DAY)
    handover.accept(offer, by=new, on=DAY)


def test_a_transfer_moves_no_money_and_asks_whose_it_is() -> None:
    permit = factory.issued().permit
    before = account(permit, on=DAY)[0].owner.name
    assert asked_whose(permit, account(permit, on=DAY)) == []
    hand_over(permit)
    held = account(permit, on=DAY)
    assert held[0].owner.name == before
    assert asked_whose(permit, held) == held
    told = [each.key for each in releasing.obstacles_to_release(permit, on=DAY)]
    assert "owner-not-said" in told
    clerk = signed_in(factory.clerk())
    page = url("escrow_owner", permit.application)
    assert "The permit was handed over" in text_of(clerk.get(page))
    answer = {"name": "Tom Reyes", "address": "5 Oak\nExample, WI", "why": "Assignment, signed."}
    shown = clerk.post(page, fields_of(clerk.get(page)) | answer | {"step": "check"})
    assert confirm(clerk, page, shown).status_code == 302
    held = account(permit, on=DAY)
    assert held[0].owner.name == "Tom Reyes"
    assert asked_whose(permit, held) == []
    assert releasing.payees(held) == [("Tom Reyes", "5 Oak\nExample, WI", Decimal("2500.00"))]
    words = text_of(clerk.get(permit.site.get_absolute_url()))
    assert "The Cash of $2,500.00 is owned by Tom Reyes." in words


# Pages ------------------------------------------------------------------------------------


def test_the_clerk_renews_and_replaces_on_pages(bond: Instrument) -> None:
    clerk = signed_in(factory.clerk())
    page = url("escrow_renew", bond.permit.application)
    assert "for longer" in text_of(fill(clerk, page, expires_on="2027-06-30"))
    assert act(clerk, page, expires_on="2028-06-30", number="Rider 1").status_code == 302
    page = url("escrow_replace", bond.permit.application)
    new = {
        "old": str(bond.pk),
        "escrow-0-form": "letter_of_credit",
        "escrow-0-amount": "2,499.99",
        "escrow-0-issuer": "First Bank",
        "escrow-0-instrument_number": "LC-9",
        "end_of_form": "",
    }
    sent = {key if key[:3] in ("end", "esc") else f"escrow-0-{key}": v for key, v in new.items()}
    short = fill(clerk, page, **sent)
    assert "It is $0.01 short" in text_of(short)
    assert fields_of(short)["escrow-0-issuer"] == "First Bank"
    assert act(clerk, page, **{**sent, "escrow-0-amount": "2,500"}).status_code == 302
    words = text_of(clerk.get(url("escrow_account", bond.permit.application)))
    assert "In the place of Bond of $2,500.00" in words
    assert "without a gap" in text_of(clerk.get(bond.permit.site.get_absolute_url()))
