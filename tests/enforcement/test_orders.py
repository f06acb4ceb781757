"""Former § 17.19(7)(a): stop-work orders, from their issue to their end."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from enforcement.models import Addressee, OrderStatus
from permits import verify
from permits.models import CaseEvent, DocketEntry
from portal.models import Mailing, OutboxMessage

from .factory import MONDAY, lifted, order_of_permit, order_without_permit, posted_order

pytestmark = pytest.mark.django_db


def rules(order) -> dict[str, date]:
    return {entry.rule: entry.on for entry in DocketEntry.objects.of(order).running()}


def kinds(site) -> list[str]:
    return list(site.events.values_list("kind", flat=True))


def test_an_order_against_a_permittee_starts_its_clocks_and_tells_everybody(permit):
    order = order_of_permit(permit)
    assert order.number.startswith("SW-2026-")
    assert set(rules(order)) == {"stop-work-compliance", "revocation", "appeal"}
    assert kinds(permit.site).count("stop_work.issued") == 1
    assert {row.role for row in Addressee.objects.of(order)} == {
        "permittee",
        "landowner",
        "contractor",
    }
    assert Mailing.objects.filter(cause=f"order:{order.number}").count() == 3
    assert OutboxMessage.objects.filter(cause=f"order:{order.number}").count() == 3
    assert order.paper is not None
    assert order.placard is not None
    assert list(verify.faults()) == []


def test_an_order_without_a_permit_starts_the_other_branch(db):
    order = order_without_permit()
    assert set(rules(order)) == {"permit-after-stop-work", "cease-and-desist", "appeal"}


def test_the_days_to_the_notice_of_intent_start_with_the_posting(permit):
    order = posted_order(order_of_permit(permit), on=MONDAY + timedelta(days=2))
    assert order.posted_on == MONDAY + timedelta(days=2)
    assert rules(order)["notice-of-intent"] == MONDAY + timedelta(days=12)
    assert list(verify.faults()) == []


def test_lifting_ends_the_clocks_and_meets_the_deadline_on_the_day_of_the_visit(permit):
    order = lifted(posted_order(order_of_permit(permit)))
    assert order.status == OrderStatus.LIFTED
    assert rules(order) == {}
    met = DocketEntry.objects.of(order).get(rule="stop-work-compliance")
    assert met.met_on == MONDAY + timedelta(days=3)
    assert kinds(permit.site).count(CaseEvent.Kind.STOP_WORK_LIFTED) == 1
    assert list(verify.faults()) == []
