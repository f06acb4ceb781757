"""What users of such systems reported of holds, notices and mail, as it would happen here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from enforcement.acts import orders, owner_notices
from enforcement.acts.revision_orders import Line
from enforcement.acts.revision_orders import issue as order_devices
from enforcement.models import OwnerNotice, RevisionOrder, StopWorkOrder
from permits.holds import Act
from permits.holds import holds as held
from permits.models import NotNow, Permit
from permits.reminders import send_reminders
from portal import delivery
from portal.models import Mailing, OutboxMessage
from tests.ground.processes import free_port

from . import works
from .appealing import appealed, decided
from .factory import (
    MONDAY,
    WORDS,
    active_permit,
    inspector,
    lifted,
    order_of_permit,
    order_standing,
    owner,
    told,
)

pytestmark = pytest.mark.django_db

LINE_DUE = MONDAY + timedelta(days=9)


@pytest.fixture(autouse=True)
def on_monday(at: Callable[..., Any]) -> None:
    at(MONDAY)


def days(number: int) -> timedelta:
    return timedelta(days=number)


def ordered(permit: Permit) -> RevisionOrder:
    return order_devices(
        permit,
        by=inspector(),
        on=MONDAY,
        cause="rain",
        facts="Mud runs over the north line.",
        lines=[Line("silt-fence", "North line", LINE_DUE)],
        told=told(permit.site, permit),
    )


# Holds ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "act", [Act.CLOSE, Act.HAND_OVER, Act.CERTIFICATE, Act.REPORT_COMPLETE, Act.RELEASE_ESCROW]
)
def test_34_an_order_holds_what_presumes_lawful_work_with_its_reason(
    order: StopWorkOrder, act: Act
) -> None:
    (obstacle,) = held(order.site, act, on=MONDAY)
    assert order.number in obstacle.text
    lifted(order)
    assert held(order.site, act, on=MONDAY + days(3)) == []


def test_34_of_two_orders_the_hold_stays_until_the_last_is_lifted(permit: Permit) -> None:
    first, second = order_of_permit(permit), order_of_permit(permit, ground="conditions-not-met")
    assert len(held(permit.site, Act.CLOSE, on=MONDAY)) == 2
    lifted(first)
    (obstacle,) = held(permit.site, Act.CLOSE, on=MONDAY + days(3))
    assert second.number in obstacle.text


# Who is told ------------------------------------------------------------------------------


def test_37_an_order_goes_to_the_parties_of_its_case_and_to_nobody_else(permit: Permit) -> None:
    active_permit(address="9 Other Road, Example, WI 54999")
    order_of_permit(permit)
    holder = permit.application.applicant.email.lower()
    mails = OutboxMessage.objects.filter(cause__startswith="order:")
    assert sorted(mails.values_list("recipient", flat=True)) == sorted(
        {holder, "landowner@example.test", "contractor@example.test"}
    )
    letters = Mailing.objects.filter(cause__startswith="order:")
    assert set(letters.values_list("reference", flat=True)) == {permit.site.number}


def test_37_the_end_of_an_order_is_told_to_whom_it_was_told_once_each(permit: Permit) -> None:
    order = order_of_permit(permit)
    lifted(order)
    begun = OutboxMessage.objects.filter(cause=f"order:{order}")
    ended = OutboxMessage.objects.filter(cause=f"order_lifted:{order}")
    addresses = sorted(begun.values_list("recipient", flat=True))
    assert sorted(ended.values_list("recipient", flat=True)) == addresses
    assert len(addresses) == len(set(addresses)) > 0


def test_38_three_owners_get_three_letters_each_its_own(permit: Permit) -> None:
    for n in (2, 3):
        permit.site.parcels.create(number=f"0240-900{n}-001")
    order_standing(permit)
    parcels = permit.site.parcels.order_by("pk").values_list("number", flat=True)
    people = [owner(f"Owner {n}", parcel) for n, parcel in enumerate(parcels)]
    works.owner_notice(permit, on=MONDAY, told=works.told_by_mail(people))
    letters = Mailing.objects.filter(cause__startswith=owner_notices.CAUSE)
    assert sorted(letters.values_list("addressee", flat=True)) == ["Owner 0", "Owner 1", "Owner 2"]
    assert len(set(letters.values_list("document", flat=True))) == 3


# Reminders --------------------------------------------------------------------------------


def _reminded() -> list[str]:
    rows = OutboxMessage.objects.filter(cause__startswith="reminder")
    return list(rows.order_by("pk").values_list("recipient", flat=True))


def test_39_the_reminder_of_a_line_goes_once_though_the_job_runs_twice_or_skips_days(
    permit: Permit,
) -> None:
    ordered(permit)
    send_reminders(LINE_DUE - days(1))
    first = _reminded()
    assert first
    assert len(first) == len(set(first))
    send_reminders(LINE_DUE - days(1))
    assert _reminded() == first
    assert send_reminders(LINE_DUE + days(3)) > 0
    late = _reminded()
    assert send_reminders(LINE_DUE + days(4)) == 0
    assert _reminded() == late


def test_41_nothing_is_reminded_of_while_any_of_two_appeals_stays_it(permit: Permit) -> None:
    order = ordered(permit)
    first, second = appealed(order, on=MONDAY + days(1)), appealed(order, on=MONDAY + days(2))
    decided(first, on=MONDAY + days(4))
    assert send_reminders(LINE_DUE + days(5)) == 0
    decided(second, on=MONDAY + days(5))
    assert send_reminders(LINE_DUE + days(5)) > 0


def test_41_a_stay_never_holds_back_a_notice_that_the_law_wants_sent(permit: Permit) -> None:
    order = order_standing(permit)
    appealed(order, on=MONDAY + days(1))
    lifted(order, on=MONDAY + days(2))
    letters = Mailing.objects.filter(cause=f"order_lifted:{order}", means="us_mail")
    assert letters.exists()
    assert all(letter.stage == Mailing.Stage.WAITING for letter in letters)


# Papers and letters -----------------------------------------------------------------------


def test_43_a_letter_that_has_not_left_says_so_in_the_case_and_with_the_order(
    as_inspector: Client, order: StopWorkOrder
) -> None:
    shown = as_inspector.get(order.get_absolute_url()).content.decode()
    assert "Waits in the mail room" in shown
    case = as_inspector.get(reverse("case", args=[order.site.number])).content.decode()
    assert "Not yet sent" in case
    for letter in Mailing.objects.filter(cause=f"order:{order}", means="us_mail"):
        works.mailed(letter, on=MONDAY)
    shown = as_inspector.get(order.get_absolute_url()).content.decode()
    assert "Waits in the mail room" not in shown
    assert "Accepted by the post on" in shown


@pytest.mark.parametrize(
    ("missing", "named"),
    [({"mailing_address": ""}, "no mailing address for Pat Lund"), ({"name": ""}, "name")],
)
def test_44_a_paper_with_a_gap_is_not_issued_and_the_gap_is_named(
    permit: Permit, missing: dict[str, str], named: str
) -> None:
    person = owner(**{"name": "Pat Lund", **missing})
    with pytest.raises(NotNow, match=named):
        order_of_permit(permit, told=[(person, "us_mail")])
    assert not StopWorkOrder.objects.exists()
    assert not Mailing.objects.exists()


@pytest.mark.parametrize("gap", ["facts", "must_stop", "must_do"])
def test_44_an_order_that_does_not_say_what_or_why_is_refused(permit: Permit, gap: str) -> None:
    with pytest.raises(NotNow):
        orders.issue(
            permit.site,
            by=inspector(),
            on=MONDAY,
            ground="plan-not-followed",
            permit=permit,
            told=told(permit.site, permit),
            **{**WORDS, gap: "  "},
        )
    assert not StopWorkOrder.objects.exists()


def test_49_with_the_mail_server_down_the_order_stands_and_its_mail_waits(
    permit: Permit, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    settings.EMAIL_TIMEOUT = 5
    order = order_of_permit(permit)
    assert delivery.send_waiting() == 0
    assert StopWorkOrder.objects.get(pk=order.pk).is_standing
    waiting = OutboxMessage.objects.filter(cause=f"order:{order}", sent_at__isnull=True)
    assert waiting.count() == OutboxMessage.objects.filter(cause=f"order:{order}").count() > 0


def test_the_post_is_no_e_mail_where_the_law_wants_the_post(permit: Permit) -> None:
    order_standing(permit)
    with pytest.raises(NotNow, match=r"U\.S\. mail"):
        owner_notices.make(
            permit,
            by=inspector(),
            on=date(2026, 11, 17),
            work=works.FENCE,
            estimated_cost=Decimal(900),
            told=[(owner(email="pat@lund.test"), "email")],
        )
    assert not OwnerNotice.objects.exists()
