"""The pages of stop-work orders, as the inspector, the holder and the public see them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from enforcement.models import Posting, StopWorkOrder
from permits.models import CaseEvent
from portal import operations

from .factory import (
    MONDAY,
    finished_visit,
    inspector,
    order_of_permit,
    order_without_permit,
    photo,
    posted_order,
    site_without_permit,
    violation,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def today(at):
    at(MONDAY)


def filled(response, **answers):
    """What a browser would send: every question with what stands in it, and some answers."""
    form = response.context["form"]
    data = {"operation": response.context["operation"], "step": "check", "end_of_form": ""}
    for field in form:
        value = field.value()
        if value is not None and field.name != "photos":
            data[field.html_name] = value
    return {**data, **answers}


def test_an_order_is_written_shown_and_issued(as_inspector, permit):
    url = reverse("order_new", args=[permit.site.number])
    page = as_inspector.get(url)
    assert page.status_code == 200
    data = filled(
        page, ground="plan-not-followed", broken="Silt fence, north line", facts="It lies down."
    )
    shown = as_inspector.post(url, data)
    assert "Issue this order?" in shown.content.decode()
    assert not StopWorkOrder.objects.exists()
    done = as_inspector.post(url, {**data, "step": "confirm"})
    order = StopWorkOrder.objects.get()
    assert done.status_code == 303
    assert done.url == order.get_absolute_url()
    assert "Silt fence, north line" in order.facts
    assert "Put up or repair" in order.must_do
    again = as_inspector.post(url, {**data, "step": "confirm"})
    assert again.url == done.url
    assert StopWorkOrder.objects.count() == 1
    assert as_inspector.get(done.url).status_code == 200


def test_the_ground_must_have_its_facts(as_inspector, permit):
    url = reverse("order_new", args=[permit.site.number])
    data = filled(as_inspector.get(url), ground="plan-not-followed", facts="It lies down.")
    page = as_inspector.post(url, data)
    assert "Say which part of the plan is not carried out." in page.content.decode()
    assert "It lies down." in page.content.decode()


def test_a_row_for_another_person_is_added_without_losing_anything(as_inspector):
    site = site_without_permit()
    url = reverse("order_new", args=[site.number])
    data = filled(as_inspector.get(url), facts="A pit of half an acre.", step="add")
    page = as_inspector.post(url, data)
    assert page.context["form"].new_rows == 3
    assert "A pit of half an acre." in page.content.decode()
    again = as_inspector.post(url, filled(page, step="add"))
    assert again.context["form"].new_rows == 4


def test_an_order_without_anybody_told_is_refused(as_inspector):
    site = site_without_permit()
    url = reverse("order_new", args=[site.number])
    data = filled(as_inspector.get(url), activities=["grading"], facts="A pit.")
    page = as_inspector.post(url, data)
    assert "Choose at least one person who is told." in page.content.decode()


def test_a_posting_needs_its_photo(as_inspector, permit):
    order = order_of_permit(permit)
    url = reverse("order_post", args=[order.key])
    data = filled(as_inspector.get(url), place="On the gate")
    page = as_inspector.post(url, {**data, "step": "confirm"})
    assert "it is the proof" in page.content.decode()
    assert not Posting.objects.exists()
    kept = {"kept_photos": [str(photo(inspector()).key)]}
    shown = as_inspector.post(url, {**data, **kept})
    assert "Record this posting?" in shown.content.decode()
    done = as_inspector.post(url, {**data, **kept, "step": "confirm"})
    assert done.status_code == 303
    order.refresh_from_db()
    assert order.posted_on == MONDAY


def test_a_posting_cannot_lie_before_the_order(as_inspector, permit, at):
    order = order_of_permit(permit)
    url = reverse("order_post", args=[order.key])
    before = (MONDAY - timedelta(days=1)).isoformat()
    data = filled(as_inspector.get(url), place="On the gate", posted_on=before)
    page = as_inspector.post(url, {**data, "kept_photos": [str(photo().key)]})
    assert "The order was issued on" in page.content.decode()


def test_lifting_asks_for_a_finished_visit(as_inspector, permit, at):
    order = posted_order(order_of_permit(permit))
    url = reverse("order_lift", args=[order.key])
    assert "No visit was finished since" in as_inspector.get(url).content.decode()
    refused = as_inspector.post(url, {"operation": operations.new_token(), "step": "confirm"})
    assert refused.status_code in (200, 409)
    visit = finished_visit(order.site, on=MONDAY, note="The fence stands.")
    data = filled(as_inspector.get(url), visit=str(visit.key), why="The fence stands.")
    assert "Lift order" in as_inspector.post(url, data).content.decode()
    done = as_inspector.post(url, {**data, "step": "confirm"})
    assert done.status_code == 303
    order.refresh_from_db()
    assert order.status == "lifted"


def test_withdrawing_needs_a_reason(as_inspector, permit):
    order = order_of_permit(permit)
    url = reverse("order_withdraw", args=[order.key])
    page = as_inspector.post(url, filled(as_inspector.get(url)))
    assert page.context["form"].errors
    data = filled(as_inspector.get(url), why="The wrong lot.")
    assert as_inspector.post(url, {**data, "step": "confirm"}).status_code == 303
    order.refresh_from_db()
    assert order.status == "withdrawn"
    assert CaseEvent.objects.filter(kind="stop_work.withdrawn", reason="The wrong lot.").exists()


def test_what_may_be_done_names_the_first_day(as_inspector, permit):
    order = posted_order(order_of_permit(permit))
    page = as_inspector.get(reverse("order_next", args=[order.key])).content.decode()
    assert "The permit may be revoked from Saturday, November 28, 2026." in page


def test_a_second_order_says_that_the_first_stands(as_inspector, permit):
    order = order_of_permit(permit)
    page = as_inspector.get(reverse("order_new", args=[permit.site.number])).content.decode()
    assert "An order stands on this site already." in page
    assert order.number in page


def test_the_public_page_tells_no_name_and_nothing_written_freely(client, db):
    order = posted_order(order_without_permit())
    page = client.get(reverse("order_public", args=[order.key])).content.decode()
    assert "Work is stopped here since Monday, November 16, 2026." in page
    for hidden in ("Pat Lund", "Elm Court", "silt fence on the north line", "On the gate"):
        assert hidden not in page


def test_the_holder_sees_the_order_and_no_act(client, permit):
    order = order_of_permit(permit)
    client.force_login(permit.application.applicant)
    page = client.get(order.get_absolute_url())
    assert page.status_code == 200
    assert reverse("order_lift", args=[order.key]) not in page.content.decode()
    assert client.get(reverse("order_next", args=[order.key])).status_code == 404
    assert client.get(reverse("order_lift", args=[order.key])).status_code == 404


def test_a_violation_is_recorded_seen_again_and_dropped(as_inspector, permit, at):
    url = reverse("violation_new", args=[permit.site.number])
    data = filled(as_inspector.get(url), facts="No inlet protection.")
    done = as_inspector.post(url, data)
    assert done.status_code == 303
    assert "No inlet protection." in as_inspector.get(done.url).content.decode()
    found = permit.site.violations.get()
    at(MONDAY + timedelta(days=1))
    as_inspector.force_login(inspector())
    url = reverse("violation_seen", args=[found.key])
    data = filled(as_inspector.get(url), seen="Still none.")
    assert as_inspector.post(url, data).status_code == 303
    assert len(found.documented_days()) == 2
    again = as_inspector.post(url, {**data, "operation": operations.new_token()})
    assert "a day counts once" in again.content.decode()


def test_the_lists_of_orders(as_inspector, permit):
    order = posted_order(
        order_of_permit(permit, violations=[violation(permit.site, permit=permit)])
    )
    for url in (reverse("orders"), reverse("orders_of_case", args=[permit.site.number])):
        assert order.number in as_inspector.get(url).content.decode()


def test_what_may_be_done_asks_no_more_with_more_evidence(
    as_inspector, permit, django_assert_max_num_queries
):
    seen = [violation(permit.site, permit=permit) for _ in range(4)]
    order = posted_order(order_of_permit(permit, violations=seen))
    for _ in range(3):
        finished_visit(permit.site, on=MONDAY)
    with django_assert_max_num_queries(25):
        page = as_inspector.get(reverse("order_next", args=[order.key]))
    assert page.status_code == 200
