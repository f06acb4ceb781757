"""Paying a fee online in Chromium: to the provider and back, under the portal's own policy."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from escrow.models import OnlinePayment
from escrow.online import provider
from permits.models import Application
from portal import papers
from tests import factory
from tests.browser.barriers import barriers, is_too_wide
from tests.browser.person import Person, Wardrobe
from tests.escrow import online
from tests.escrow.provider_on_loopback import PAGE
from tests.escrow.provider_on_loopback import provider as on_loopback
from tests.scene import quick_paper

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PROVIDERS_PAGE = "<!doctype html><html lang=en><title>Pay</title><h1>The provider's page</h1>"


@pytest.fixture
def wardrobe(
    browser, live_server, at, settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Wardrobe]:
    """A portal that takes payments online, and a provider on this machine."""
    at(factory.MONDAY)
    online.switch_on(settings)
    settings.PUBLIC_URL = live_server.url
    monkeypatch.setattr(papers, "render", quick_paper)
    made = Wardrobe(browser, live_server.url)
    with on_loopback() as machine:
        monkeypatch.setattr(provider, "ADDRESSES", {"api": machine.url})
        yield made
    made.close()
    assert made.complaints == []


def at_the_provider(person: Person) -> None:
    """Show the provider's page from here: nobody leaves this machine."""
    person.context.route(
        re.compile(rf"^{re.escape(provider.PAGES)}/"),
        lambda route: route.fulfill(body=PROVIDERS_PAGE, content_type="text/html"),
    )


@pytest.mark.parametrize("width", [1280, 320])
def test_an_applicant_pays_the_fee_and_comes_back_to_the_receipt(
    wardrobe: Wardrobe, width: int
) -> None:
    application = factory.submitted(on=factory.MONDAY)
    person = wardrobe.somebody(width=width)
    person.enter_as(application.applicant)
    at_the_provider(person)
    person.go(f"/applications/{application.key}/receipt/")
    person.follow("How to pay the fee")
    person.sees("You enter your card there; the city never sees it.", "Or in another way")
    assert barriers(person.page) == []
    assert not is_too_wide(person.page)
    person.press("Pay online")
    person.page.wait_for_url(PAGE)
    assert person.heading() == "The provider's page"
    payment = OnlinePayment.objects.get()
    comes_back(person, payment)
    person.sees("The city waits for word of the payment.")
    assert online.send(online.paid(payment.reference, str(payment.amount))).content == b"booked\n"
    person.follow("Look again")
    person.sees("is in.")
    assert barriers(person.page) == []
    assert not is_too_wide(person.page)
    person.follow("See what is in and when the city decides")
    person.sees("paid online", "The building inspector grants or denies the permit by")
    application.refresh_from_db()
    assert application.status == Application.Status.UNDER_REVIEW


def comes_back(person: Person, payment: OnlinePayment) -> None:
    """Come back from the provider as its button does."""
    person.go(f"/money/online/{payment.key}/")


def test_the_clerk_settles_what_nobody_knows(wardrobe: Wardrobe) -> None:
    online.send(online.paid("nobody-knows-this-reference-of-many-letters", "1200.00"))
    person = wardrobe.somebody(width=320)
    person.enter_as(factory.clerk())
    person.go("/money/cash/")
    person.follow("See what was set aside")
    person.sees("nobody-knows", "$1,200.00")
    person.follow(re.compile("Settle it"))
    person.press("Settle it")
    assert barriers(person.page) == []
    assert not is_too_wide(person.page)
    person.tick("Refunded at the provider", within=person.group("How"))
    person.write("Number of the refund, bill or application", "re_77")
    person.press("Settle it")
    person.sees("Nothing is set aside.", "Refunded at the provider, number re_77.")
    assert barriers(person.page) == []
    assert not is_too_wide(person.page)
