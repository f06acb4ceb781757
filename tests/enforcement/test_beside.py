"""What goes on beside an order hears that the order ended: the attorney, and those at work."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.urls import reverse

from enforcement.acts import orders, requests
from portal import papers
from portal.models import OutboxMessage
from tests.enforcement.test_order_pages import filled
from tests.mails import check_reading

from . import works
from .factory import MONDAY, attorney, finished_visit, inspector, lifted, order_standing

pytestmark = pytest.mark.django_db
FIRST = date(2026, 11, 28)
ENTRY = date(2026, 12, 13)
END = date(2026, 12, 14)


@pytest.fixture(autouse=True)
def blank(monkeypatch):
    page = works.blank_pdf()
    monkeypatch.setattr(papers, "make", lambda template, context: papers.Made(page, 1))


def ended_mails(order):
    cause = f"cease_and_desist_order_{order.status}:"
    return list(OutboxMessage.objects.filter(cause__startswith=cause))


def test_the_page_of_lifting_names_the_request_and_the_attorney_is_told(as_inspector, at):
    attorney()
    order = order_standing()
    request = works.requested(order, on=FIRST)
    at(END)
    as_inspector.force_login(inspector())
    finished_visit(order.site, on=END, note="All is in order.")
    url = reverse("order_lift", args=[order.key])
    page = as_inspector.get(url)
    assert "request to the city attorney</a> of Saturday, November 28, 2026" in (
        page.content.decode()
    )
    data = filled(page, why="The pit is filled and seeded.")
    shown = as_inspector.post(url, data).content.decode()
    assert "The attorney is told by e-mail at once." in shown
    for _ in range(2):
        as_inspector.post(url, {**data, "step": "confirm"})
    order.refresh_from_db()
    (mail,) = ended_mails(order)
    assert mail.recipient == "attorney@example.test"
    assert "was lifted on Monday, December 14, 2026" in mail.body
    assert reverse("request", args=[request.key]) in mail.body
    check_reading(mail)
    assert requests.may_follow(request) == ["received"]
    page = as_inspector.get(request.get_absolute_url()).content.decode()
    assert f"Order {order} is lifted since Monday, December 14, 2026." in page


def test_a_withdrawn_order_tells_the_attorney_too(as_inspector, at):
    attorney()
    order = order_standing()
    works.requested(order, on=FIRST)
    at(END)
    as_inspector.force_login(inspector())
    page = as_inspector.get(reverse("order_withdraw", args=[order.key])).content.decode()
    assert "The attorney is told by e-mail at once" in page
    orders.withdraw(order, by=inspector(), on=END, why="The wrong site.")
    (mail,) = ended_mails(order)
    assert "issued in error" in mail.body
    assert "The wrong site." in mail.body


def test_a_request_that_is_closed_is_over(as_inspector, at):
    order = order_standing()
    request = works.requested(order, on=FIRST)
    by = attorney()
    requests.take_step(request, "received", by=by, on=END, day=FIRST)
    requests.take_step(request, "closed", by=by, on=END, day=FIRST, note="They stopped.")
    lifted(order, on=END)
    assert ended_mails(order) == []


def test_city_work_under_way_is_named_and_its_page_says_what_the_end_means(as_inspector, order, at):
    work = works.begun(works.intent(order, on=FIRST), on=ENTRY)
    at(END)
    as_inspector.force_login(inspector())
    finished_visit(order.site, on=END, note="All is in order.")
    url = reverse("order_lift", args=[order.key])
    page = as_inspector.get(url)
    assert "by Street department, is under way since Sunday, December 13" in page.content.decode()
    shown = as_inspector.post(url, filled(page, why="Seeded.")).content.decode()
    assert "tell Street department yourself" in shown
    before = as_inspector.get(work.get_absolute_url()).content.decode()
    assert "was lifted" not in before
    lifted(order, on=END)
    after = as_inspector.get(work.get_absolute_url()).content.decode()
    assert f"Order {order} was lifted on Monday, December 14, 2026." in after
    assert "no more work is necessary under this notice" in after
    works.closed(work, on=END + timedelta(days=1))
    assert "was lifted" not in as_inspector.get(work.get_absolute_url()).content.decode()


def test_work_under_an_order_that_was_in_error_stops(as_inspector, order, at):
    work = works.begun(works.intent(order, on=FIRST), on=ENTRY)
    at(END)
    as_inspector.force_login(inspector())
    page = as_inspector.get(reverse("order_withdraw", args=[order.key])).content.decode()
    assert "City work under notice" in page
    orders.withdraw(order, by=inspector(), on=END, why="The wrong site.")
    after = as_inspector.get(work.get_absolute_url()).content.decode()
    assert "Stop the work." in after
    assert "ask the city attorney" in after


def test_the_desk_names_the_step_that_opened_and_not_the_days(as_inspector, order, at):
    at(MONDAY + timedelta(days=13))
    page = as_inspector.get(reverse("desk")).content.decode()
    assert f"Revocation opened, {order}" in page
    assert f"Notice of intent opened, {order}" in page
    assert f"have passed, {order}" not in page
    at(MONDAY + timedelta(days=1))
    page = as_inspector.get(reverse("desk"), {"list": "closed"}).content.decode()
    assert f"Revocation, {order}" in page
    assert "opened, " not in page
