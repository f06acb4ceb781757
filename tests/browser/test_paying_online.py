"""Paying a fee online in Chromium: to the provider and back, under the portal's own policy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from escrow.bills.code import code_of
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


@pytest.mark.parametrize("width", [1280, 320])
def test_a_payer_without_an_account_pays_a_bill_with_its_code(
    wardrobe: Wardrobe, at: Callable[..., object], width: int
) -> None:
    at(online.TODAY)
    bill = online.a_bill()
    person = wardrobe.somebody(width=width)
    at_the_provider(person)
    person.go("/")
    person.follow("See and pay it")
    person.write("Number of the bill", bill.number)
    person.write("Code of the bill", "0000-0000-0000")
    person.press("Show the bill")
    person.sees("No bill has this number together with this code.")
    person.write("Code of the bill", code_of(bill).lower())
    person.press("Show the bill")
    person.sees("$1,200.00 is owed.", "Or in another way")
    looks_well(person)
    person.press("Go on: see what will happen")
    person.sees("Write the name for the receipt.")
    looks_well(person)
    person.write("Amount", "200")
    person.write("Your name", "Ann Meyer")
    person.press("Go on: see what will happen")
    person.sees("Pay $200.00 online?", "$1,000.00 is left to pay")
    looks_well(person)
    person.press("Go to the payment page")
    person.page.wait_for_url(PAGE)
    payment = OnlinePayment.objects.get()
    person.go(f"/pay/{bill.key}/payments/{payment.key}/")
    person.sees("The city waits for word of the payment.")
    online.send(online.paid(payment.reference, "200.00"))
    person.follow("Look again")
    person.sees("$200.00 is in.", "Open the receipt")
    looks_well(person)
    person.follow("See the bill")
    person.press("Close this bill")
    person.sees("The bill is closed.")


def looks_well(person: Person) -> None:
    """No barrier stands on the page, and it fits the screen."""
    assert barriers(person.page) == []
    assert not is_too_wide(person.page)


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
