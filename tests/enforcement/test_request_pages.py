"""The pages of requests to the city attorney, as the role concerned. Former § 17.19(7)(d)"""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from enforcement.acts import revocation
from enforcement.models import CeaseAndDesistRequest, StopWorkOrder
from permits.models import Permit

from . import works
from .factory import attorney, clerk, inspector, order_standing, told
from .test_works_pages import SAFE, at_signed_in, pages, send, words

__all__ = ["at_signed_in", "pages"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def unpermitted(db: None) -> StopWorkOrder:
    """An order against a person without a permit."""
    attorney()
    return order_standing()


def test_a_direct_post_of_a_request_before_its_day_is_refused(
    as_inspector: Client, unpermitted: StopWorkOrder, at
) -> None:
    at("2026-11-27")
    address = reverse("request_new", args=[unpermitted.key])
    response = send(as_inspector, address, facts="Went on.", step="confirm")
    assert response.status_code == 409
    assert "Saturday, November 28, 2026" in words(response)
    assert not CeaseAndDesistRequest.objects.exists()


def test_the_inspector_requests_and_the_attorney_records(
    client: Client, unpermitted: StopWorkOrder, at
) -> None:
    at("2026-11-28")
    client.force_login(inspector())
    address = reverse("request_new", args=[unpermitted.key])
    assert "Robin Hale" in words(send(client, address, facts="Went on.", step="check"))
    done = send(client, address, facts="Went on.", step="confirm")
    made = CeaseAndDesistRequest.objects.get()
    assert done.url == made.get_absolute_url()
    assert client.get(reverse("request_step", args=[made.key])).status_code == 404
    client.force_login(attorney())
    assert made.get_absolute_url() in words(client.get(reverse("requests")))
    step = reverse("request_step", args=[made.key])
    early = send(client, step, kind="received", day="2026-11-27", step="confirm")
    assert early.context["form"].errors.keys() == {"day"}
    given = {"kind": "received", "day": "2026-11-28"}
    assert "Received on" in words(send(client, step, **given, step="check"))
    assert send(client, step, **given, step="confirm").status_code == 303
    wrong = send(client, step, kind="filed", day="2026-11-28", step="confirm")
    assert wrong.context["form"].errors.keys() == {"court_case"}
    assert made.steps.count() == 1
    assert "Received" in words(client.get(made.get_absolute_url()))


def test_the_packet_is_for_the_city_only(
    client: Client, unpermitted: StopWorkOrder, permit: Permit, at
) -> None:
    at("2026-11-28")
    made = works.requested(unpermitted, on=SAFE)
    assert made.packet is not None
    # The person files for a permit afterwards and sees the case, but not the packet.
    application = permit.application
    type(application).objects.filter(pk=application.pk).update(site=unpermitted.site)
    client.force_login(application.applicant)
    for address in (made.packet.get_absolute_url(), made.get_absolute_url(), reverse("requests")):
        assert client.get(address).status_code == 404, address
    client.force_login(attorney())
    assert client.get(made.packet.get_absolute_url()).status_code == 200
    client.force_login(clerk())
    assert client.get(made.get_absolute_url()).status_code == 404


def test_after_revocation_the_page_leads_to_a_new_order(
    as_inspector: Client, order: StopWorkOrder, at
) -> None:
    revocation.revoke(
        order,
        by=inspector(),
        on=date(2026, 11, 30),
        facts="Went on.",
        told=told(order.site, order.permit),
    )
    at("2026-12-14")
    text = words(as_inspector.get(reverse("request_new", args=[order.key])))
    assert "Issue a new order" in text
    assert "without a permit" in text
