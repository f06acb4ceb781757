"""While an order stands, every page says so, and revocation is asked before it is done."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from enforcement.models import Revocation
from permits.models import Permit

from .appealing import appealed
from .factory import MONDAY, inspector, lifted, order_of_permit, order_without_permit, posted_order
from .test_order_pages import filled

pytestmark = pytest.mark.django_db

OPEN_DAY = MONDAY + timedelta(days=14)


@pytest.fixture(autouse=True)
def today(at):
    at(MONDAY)


def test_the_public_the_holder_and_the_desk_see_that_work_is_stopped(client, permit):
    order = posted_order(order_of_permit(permit))
    public = client.get(permit.site.get_public_url()).content.decode()
    assert f"No. Work is stopped since Monday, November 16, 2026, by order {order}." in public
    found = client.get(reverse("lookup"), {"q": permit.number}).content.decode()
    assert "not allowed" in found
    client.force_login(permit.application.applicant)
    assert "Work is stopped." in client.get(reverse("home")).content.decode()
    assert "Work is stopped." in client.get(permit.get_absolute_url()).content.decode()
    client.force_login(inspector())
    page = client.get(permit.get_absolute_url()).content.decode()
    assert reverse("order_next", args=[order.key]) in page
    stopped = client.get(reverse("cases"), {"status": "stopped"}).content.decode()
    assert permit.number in stopped
    lifted(order, on=MONDAY)
    client.logout()
    assert "Work is stopped" not in client.get(permit.site.get_public_url()).content.decode()


def test_the_page_of_a_site_that_nobody_applied_for_says_it_too(client, db):
    order = order_without_permit()
    client.force_login(inspector())
    page = client.get(reverse("visits", args=[order.site.number])).content.decode()
    assert f"Work is stopped by order {order}, issued Monday, November 16, 2026" in page


def test_the_holder_is_led_from_the_order_to_its_appeal(client, permit):
    order = order_of_permit(permit)
    client.force_login(permit.application.applicant)
    page = client.get(order.get_absolute_url()).content.decode()
    assert reverse("appeal_new", args=[permit.site.number]) in page


def test_no_page_says_that_work_may_go_on_while_an_order_stands(client, permit):
    client.force_login(permit.application.applicant)
    allowed = "Work may go on under the approved plan"
    assert allowed in client.get(permit.get_absolute_url()).content.decode()
    order = order_of_permit(permit)
    for url in (permit.get_absolute_url(), reverse("home")):
        assert allowed not in client.get(url).content.decode()
    page = client.get(permit.get_absolute_url()).content.decode()
    assert f"No: work is stopped by order {order}." in page


def test_the_list_of_orders_says_what_is_open_and_what_an_appeal_holds(client, permit, at):
    order = posted_order(order_of_permit(permit))
    at(OPEN_DAY)
    client.force_login(inspector())
    page = client.get(reverse("orders")).content.decode()
    assert page.count('<span class="chip good">open</span>') == 2
    assert "stayed by an appeal" not in page
    appealed(order, on=MONDAY + timedelta(days=1))
    page = client.get(reverse("orders")).content.decode()
    assert page.count("stayed by an appeal") == 2
    assert '<span class="chip good">open</span>' not in page
    for name in ("order", "order_next"):
        page = client.get(reverse(name, args=[order.key])).content.decode()
        assert "held still since Tue, Nov 17" in page, name


def test_the_desk_of_the_inspector_lists_what_opened(client, permit, at):
    order = posted_order(order_of_permit(permit))
    at(OPEN_DAY)
    client.force_login(inspector())
    page = client.get(reverse("desk"), {"list": "opened"}).content.decode()
    assert reverse("order_next", args=[order.key]) in page
    assert "What may be done" in page


def test_acts_that_presume_lawful_work_give_the_reason(client, permit):
    order = order_of_permit(permit)
    client.force_login(permit.application.applicant)
    page = client.get(reverse("complete", args=[permit.site.number])).content.decode()
    assert f"Work is stopped by order {order}" in page
    client.force_login(inspector())
    for name in ("certificate", "permit_close"):
        page = client.get(reverse(name, args=[permit.site.number])).content.decode()
        assert f"Work is stopped by order {order}" in page, name


def test_a_permit_is_revoked_after_its_effect_was_shown(client, permit, at):
    order = posted_order(order_of_permit(permit))
    url = reverse("revoke", args=[order.key])
    client.force_login(inspector())
    early = client.get(url).content.decode()
    assert "The permit may be revoked from Saturday, November 28, 2026." in early
    at(OPEN_DAY)
    client.force_login(inspector())
    page = client.get(url)
    assert "What the revocation does" in page.content.decode()
    data = filled(page, facts="Grading went on.")
    shown = client.post(url, data).content.decode()
    assert "The escrow of $2,500.00 stays with the city." in shown
    assert not Revocation.objects.exists()
    done = client.post(url, {**data, "step": "confirm"})
    assert done.status_code == 303
    assert Permit.objects.get(pk=permit.pk).status == Permit.Status.REVOKED
    assert client.post(url, {**data, "step": "confirm"}).url == done.url
    assert "Work here is work without a permit." in client.get(done.url).content.decode()
    client.logout()
    public = client.get(permit.site.get_public_url()).content.decode()
    assert "No. Work is stopped" in public


def test_a_direct_post_before_the_day_is_refused(client, permit):
    order = posted_order(order_of_permit(permit))
    url = reverse("revoke", args=[order.key])
    client.force_login(inspector())
    data = filled(client.get(url), facts="Too early.")
    refused = client.post(url, {**data, "step": "confirm"})
    assert refused.status_code == 409
    assert "from Saturday, November 28, 2026" in refused.content.decode()
    assert not Revocation.objects.exists()
