"""The ladder in the neighboring city: 24 hours where the first one has ten days."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.test import Client

from enforcement.acts import revocation
from permits import verify
from permits.models import DocketEntry, NotNow, Permit
from tests.first_citys_words import first_citys_words

from .factory import active_permit, inspector, order_standing, site_without_permit, told
from .factory import order_without_permit as without_permit

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("neighbor")]

MONDAY = date(2026, 6, 1)
FRIDAY = date(2026, 6, 5)
DAY = timedelta(1)


def permit_of(day: date) -> Permit:
    return active_permit(issued_on=day - timedelta(days=60))


def revoke(order, on: date):
    people = told(order.site, order.permit)
    return revocation.revoke(order, by=inspector(), on=on, facts="Grading went on.", told=people)


def test_a_permit_is_revoked_from_the_day_after_the_hours_and_not_before():
    order = order_standing(permit_of(MONDAY), on=MONDAY, posted_on=MONDAY)
    assert order.compliance_deadline().on == MONDAY + DAY
    with pytest.raises(NotNow) as refused:
        revoke(order, MONDAY + DAY)
    assert "Wednesday, June 3, 2026" in str(refused.value.obstacles[0])
    assert str(refused.value.obstacles[0].citation) == "§ 14.12(3)"
    revoke(order, MONDAY + 2 * DAY)
    order.permit.refresh_from_db()
    assert order.permit.status == Permit.Status.REVOKED


def test_over_a_weekend_the_hours_leave_out_sunday_and_a_filing_saturday_too():
    order = without_permit(site_without_permit(), on=FRIDAY)
    assert order.permit_deadline().on == date(2026, 6, 8)  # a Monday
    assert order.cease_and_desist_opens().on == date(2026, 6, 9)


def test_a_notice_of_intent_waits_for_the_day_after_the_hours():
    order = order_standing(permit_of(MONDAY), on=MONDAY, posted_on=MONDAY)
    opens = order.notice_of_intent_opens()
    assert (opens.on, opens.safe_on) == (MONDAY + 2 * DAY, MONDAY + 2 * DAY)


def test_the_docket_has_the_hours_and_every_date_proves_itself():
    order = order_standing(permit_of(MONDAY), on=MONDAY, posted_on=MONDAY)
    rows = {each.rule: each for each in DocketEntry.objects.filter(site=order.site)}
    assert rows["stop-work-compliance"].on == MONDAY + DAY
    assert rows["stop-work-compliance"].title.startswith("24 hours of issuance")
    assert list(verify.faults()) == []


def test_the_page_of_next_steps_speaks_of_hours_and_of_the_director(at):
    at(MONDAY + DAY)
    order = order_standing(permit_of(MONDAY), on=MONDAY, posted_on=MONDAY)
    client = Client()
    client.force_login(inspector())
    page = client.get(f"/orders/{order.key}/next/").content.decode()
    assert "24 hours" in page
    assert first_citys_words(page) == []
