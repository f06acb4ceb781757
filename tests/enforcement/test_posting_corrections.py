"""A posting recorded wrong is corrected by a row of its own, as long as nothing stands on it."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from enforcement.acts import notices, postings, requests, revocation
from enforcement.models import Addressee, Posting
from permits.models import CaseEvent, DocketEntry, NotNow
from portal.models import Mailing, OutboxMessage
from tests.enforcement.test_order_pages import filled
from tests.mails import check_reading

from .factory import (
    MONDAY,
    finished_visit,
    inspector,
    order_without_permit,
    owner,
    posted_order,
    told,
)

pytestmark = pytest.mark.django_db
WEDNESDAY = MONDAY + timedelta(days=2)
WHY = "The card was put up on Wednesday; Monday was the day it was printed."


def correct(posting, *, posted_on=WEDNESDAY, place="On the gate", on=None, reason=WHY):
    return postings.correct(
        posting,
        by=inspector(),
        on=on or WEDNESDAY,
        posted_on=posted_on,
        place=place,
        reason=reason,
    )


def notice_opens(order):
    return DocketEntry.objects.of(order).running().get(rule="notice-of-intent")


def test_the_right_day_is_another_row_and_the_dates_count_from_it(order):
    was = order.postings.get()
    assert notice_opens(order).on == date(2026, 11, 26)
    row = correct(was)
    order.refresh_from_db()
    assert order.posted_on == WEDNESDAY
    assert (row.corrects, row.reason) == (was, WHY)
    assert list(row.photos.all()) == list(was.photos.all())
    was.refresh_from_db()
    assert (was.posted_on, was.place) == (MONDAY, "On the gate")
    entry = notice_opens(order)
    assert (entry.on, entry.started_on) == (date(2026, 11, 28), WEDNESDAY)
    assert entry.fits(order.notice_of_intent_opens())
    assert entry.fits(entry.count())


def test_who_when_why_and_section_are_on_record_and_the_old_line_is_struck(
    order, client, at, permit
):
    at(WEDNESDAY)
    (before,) = CaseEvent.objects.filter(kind="stop_work.posted")
    correct(order.postings.get())
    event = CaseEvent.objects.filter(kind="stop_work.posted").latest("sequence")
    assert (event.section, event.reason, event.occurred_on) == ("enforcement", WHY, WEDNESDAY)
    assert event.actor == inspector()
    assert event.facts["corrects"] == before.sequence
    client.force_login(permit.application.applicant)
    story = client.get(permit.site.get_absolute_url()).content.decode()
    assert f"<s>Order {order} was posted on the site: On the gate" in story
    assert f"The posting of order {order} was recorded wrong" in story
    assert WHY in story
    page = client.get(order.get_absolute_url()).content.decode()
    assert "<s>Monday, November 16, 2026, On the gate</s>" in page


def test_everybody_who_was_told_of_the_order_is_told(order):
    people = Addressee.objects.of(order).values_list("name", flat=True)
    correct(order.postings.get())
    cause = f"posting_corrected:{order.number}"
    letters = Mailing.objects.filter(cause__startswith=cause)
    assert {each.addressee for each in letters} == set(people)
    for text in (each.text for each in letters):
        assert "posted on Wednesday, November 18, 2026" in text
        assert "not before Saturday, November 28, 2026" in text
    mails = OutboxMessage.objects.filter(cause__startswith=cause)
    assert all(WHY in mail.body for mail in mails)
    assert mails.exists()
    for mail in mails:
        check_reading(mail)


def test_another_place_moves_no_date(order):
    before = notice_opens(order).on
    correct(order.postings.get(), posted_on=MONDAY, place="On the north fence")
    order.refresh_from_db()
    assert (order.posted_on, notice_opens(order).on) == (MONDAY, before)
    assert Posting.objects.standing().get(order=order).place == "On the north fence"


def test_a_second_posting_that_is_corrected_moves_no_date(order):
    posted_order(order, on=MONDAY + timedelta(days=1))
    second = order.postings.latest("pk")
    correct(second)
    order.refresh_from_db()
    assert order.posted_on == MONDAY


def test_an_entry_is_corrected_once_and_the_correction_again(order):
    first = order.postings.get()
    second = correct(first)
    with pytest.raises(NotNow, match="corrected already"):
        correct(first)
    third = correct(second, posted_on=MONDAY + timedelta(days=1))
    order.refresh_from_db()
    assert order.posted_on == third.posted_on
    with pytest.raises(IntegrityError), transaction.atomic():
        Posting.objects.create(
            order=order, posted_on=MONDAY, place="x", posted_by=inspector(), corrects=first
        )


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"posted_on": MONDAY - timedelta(days=1)}, "cannot have been posted before"),
        ({"posted_on": WEDNESDAY + timedelta(days=1)}, "still to come"),
        ({"reason": " "}, "why the entry is corrected"),
        ({"posted_on": MONDAY}, "Nothing is changed"),
    ],
)
def test_what_cannot_be_is_refused(order, wrong, said):
    with pytest.raises(NotNow, match=said):
        correct(order.postings.get(), **wrong)
    assert order.postings.count() == 1
    assert CaseEvent.objects.filter(kind="stop_work.posted").count() == 1


def test_once_a_notice_of_intent_stands_on_it_nothing_is_corrected(order, permit, at, client):
    on = MONDAY + timedelta(days=14)
    notice = notices.issue(
        order,
        by=inspector(),
        on=on,
        work="Silt fence.",
        estimated_cost=Decimal(900),
        told=[(owner(), "us_mail")],
    )
    with pytest.raises(NotNow, match=f"Notice of intent {notice} stands on order {order}"):
        correct(order.postings.get(), on=on)
    at(on)
    client.force_login(inspector())
    page = client.get(reverse("posting_correct", args=[order.postings.get().pk])).content.decode()
    assert f"Notice of intent {notice} stands on order {order}" in page
    assert 'name="step"' not in page
    notices.withdraw(notice, by=inspector(), on=on, why="Issued too early.")
    order.refresh_from_db()
    correct(order.postings.get(), on=on)
    assert notice_opens(order).fits(order.notice_of_intent_opens())


def test_once_the_permit_is_revoked_nothing_is_corrected(order, permit):
    on = MONDAY + timedelta(days=14)
    finished_visit(permit.site, on=on)
    revocation.revoke(
        order, by=inspector(), on=on, facts="Work went on.", told=told(permit.site, permit)
    )
    with pytest.raises(NotNow, match="The revocation of Monday, November 30, 2026 stands"):
        correct(order.postings.get(), on=on)


def test_once_the_attorney_was_asked_nothing_is_corrected(real_papers):
    order = posted_order(order_without_permit())
    on = MONDAY + timedelta(days=14)
    finished_visit(order.site, on=on)
    requests.make(order, by=inspector(), on=on, facts="Work went on.")
    with pytest.raises(NotNow, match="The request to the city attorney of Monday, November 30"):
        correct(order.postings.get(), on=on)


def test_an_order_that_is_lifted_is_corrected_no_more(order):
    order.status = "withdrawn"
    order.ended_on = WEDNESDAY
    order.save()
    with pytest.raises(NotNow, match="withdrawn"):
        correct(order.postings.get())


def test_it_is_shown_before_it_is_done_and_done_once(as_inspector, order, at):
    at(WEDNESDAY)
    posting = order.postings.get()
    page = as_inspector.get(order.get_absolute_url()).content.decode()
    url = reverse("posting_correct", args=[posting.pk])
    assert url in page
    data = filled(as_inspector.get(url), reason=WHY)
    same = as_inspector.post(url, data).content.decode()
    assert "Nothing is changed" in same
    data["posted_on"] = WEDNESDAY.isoformat()
    shown = as_inspector.post(url, data).content.decode()
    assert "Make this correction?" in shown
    assert WHY in shown
    assert order.postings.count() == 1
    for _ in range(2):
        done = as_inspector.post(url, {**data, "step": "confirm"})
        assert (done.status_code, done.url) == (303, order.get_absolute_url())
    assert order.postings.count() == 2
