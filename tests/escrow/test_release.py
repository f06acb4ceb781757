"""Former § 17.19(4)(c) Release: whole or not at all, by two persons, with nothing in the way."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from escrow import acts as escrow_acts
from escrow import journal
from escrow.account import deciding, drawing, releasing
from escrow.account.held import account
from escrow.bills import making
from escrow.bills.payers import Payer
from escrow.models import EscrowEntry, Instrument, Release
from inspections.acts import cover
from inspections.acts import visits as visit_acts
from permits import acts
from permits.agreements import acts as acts_of_agreements
from permits.models import CasePaper, NotNow, Permit
from portal import papers
from portal.models import CouncilValue
from portal.ordinance import Obstacle
from tests import factory
from tests.escrow import money
from tests.factory import MONDAY
from tests.permits import agreements
from tests.review.pages import act, fields_of, fill, signed_in, text_of, url

pytestmark = pytest.mark.django_db
DAY = MONDAY + timedelta(days=60)


@pytest.fixture(autouse=True)
def _quick(at, monkeypatch: pytest.MonkeyPatch) -> None:
    made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
    monkeypatch.setattr(papers, "make", lambda template, context: made)
    at(DAY)


@pytest.fixture
def permit() -> Permit:
    """An issued permit whose work is not finished."""
    made: Permit = factory.issued().permit
    made.refresh_from_db()
    return made


@pytest.fixture
def finished(permit: Permit) -> Permit:
    """A permit whose final inspection has passed."""
    return pass_final(permit)


def pass_final(permit: Permit, *, density: int = 80) -> Permit:
    by = factory.inspector()
    visit = visit_acts.begin(permit.site, by=by, on=DAY, today=DAY)
    cover.record_final(
        visit,
        by=by,
        controls_complete=True,
        perennial=True,
        density_percent=density,
        method="estimate",
    )
    permit.refresh_from_db()
    return permit


def held(permit: Permit) -> Decimal:
    return EscrowEntry.objects.filter(permit=permit).balance()


def propose(permit: Permit, **fields: Any) -> Release:
    return releasing.propose(permit, by=factory.clerk(), on=DAY, **fields)


def obstacles(permit: Permit) -> list[Obstacle]:
    return releasing.obstacles_to_release(permit, on=DAY)


def keys(permit: Permit) -> list[str]:
    return [each.key for each in obstacles(permit)]


# What stands in the way -------------------------------------------------------------------


def test_work_that_is_not_finished_holds_the_release_with_each_reason(permit: Permit) -> None:
    assert keys(permit) == ["devices", "permanent-cover", "final-inspection"]
    assert all(each.citation and each.cure for each in obstacles(permit))
    with pytest.raises(NotNow) as refused:
        propose(permit)
    assert len(refused.value.obstacles) == 3
    assert not Release.objects.exists()


def test_thin_cover_holds_the_release(permit: Permit) -> None:
    assert "permanent-cover" in keys(pass_final(permit, density=69))


def test_an_open_order_holds_the_release_by_its_number(finished: Permit) -> None:
    order = money.order(finished.site, finished)
    assert [each.text for each in obstacles(finished)] == [
        f"An order is still open: {order.number}."
    ]


def test_release_while_a_bill_is_open_is_refused(finished: Permit) -> None:
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    work = money.charge_work(finished.site)
    assert keys(finished) == ["open-order", "unsettled-work"]
    payer = Payer("permittee", "Mai Vang", "1 Mill Street\nExample, WI 54999")
    bill = making.bill_work(work, payer, by=factory.clerk(), on=DAY)
    told = {each.key: each.text for each in obstacles(finished)}
    assert set(told) == {"open-order", "unpaid-bill"}
    assert told["unpaid-bill"] == (f"A bill for city work of $1,200.00 is unpaid: {bill.number}.")


def test_cost_that_is_not_drawn_holds_the_release(finished: Permit) -> None:
    work = money.escrow_work(finished)
    assert keys(finished) == ["unsettled-work"]
    part = drawing.Part(finished.instruments.get(), Decimal("1200"))
    drawing.draw(work, [part], by=factory.clerk(), on=DAY)
    assert keys(finished) == []


def test_a_maintenance_agreement_must_be_recorded_where_one_is_required() -> None:
    application = factory.received()
    until = MONDAY + timedelta(days=240)
    terms = {**factory.GRANT, "permanent_controls_by": until, "maintenance_agreement": True}
    acts.grant(application, by=factory.inspector(), on=MONDAY, **terms)
    permit = application.permit
    factory.post_escrow(permit)
    permit.refresh_from_db()
    permit.issue(by=factory.clerk(), on=MONDAY)
    pass_final(permit)
    assert keys(permit) == ["maintenance-agreement"]
    with pytest.raises(NotNow):
        propose(permit)
    clerk = signed_in(factory.clerk())
    page = url("escrow_release", permit.application)
    refused = clerk.get(page)
    assert reverse("agreements_of_case", args=[permit.site.number]) in refused.content.decode()
    assert clerk.post(page, {"step": "confirm"}).status_code == 409
    assert not Release.objects.exists()
    drafted = agreements.drafted(permit)
    assert keys(permit) == ["maintenance-agreement"]
    acts_of_agreements.withdraw(drafted, by=factory.clerk(), on=MONDAY, reason="Recorded before.")
    acts_of_agreements.enter_recorded(
        permit.site,
        by=factory.clerk(),
        on=DAY,
        permit=permit,
        recorded_on=date(2026, 12, 1),
        document_number="1234567",
        county="Example County",
        scan=factory.upload(),
        words={"party_name": "Mai Vang", "party_address": "1 Mill Street"},
        practices=[agreements.POND],
    )
    assert keys(permit) == []
    assert act(clerk, page).status_code == 302
    done = releasing.approve(Release.objects.get(), by=factory.administrator(), on=DAY)
    assert (done.agreement_document, done.agreement_recorded_on) == ("1234567", date(2026, 12, 1))


@pytest.mark.parametrize("chosen", ["issue", "certificate"])
def test_the_city_may_choose_that_the_release_does_not_wait(chosen: str, settings: Any) -> None:
    permit = pass_final(agreements.required())
    settings.AGREEMENT_BEFORE = frozenset({chosen})
    assert keys(permit) == []
    settings.AGREEMENT_BEFORE = frozenset({chosen, "release"})
    assert keys(permit) == ["maintenance-agreement"]


# Two persons, the whole -------------------------------------------------------------------


def test_the_whole_is_released_by_two_persons(finished: Permit) -> None:
    made = propose(finished)
    assert held(finished) == Decimal("2500.00")
    releasing.approve(made, by=factory.administrator(), on=DAY)
    assert held(finished) == 0
    check = made.check_requests.get()
    assert check.amount == Decimal("2500.00")
    assert check.payee == "Northfield Builders LLC (Mai Vang)"
    assert check.paper.kind == CasePaper.Kind.CHECK_REQUEST
    made.refresh_from_db()
    assert made.letter.kind == CasePaper.Kind.RELEASE_LETTER
    event = finished.site.events.get(kind="escrow.released")
    assert event.facts["amount"] == "2500.00"
    assert sum(b.balance for b in journal.balances().values()) == 0


def test_the_remainder_after_a_draw_is_released_whole(finished: Permit) -> None:
    money.drawn(finished, "1200.00", on=MONDAY)
    made = propose(finished)
    assert made.amount == Decimal("1300.00")
    releasing.approve(made, by=factory.administrator(), on=DAY)
    assert held(finished) == 0


def test_whoever_proposed_it_does_not_approve_it(finished: Permit) -> None:
    made = propose(finished)
    with pytest.raises(NotNow, match="second person"):
        releasing.approve(made, by=factory.clerk(), on=DAY)
    assert held(finished) == Decimal("2500.00")


def test_a_draw_after_the_proposal_voids_it(finished: Permit) -> None:
    made = propose(finished)
    money.drawn(finished, "1200.00", on=MONDAY)
    with pytest.raises(NotNow, match="void"):
        releasing.approve(made, by=factory.administrator(), on=DAY)
    deciding.decline(made, by=factory.administrator(), on=DAY, why="A draw came between.")
    assert propose(finished).amount == Decimal("1300.00")


def test_an_order_after_the_proposal_holds_the_approval(finished: Permit) -> None:
    made = propose(finished)
    money.order(finished.site, finished)
    with pytest.raises(NotNow) as refused:
        releasing.approve(made, by=factory.administrator(), on=DAY)
    assert [each.key for each in refused.value.obstacles] == ["open-order"]


def test_the_approval_reads_the_permit_anew_under_the_lock(finished: Permit) -> None:
    made = propose(finished)
    assert made.permit.final_inspection_passed_on is not None
    Permit.objects.filter(pk=finished.pk).update(final_inspection_passed_on=None)
    with pytest.raises(NotNow) as refused:
        releasing.approve(made, by=factory.administrator(), on=DAY)
    assert [each.key for each in refused.value.obstacles] == ["final-inspection"]
    assert held(finished) == Decimal("2500.00")


def test_approved_twice_or_proposed_twice_is_refused(finished: Permit) -> None:
    made = propose(finished)
    with pytest.raises(NotNow, match="waits for its second person already"):
        propose(finished)
    releasing.approve(made, by=factory.administrator(), on=DAY)
    with pytest.raises(NotNow):
        releasing.approve(made, by=factory.administrator(), on=DAY)
    assert keys(finished) == ["nothing-held"]


def test_a_bond_goes_back_against_a_receipt_and_once() -> None:
    permit: Permit = factory.granted().permit
    bond = Instrument(
        form="bond",
        amount=Decimal("2500"),
        received_on=MONDAY,
        issuer="Lake States Surety",
        instrument_number="B-1",
    )
    escrow_acts.post(permit, [bond], by=factory.clerk(), on=MONDAY)
    permit.refresh_from_db()
    permit.issue(by=factory.clerk(), on=MONDAY)
    pass_final(permit)
    assert releasing.to_give_back(permit) == []
    made = releasing.approve(propose(permit), by=factory.administrator(), on=DAY)
    assert not made.check_requests.exists()
    assert releasing.to_give_back(permit) == [bond]
    clerk = signed_in(factory.clerk())
    page = url("escrow_give_back", permit.application)
    assert act(clerk, page, to="Lake States Surety", how="Certified mail 9400").status_code == 302
    assert bond.returned.paper.kind == CasePaper.Kind.INSTRUMENT_RECEIPT
    assert releasing.to_give_back(permit) == []
    assert account(permit, on=DAY)[0].held == 0


def test_a_permit_withdrawn_before_it_was_issued_gets_its_escrow_back() -> None:
    permit: Permit = factory.posted().permit
    Permit.objects.filter(pk=permit.pk).update(status=Permit.Status.WITHDRAWN)
    permit.refresh_from_db()
    assert keys(permit) == []


# Pages ------------------------------------------------------------------------------------


def test_clerk_proposes_and_administrator_approves_on_pages(finished: Permit) -> None:
    clerk, administrator = signed_in(factory.clerk()), signed_in(factory.administrator())
    page = url("escrow_release", finished.application)
    assert act(clerk, page).status_code == 302
    decide = url("escrow_release_decide", finished.application)
    own = text_of(clerk.get(decide))
    assert "Take the proposal back" in own
    assert "Approve it" not in own
    forged = fields_of(clerk.get(decide)) | {"decision": "approve", "step": "confirm"}
    assert clerk.post(decide, forged).status_code == 200
    assert held(finished) == Decimal("2500.00")
    shown = fill(administrator, decide, decision="approve")
    assert "Release $2,500.00?" in text_of(shown)
    sent = fields_of(shown) | {"step": "confirm"}
    for _ in range(2):
        assert administrator.post(decide, sent).status_code == 302
    assert held(finished) == 0
    words = text_of(clerk.get(url("escrow_account", finished.application)))
    assert "approved by" in words
    assert "Released, RL-2027-0001" in words
    assert "The whole escrow, $2,500.00, was released" in text_of(
        clerk.get(finished.site.get_absolute_url())
    )


def test_declining_needs_a_reason(finished: Permit) -> None:
    propose(finished)
    administrator = signed_in(factory.administrator())
    decide = url("escrow_release_decide", finished.application)
    assert "Say why it is not approved." in text_of(fill(administrator, decide, decision="decline"))
    done = act(administrator, decide, decision="decline", why="The inlet is bare.")
    assert done.status_code == 302
    assert Release.objects.get().status == "declined"


def test_the_page_names_each_obstacle_with_citation(permit: Permit) -> None:
    clerk: Client = signed_in(factory.clerk())
    words = text_of(clerk.get(url("escrow_release", permit.application)))
    assert "The final inspection has not passed." in words
    assert "former § 17.19(4)(c)" in words
    assert "There is no amount" not in words
