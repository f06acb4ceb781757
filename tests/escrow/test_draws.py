"""Former § 17.19(4)(e) Drawing: only for closed work, only after the notice, never below zero."""

from __future__ import annotations

import threading
from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client

from enforcement.models import CityWork
from escrow import acts as escrow_acts
from escrow import journal
from escrow.account import drawing
from escrow.account.drawing import Part
from escrow.models import Draw, EscrowEntry, Instrument
from permits.models import CasePaper, NotNow, Permit
from portal import papers
from portal.models import Mailing, OutboxMessage
from tests import factory
from tests.escrow import money
from tests.factory import MONDAY
from tests.review.pages import act, confirm, fields_of, fill, signed_in, text_of, url

DAY = MONDAY + timedelta(days=30)
ACCEPTED = MONDAY


@pytest.fixture(autouse=True)
def _quick(at, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(DAY)


@pytest.fixture
def permit(db: None) -> Permit:
    made: Permit = factory.issued().permit
    made.refresh_from_db()
    return made


@pytest.fixture
def clerk(db: None) -> Client:
    return signed_in(factory.clerk())


def cash(permit: Permit) -> Instrument:
    found: Instrument = permit.instruments.first()
    return found


def held(permit: Permit) -> Decimal:
    return EscrowEntry.objects.filter(permit=permit).balance()


def do(work: CityWork, amount: str, *, on: date = DAY, **fields: str) -> Draw:
    assert work.owner_notice is not None
    part = Part(cash(work.owner_notice.permit), Decimal(amount))
    return drawing.draw(work, [part], by=factory.clerk(), on=on, **fields)


def refused(work: CityWork, amount: str, *, on: date = DAY) -> list[str]:
    with pytest.raises(NotNow) as why:
        do(work, amount, on=on)
    return [obstacle.key for obstacle in why.value.obstacles]


def bonded(*, on: date = MONDAY) -> Permit:
    """An issued permit whose escrow is part cash, part bond."""
    permit: Permit = factory.granted(on=on).permit
    both = [
        Instrument(form="cash", amount=Decimal("1000"), received_on=on, receipt_number="E-1"),
        Instrument(
            form="bond",
            amount=Decimal("1500"),
            received_on=on,
            issuer="Lake States Surety",
            instrument_number="B-77120",
            expires_on=date(2028, 12, 31),
            demand_needs="The original bond\nA certificate of the building inspector",
        ),
    ]
    escrow_acts.post(permit, both, by=factory.clerk(), on=on)
    permit.refresh_from_db()
    permit.issue(by=factory.clerk(), on=on)
    return permit


# What opens a draw ------------------------------------------------------------------------


def test_a_draw_is_entry_letter_event_and_notice(permit: Permit) -> None:
    work = money.escrow_work(permit)
    drawn = do(work, "1200.00")
    assert held(permit) == Decimal("1300.00")
    assert drawn.letter.kind == CasePaper.Kind.DRAW_NOTICE
    assert drawn.opened_on == ACCEPTED + timedelta(days=11)
    assert drawn.safe_on == ACCEPTED + timedelta(days=14)
    event = permit.site.events.get(kind="escrow.drawn")
    assert event.facts["amount"] == "1200.00"
    assert event.facts["left"] == "1300.00"
    mails = OutboxMessage.objects.filter(cause=f"escrow_drawn:{drawn.number}")
    assert mails.filter(recipient="landowner@example.test").count() == 1
    assert "$1,300.00 is still held" in mails[0].body
    assert sum(b.balance for b in journal.balances().values()) == 0


def test_the_notice_of_intent_never_opens_a_draw(permit: Permit) -> None:
    work = money.charge_work(permit.site)
    assert "other-path" in [o.key for o in drawing.obstacles_to_draw(work, Decimal(1), on=DAY)]
    with pytest.raises(NotNow):
        drawing.draw(work, [Part(cash(permit), Decimal(1))], by=factory.clerk(), on=DAY)


def test_no_draw_before_the_eleventh_day_after_the_post_accepted_the_notice(
    permit: Permit,
) -> None:
    work = money.escrow_work(permit)
    notice = work.owner_notice
    assert notice is not None
    notice.accepted_on = DAY - timedelta(days=10)
    notice.save()
    assert refused(work, "100.00") == ["notice-runs"]
    notice.accepted_on = None
    notice.save()
    assert refused(work, "100.00") == ["no-notice"]


def test_between_first_and_safe_day_a_reason_is_needed(permit: Permit) -> None:
    work = money.escrow_work(permit)
    notice = work.owner_notice
    assert notice is not None
    notice.accepted_on = DAY - timedelta(days=12)
    notice.save()
    assert refused(work, "100.00") == []
    drawn = do(work, "100.00", before_safe_why="The owner wrote that she has the letter.")
    assert drawn.before_safe_why


def test_work_under_way_or_a_withdrawn_notice_opens_nothing(permit: Permit) -> None:
    work = money.escrow_work(permit, closed=False)
    assert refused(work, "100.00") == ["open-work", "over-cost"]
    notice = work.owner_notice
    assert notice is not None
    notice.status = "withdrawn"
    notice.save()
    assert "notice-ended" in refused(work, "100.00")


def test_never_more_than_the_cost_that_is_not_drawn(permit: Permit) -> None:
    work = money.escrow_work(permit)
    do(work, "1000.00")
    assert refused(work, "200.01") == ["over-cost"]
    do(work, "200.00")
    assert drawing.drawable(permit) == []


def test_draw_above_balance_is_refused_and_nothing_is_half_booked(permit: Permit) -> None:
    work = money.escrow_work(permit, costs=("2500.01",))
    assert refused(work, "2500.01") == ["over-held"]
    assert held(permit) == Decimal("2500.00")
    assert not Draw.objects.exists()
    assert not permit.site.events.filter(kind="escrow.drawn").exists()
    do(work, "2500.00")
    assert held(permit) == 0


@pytest.mark.parametrize("amount", ["0", "-5.00"])
def test_nothing_and_less_than_nothing_are_refused(permit: Permit, amount: str) -> None:
    work = money.escrow_work(permit)
    assert refused(work, amount) == ["no-amount"]


def test_an_instrument_of_another_permit_pays_nothing(permit: Permit) -> None:
    work, other = money.escrow_work(permit), factory.issued().permit
    with pytest.raises(NotNow, match="not held for this permit"):
        drawing.draw(work, [Part(cash(other), Decimal(1))], by=factory.clerk(), on=DAY)


# Bond and letter --------------------------------------------------------------------------


@pytest.mark.django_db
def test_cash_pays_first_and_the_bond_is_demanded_with_its_papers() -> None:
    permit = bonded()
    work = money.escrow_work(permit)
    first, bond = permit.instruments.order_by("pk")
    suggested = drawing.suggest(Decimal("1200"), drawing.account(permit, on=DAY))
    assert suggested == {first: Decimal("1000.00"), bond: Decimal("200.00")}
    parts = [
        Part(first, Decimal("1000.00")),
        Part(bond, Decimal("200.00"), address="9 Dock St\nExample, WI", papers=bond.demand_needs),
    ]
    drawn = drawing.draw(work, parts, by=factory.clerk(), on=DAY)
    demand = drawn.entries.get(instrument=bond).demand
    assert demand.papers_sent.startswith("The original bond")
    letter = Mailing.objects.get(cause=f"escrow_demand:{demand.entry_id}")
    assert (letter.means, letter.addressee) == ("certified", "Lake States Surety")
    due = journal.balances(scope={"permit": permit})[journal.Account.DUE_FROM_ISSUERS]
    assert due.balance == Decimal("200.00")


# Taking back ------------------------------------------------------------------------------


def test_a_draw_in_error_is_taken_back_by_rows_and_once(permit: Permit) -> None:
    work = money.escrow_work(permit)
    drawn = do(work, "1200.00")
    drawing.reverse(drawn, by=factory.clerk(), on=DAY, reason="The wrong permit.")
    assert held(permit) == Decimal("2500.00")
    assert drawing.undrawn(work) == Decimal("1200.00")
    with pytest.raises(NotNow, match="taken back already"):
        drawing.reverse(drawn, by=factory.clerk(), on=DAY, reason="Again.")


# Pages ------------------------------------------------------------------------------------


def test_the_clerk_draws_on_a_page_and_sees_it_in_the_account(
    clerk: Client, permit: Permit
) -> None:
    money.escrow_work(permit)
    page = url("escrow_draw", permit.application)
    shown = fill(clerk, page)
    assert "Draw $1,200.00?" in text_of(shown)
    sent = fields_of(shown) | {"step": "confirm"}
    done = clerk.post(page, sent)
    assert done.status_code == 302
    again = clerk.post(page, sent)
    assert again.headers["Location"] == done.headers["Location"]
    assert Draw.objects.count() == 1
    words = text_of(clerk.get(done.headers["Location"]))
    assert "$1,300.00" in words
    assert "Interest: none." in words
    assert "Drawn, DR-2026-0001" in words


@pytest.mark.parametrize(
    ("amount", "sentence"),
    [
        ("1,200.01", "$1,200.00 of the cost is not drawn yet; $1,200.01 would be too much."),
        ("2,500.01", "Only $2,500.00 is held: that is $0.01 too much."),
        ("-1", "Write a number of 0 or more."),
        ("1.001", "at most 2 digits after the point"),
        ("1e9", "Write a number, such as 2,500.00."),
        ("€100", "Write a number, such as 2,500.00."),
        ("", "A draw must be more than nothing."),
    ],
)
def test_wrong_amounts_are_told_at_the_field_and_nothing_is_lost(
    clerk: Client, permit: Permit, amount: str, sentence: str
) -> None:
    money.escrow_work(permit)
    page, name = url("escrow_draw", permit.application), f"amount_{cash(permit).pk}"
    for step in ("check", "confirm"):
        sent = fields_of(clerk.get(page)) | {name: amount, "reason": "Seeding.", "step": step}
        response = clerk.post(page, sent)
        assert sentence in text_of(response)
        assert fields_of(response)[name] == amount
        assert fields_of(response)["reason"] == "Seeding."
    assert not Draw.objects.exists()


def test_the_page_says_why_nothing_can_be_drawn(clerk: Client, permit: Permit) -> None:
    page = url("escrow_draw", permit.application)
    assert "No closed city work" in text_of(clerk.get(page))
    assert clerk.post(page, {"step": "confirm", "operation": ""}).status_code in (200, 409)
    assert not Draw.objects.exists()


def test_the_clerk_takes_a_draw_back(clerk: Client, permit: Permit) -> None:
    drawn = do(money.escrow_work(permit), "1200.00")
    page = f"{url('escrow_account', permit.application)}draws/{drawn.number}/take-back/"
    done = act(clerk, page, reason="The wrong permit.")
    assert done.status_code == 302
    assert held(permit) == Decimal("2500.00")
    assert confirm(clerk, page, clerk.get(page)).status_code == 409


def test_the_case_tells_of_draws(clerk: Client, permit: Permit) -> None:
    drawn = do(money.escrow_work(permit), "1200.00")
    words = text_of(clerk.get(permit.site.get_absolute_url()))
    assert f"$1,200.00 was drawn on the escrow (draw {drawn.number})" in words


# Twenty at once ---------------------------------------------------------------------------


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_twenty_concurrent_draws_never_take_the_balance_below_zero() -> None:
    permit = factory.issued().permit
    permit.refresh_from_db()
    work = money.escrow_work(permit, costs=("9000.00",))
    factory.clerk()
    barrier, outcomes = threading.Barrier(20), []

    def one() -> None:
        try:
            mine = CityWork.objects.get(pk=work.pk)
            barrier.wait(timeout=60)
            do(mine, "400.00")
            outcomes.append("drawn")
        except NotNow:
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=one) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert sorted(outcomes) == ["drawn"] * 6 + ["refused"] * 14
    assert held(permit) == Decimal("100.00")
    assert Draw.objects.count() == 6
