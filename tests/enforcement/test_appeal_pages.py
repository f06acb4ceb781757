"""Filing an appeal, keeping it and reading it, as the people concerned do."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from enforcement.acts import board
from enforcement.models import Appeal, StopWorkOrder
from permits.models import NotNow, Permit
from portal.models import Mailing, OutboxMessage

from . import factory
from .appealing import appealed, decided, entry_of, holds_true, token_of
from .factory import MONDAY, inspector

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def on_monday(at: Callable[..., Any]) -> None:
    at(MONDAY)


def answers(order: StopWorkOrder, **changed: str) -> dict[str, str]:
    return {
        "act": token_of(order.site, order),
        "name": "Kim Larsen",
        "capacity": "Owner of the lot next door",
        "mailing_address": "14 Mill Street\nExample, WI 54999",
        "email": "kim@neighbors.test",
        "telephone": "",
        "grounds": "The fence was never down.",
        "relief": "Reverse the order.",
        "website": "",
        "end_of_form": "",
        **changed,
    }


def filed_by(client: Client, order: StopWorkOrder, **changed: str) -> Any:
    url = reverse("appeal_new", args=[order.site.number])
    return client.post(url, answers(order, step="confirm", **changed))


# Anybody ----------------------------------------------------------------------------------


def test_a_neighbor_without_an_account_files_and_gets_a_receipt(
    client: Client, order: StopWorkOrder
) -> None:
    url = reverse("appeal_new", args=[order.site.number])
    page = client.get(url).content.decode()
    assert f"Stop-work order {order.number}" in page
    shown = client.post(url, answers(order, step="check")).content.decode()
    assert "In time." in shown
    assert Appeal.objects.count() == 0
    response = filed_by(client, order)
    appeal = Appeal.objects.get()
    assert response["Location"] == reverse("appeal_filed", args=[appeal.key])
    assert (appeal.filed_by, appeal.is_late, appeal.filed_on) == (None, False, MONDAY)
    receipt = client.get(response["Location"]).content.decode()
    assert appeal.number in receipt
    assert "never down" not in receipt
    assert "Kim" not in receipt
    assert "14 Mill" not in receipt
    assert entry_of(order, "revocation").is_stayed
    causes = set(OutboxMessage.objects.values_list("cause", "recipient"))
    assert (f"appeal_received:{appeal.number}", "kim@neighbors.test") in causes
    assert (f"appeal_filed:{appeal.number}", "inspector@example.test") in causes
    letters = Mailing.objects.filter(cause=f"appeal_received:{appeal.number}")
    assert [(each.means, each.document is not None) for each in letters] == [("us_mail", True)]
    others = Mailing.objects.filter(cause=f"appeal_filed:{appeal.number}", means="us_mail")
    assert all(letter.text for letter in others)
    assert holds_true() == []


def test_sending_the_same_form_twice_files_one_appeal(client: Client, order: StopWorkOrder) -> None:
    token = "0b0c4f6e-6b0d-4f5b-9a4c-3a8f8f6e0d01"
    first = filed_by(client, order, operation=token)
    second = filed_by(client, order, operation=token)
    assert first["Location"] == second["Location"]
    assert Appeal.objects.count() == 1


def test_the_last_minute_of_the_last_day_is_in_time_and_the_next_one_late(
    client: Client, order: StopWorkOrder, at: Callable[..., Any]
) -> None:
    last = order.appeal_deadline().on
    at(last, "23:59")
    filed_by(client, order)
    at(last + timedelta(days=1), "00:00")
    page = client.post(
        reverse("appeal_new", args=[order.site.number]), answers(order, step="check")
    ).content.decode()
    assert "Your appeal is late." in page
    filed_by(client, order)
    first, second = Appeal.objects.order_by("pk")
    assert (first.is_late, second.is_late) == (False, True)
    assert second.stay() is None


def test_what_is_missing_is_asked_for_and_nothing_is_lost(
    client: Client, order: StopWorkOrder
) -> None:
    page = filed_by(client, order, grounds="", mailing_address="").content.decode()
    assert "the board needs the grounds" in page
    assert "Owner of the lot next door" in page
    assert Appeal.objects.count() == 0


def test_what_only_a_machine_fills_in_is_refused(client: Client, order: StopWorkOrder) -> None:
    page = filed_by(client, order, website="https://spam.test").content.decode()
    assert "Leave this field empty" in page
    assert Appeal.objects.count() == 0


def test_land_where_nothing_was_decided_has_nothing_to_appeal(
    client: Client, permit: Permit
) -> None:
    empty = factory.site_without_permit()
    assert client.get(reverse("appeal_new", args=[empty.number])).status_code == 404
    begun = client.get(reverse("appeal_begin"), {"site": permit.site.number})
    assert begun["Location"] == reverse("appeal_new", args=[permit.site.number])
    unknown = client.get(reverse("appeal_begin"), {"site": "S-1999-0001"}).content.decode()
    assert "The city knows no such site" in unknown


def test_an_appellant_with_an_account_sees_their_appeal_and_withdraws_it(
    client: Client, order: StopWorkOrder
) -> None:
    person = factory.user(email="kim@neighbors.test", name="Kim Larsen")
    client.force_login(person)
    filed_by(client, order)
    appeal = Appeal.objects.get()
    assert appeal.filed_by == person
    assert client.get(appeal.get_absolute_url()).status_code == 200
    url = reverse("appeal_withdraw", args=[appeal.key])
    client.post(url, {"reason": "", "step": "confirm"})
    appeal.refresh_from_db()
    assert (appeal.status, appeal.ended_on) == ("withdrawn", MONDAY)
    stranger = Client()
    stranger.force_login(factory.user())
    assert stranger.get(appeal.get_absolute_url()).status_code == 404
    assert stranger.post(url, {"step": "confirm"}).status_code == 404


# Those who keep it ------------------------------------------------------------------------


def as_(role: Any) -> Client:
    client = Client()
    client.force_login(role)
    return client


def test_an_appeal_on_paper_counts_from_the_day_it_came_in(
    order: StopWorkOrder, at: Callable[..., Any]
) -> None:
    at(MONDAY + timedelta(days=5))
    url = reverse("appeal_paper", args=[order.site.number])
    secretary = as_(factory.board())
    early = {"received_on": (MONDAY - timedelta(days=1)).isoformat(), "paper_reason": "By post."}
    refused = secretary.post(url, answers(order, step="confirm", **early)).content.decode()
    assert "Choose that day or a later one" in refused
    given = {"received_on": (MONDAY + timedelta(days=2)).isoformat(), "paper_reason": "By post."}
    response = secretary.post(url, answers(order, step="confirm", **given))
    appeal = Appeal.objects.get()
    assert response["Location"] == appeal.get_absolute_url()
    assert appeal.filed_on == MONDAY + timedelta(days=2)
    assert entry_of(order, "revocation").stayed_since == MONDAY + timedelta(days=2)
    assert as_(factory.attorney()).get(url).status_code == 404


def test_hearing_and_decision_by_the_pages_of_the_board(
    order: StopWorkOrder, at: Callable[..., Any]
) -> None:
    appeal = appealed(order, on=MONDAY)
    secretary = as_(factory.board())
    hearing = {
        "held_on": (MONDAY + timedelta(days=14)).isoformat(),
        "at": "18:30",
        "place": "Council chambers",
        "step": "confirm",
    }
    secretary.post(reverse("appeal_hearing", args=[appeal.key]), hearing)
    found = appeal.next_hearing()
    assert found is not None
    assert (found.held_on, found.time) == (MONDAY + timedelta(days=14), time(18, 30))
    notices = Mailing.objects.filter(cause=f"appeal_hearing:{appeal.number}:{found.pk}")
    assert {each.addressee: each.means for each in notices}["Kim Larsen"] == "us_mail"
    assert notices.count() >= 2
    assert OutboxMessage.objects.filter(cause__startswith="appeal_hearing").count() >= 2
    at(MONDAY + timedelta(days=20))
    secretary = as_(factory.board())
    url = reverse("appeal_decide", args=[appeal.key])
    decision = {
        "outcome": "affirmed",
        "filed_on": (MONDAY - timedelta(days=1)).isoformat(),
        "text": "The order stands.",
        "step": "confirm",
        "end_of_form": "",
    }
    page = secretary.post(url, decision).content.decode()
    assert "The appeal was filed on" in page  # a decision cannot be filed before the appeal
    decision["filed_on"] = (MONDAY + timedelta(days=16)).isoformat()
    secretary.post(url, decision)
    appeal.refresh_from_db()
    assert (appeal.outcome, appeal.ended_on) == ("affirmed", MONDAY + timedelta(days=16))
    page = secretary.get(appeal.get_absolute_url()).content.decode()
    assert "Further review" in page
    assert "Stayed by an appeal from" in page
    assert secretary.post(url, decision).status_code == 409
    assert holds_true() == []


def test_a_decision_filed_before_the_appeal_is_refused_by_the_act_too(order: StopWorkOrder) -> None:
    appeal = appealed(order, on=MONDAY + timedelta(days=3))
    with pytest.raises(NotNow, match="filed on"):
        decided(appeal, on=MONDAY + timedelta(days=9), filed_on=MONDAY + timedelta(days=2))
    with pytest.raises(NotNow, match="not after today"):
        decided(appeal, on=MONDAY + timedelta(days=9), filed_on=MONDAY + timedelta(days=10))
    appeal.refresh_from_db()
    assert appeal.is_open


def test_peril_is_certified_once_with_facts_and_by_the_inspector_only(order: StopWorkOrder) -> None:
    appeal = appealed(order, on=MONDAY)
    url = reverse("appeal_peril", args=[appeal.key])
    for somebody in (factory.board(), factory.attorney(), factory.clerk()):
        assert as_(somebody).get(url).status_code == 404
    client = as_(inspector())
    assert "required" in client.post(url, {"facts": "", "step": "confirm"}).content.decode()
    facts = {"facts": "The slope slides into the creek.", "step": "confirm"}
    client.post(url, facts)
    appeal.refresh_from_db()
    assert appeal.peril.certified_on == MONDAY
    assert not entry_of(order, "revocation").is_stayed
    assert client.post(url, facts).status_code == 409
    with pytest.raises(NotNow, match="certified on"):
        board.certify_peril(appeal, by=inspector(), on=MONDAY, facts="Again.")


def test_a_reversed_grant_is_a_task_until_the_inspector_says_what_was_done(permit: Permit) -> None:
    appeal = appealed(permit.grant, on=MONDAY)
    decided(appeal, on=MONDAY, outcome="reversed", text="The plan lacks an inlet.")
    permit.refresh_from_db()
    assert permit.status == Permit.Status.ISSUED  # nothing happens by itself
    assert appeal.is_a_task
    client = as_(inspector())
    listed = client.get(reverse("appeals"), {"list": "tasks"}).content.decode()
    assert appeal.number in listed
    client.post(reverse("appeal_carry_out", args=[appeal.key]), {"how": "A new plan is ordered."})
    appeal.refresh_from_db()
    assert not appeal.is_a_task
    assert appeal.number not in client.get(reverse("appeals"), {"list": "tasks"}).content.decode()


def test_the_lists_are_read_by_the_city_only(order: StopWorkOrder, client: Client) -> None:
    appealed(order, on=MONDAY)
    page = as_(factory.attorney()).get(reverse("appeals")).content.decode()
    assert "AB-2026-0001" in page
    assert client.get(reverse("appeals")).status_code == 302
    assert as_(factory.user()).get(reverse("appeals")).status_code == 404


def test_the_holder_of_the_case_reads_the_appeal_but_not_how_to_reach_the_neighbor(
    order: StopWorkOrder,
) -> None:
    appeal = appealed(order, on=MONDAY)
    assert order.permit is not None
    page = as_(order.permit.application.applicant).get(appeal.get_absolute_url()).content.decode()
    assert "The fence was never down." in page
    assert "kim@neighbors.test" not in page
    assert "010-0142" not in page


def test_the_fee_is_taken_by_the_clerk(order: StopWorkOrder, at: Callable[..., Any]) -> None:
    from portal.models import CouncilValue

    CouncilValue.objects.create(
        key="appeal_fee", value="150.00", effective_on=date(2026, 1, 1), resolution="2026-1"
    )
    appeal = appealed(order, on=MONDAY)
    url = reverse("appeal_fee", args=[appeal.key])
    assert as_(inspector()).get(url).status_code == 404
    as_(factory.clerk()).post(url, {"paid_on": MONDAY.isoformat(), "receipt_number": "R-7"})
    appeal.refresh_from_db()
    assert appeal.fee_paid_on == MONDAY


@pytest.mark.parametrize(
    "name",
    ["appeal_peril", "appeal_transmit", "appeal_hearing", "appeal_decide", "appeal_withdraw"],
)
def test_every_page_of_an_act_opens_for_whoever_has_the_power(
    order: StopWorkOrder, name: str
) -> None:
    appeal = appealed(order, on=MONDAY)
    keepers = {"appeal_peril": inspector, "appeal_transmit": inspector}
    client = as_(keepers.get(name, factory.board)())
    assert client.get(reverse(name, args=[appeal.key])).status_code == 200
