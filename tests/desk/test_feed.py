"""The calendar feed: a secret link that shows a person's dates with their counts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import icalendar
import pytest
from django.test import Client

from portal.models import User
from tests import factory

pytestmark = pytest.mark.django_db

Enter = Callable[..., Client]


def events(client: Client, user: User) -> list[Any]:
    user.refresh_from_db()
    response = client.get(f"/calendar/{user.feed_key}.ics")
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/calendar")
    assert "no-store" in response["Cache-Control"]
    return list(icalendar.Calendar.from_ical(response.content).walk("VEVENT"))


def test_staff_see_the_citys_dates(enter: Enter) -> None:
    application = factory.received()
    factory.revised()
    found = events(enter(None), factory.inspector())
    titles = [str(event["summary"]) for event in found]
    assert titles[0] == f"Decide application {application.number}"
    assert len(titles) == 2
    first = found[0]
    assert first["dtstart"].dt == date(2026, 12, 1)
    assert "Ten working days: Nov 17, 18" in str(first["description"])
    assert "§ 40-886(c)" in str(first["description"])


def test_applicants_see_the_dates_of_their_own_cases(enter: Enter) -> None:
    mine, theirs = factory.received(), factory.received()
    found = events(enter(None), mine.applicant)
    assert [str(event["summary"]) for event in found] == [f"Decide application {mine.number}"]
    assert theirs.number not in str(found[0])


def test_a_permit_has_its_date(enter: Enter) -> None:
    application = factory.issued()
    found = events(enter(None), application.applicant)
    dates = {str(event["summary"]): event["dtstart"].dt for event in found}
    title = f"Permanent cover due, permit {application.permit.number}"
    assert dates[title] == application.permit.permanent_controls_by


def test_a_moved_date_keeps_its_name(enter: Enter) -> None:
    application = factory.received()
    before = events(enter(None), application.applicant)[0]
    entry = application.site.docket.get()
    type(entry).objects.filter(pk=entry.pk).update(on="2026-12-02", safe_on="2026-12-02")
    after = events(enter(None), application.applicant)[0]
    assert before["uid"] == after["uid"]
    assert after["dtstart"].dt == date(2026, 12, 2)


def test_a_wrong_link_opens_nothing(enter: Enter) -> None:
    assert enter(None).get("/calendar/not-a-key.ics").status_code == 404


def test_a_closed_account_has_no_feed(enter: Enter) -> None:
    user = factory.inspector()
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert enter(None).get(f"/calendar/{user.feed_key}.ics").status_code == 404


def test_a_new_link_makes_the_old_one_worthless(enter: Enter) -> None:
    user = factory.applicant()
    old = user.feed_key
    browser = enter(user)
    assert old in browser.get("/calendar/feed/").content.decode()
    assert browser.get("/calendar/feed/new/").status_code == 405
    assert browser.post("/calendar/feed/new/").url == "/calendar/feed/"
    user.refresh_from_db()
    assert user.feed_key != old
    assert browser.get(f"/calendar/{old}.ics").status_code == 404
    assert user.feed_key in browser.get("/calendar/feed/").content.decode()


def test_the_feed_asks_at_most_25_times(enter: Enter, django_assert_max_num_queries: Any) -> None:
    for _ in range(6):
        factory.received()
        factory.issued()
    user = factory.inspector()
    with django_assert_max_num_queries(25):
        events(enter(None), user)
