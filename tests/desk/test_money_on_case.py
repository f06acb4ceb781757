"""The money where people look for it: on the case, at home, on the desk, and in the tabs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from enforcement.models import CityWork
from escrow.account import forfeiting, releasing
from escrow.bills import making, moving
from escrow.bills.payers import Payer
from escrow.models import Bill
from inspections.acts import cover, visits
from permits.models import Application, Permit
from portal.models import CouncilValue, Role
from tests import factory
from tests.escrow import money
from tests.factory import MONDAY

pytestmark = pytest.mark.django_db

Enter = Callable[..., Client]
DAYS = timedelta(days=1)
PAYER = Payer("landowner", "Ann Meyer", "4418 Ridge Road\nExample, WI 54999")
READERS = [Role.INSPECTOR, Role.CLERK, Role.ADMINISTRATOR, Role.ATTORNEY, Role.BOARD]


@pytest.fixture(autouse=True)
def _monday(at: Callable[..., object]) -> None:
    at(MONDAY)


@pytest.fixture
def work() -> CityWork:
    """Closed work under a notice of intent, at the site of a permit."""
    money.resolution(CouncilValue.Key.BILL_DAYS, "30")
    return money.charge_work(factory.issued(on=MONDAY - 100 * DAYS).site, on=MONDAY - 60 * DAYS)


@pytest.fixture
def bill(work: CityWork) -> Bill:
    return making.bill_work(work, PAYER, by=factory.clerk(), on=MONDAY - 20 * DAYS)


def case_of(site: Any) -> Application:
    found: Application = site.applications.get()
    return found


def rungs(client: Client, url: str) -> dict[str, Any]:
    return {rung.key: rung for rung in client.get(url).context["rungs"]}


def test_closed_work_is_billed_from_the_case_by_the_clerk_alone(
    enter: Enter, work: CityWork
) -> None:
    page = work.site.get_absolute_url()
    clerk, inspector = enter(factory.clerk()), enter(factory.inspector())
    rung = rungs(clerk, page)[f"bill-work-{work.pk}"]
    assert rung.is_open
    assert rung.url == reverse("bill_work", args=[work.key])
    assert "Only the city clerk" in rungs(inspector, page)[f"bill-work-{work.pk}"].why_not


def test_work_waits_for_the_councils_time_to_pay(enter: Enter) -> None:
    work = money.charge_work(factory.issued(on=MONDAY - 100 * DAYS).site, on=MONDAY - 60 * DAYS)
    rung = rungs(enter(factory.clerk()), work.site.get_absolute_url())[f"bill-work-{work.pk}"]
    assert not rung.is_open
    assert [reason.url for reason in rung.obstacles] == [
        reverse("council_value", args=[CouncilValue.Key.BILL_DAYS])
    ]


def test_the_payer_sees_the_bill_on_the_case_and_at_home_until_it_is_paid(
    enter: Enter, bill: Bill
) -> None:
    holder = case_of(bill.site).applicant
    client = enter(holder)
    rung = rungs(client, bill.site.get_absolute_url())[f"pay-{bill}"]
    assert rung.title == f"Pay bill {bill}: $1,200.00"
    assert rung.url == reverse("pay_bill", args=[bill.key])
    home = client.get(reverse("home")).content.decode()
    assert f"Bill {bill}" in home
    assert "The last day to pay is Thursday, November 26, 2026." not in home  # Thanksgiving
    moving.pay(
        bill,
        amount=Decimal("1200.00"),
        received_on=MONDAY,
        means="cash",
        paid_by="Ann Meyer",
        by=factory.clerk(),
    )
    assert "To pay" not in client.get(reverse("home")).content.decode()
    page = client.get(bill.site.get_absolute_url()).content.decode()
    assert f"pay-{bill}" not in rungs(client, bill.site.get_absolute_url())
    assert f'href="{bill.get_absolute_url()}"' in page
    assert "nothing owed" in page


def test_nobody_else_sees_a_bill_at_home(enter: Enter, bill: Bill) -> None:
    page = enter(factory.applicant("Somebody Else")).get(reverse("home")).content.decode()
    assert str(bill) not in page


def test_a_draw_is_offered_once_its_work_is_closed(enter: Enter) -> None:
    permit = Permit.objects.get(application=factory.issued(on=MONDAY - 100 * DAYS))
    clerk, page = enter(factory.clerk()), permit.site.get_absolute_url()
    assert rungs(clerk, page)["draw"].why_not.startswith("No cost waits to be drawn.")
    money.escrow_work(permit, on=MONDAY - 60 * DAYS)
    assert rungs(clerk, page)["draw"].is_open
    assert not rungs(enter(factory.administrator()), page)["draw"].is_open


def test_release_and_forfeiture_say_why_not_and_open_when_their_day_has_come(
    enter: Enter, at: Callable[..., object]
) -> None:
    permit = Permit.objects.get(application=factory.issued(on=MONDAY - 100 * DAYS))
    page = permit.site.get_absolute_url()
    clerk, inspector = factory.clerk(), factory.inspector()
    found = rungs(enter(clerk), page)
    assert "final inspection" in found["release"].why_not
    assert "The work is not late: its last day is" in found["forfeit"].why_not
    at(MONDAY + 200 * DAYS)
    assert rungs(enter(inspector), page)["forfeit"].is_open
    assert "Only the building inspector" in rungs(enter(clerk), page)["forfeit"].why_not
    pass_final(permit)
    assert rungs(enter(clerk), page)["release"].is_open
    assert rungs(enter(inspector), page)["forfeit"].why_not == "The work is complete."


def pass_final(permit: Permit) -> None:
    on, by = MONDAY + 200 * DAYS, factory.inspector()
    visit = visits.begin(permit.site, by=by, on=on, today=on)
    cover.record_final(
        visit, by=by, controls_complete=True, perennial=True, density_percent=85, method="estimate"
    )


def test_what_waits_for_a_second_person_stands_on_its_list_desk_and_case(
    enter: Enter, at: Callable[..., object]
) -> None:
    permit = Permit.objects.get(application=factory.issued(on=MONDAY - 100 * DAYS))
    at(MONDAY + 200 * DAYS)
    pass_final(permit)
    permit.refresh_from_db()
    release = releasing.propose(permit, by=factory.clerk(), on=MONDAY + 200 * DAYS)
    administrator, clerk = enter(factory.administrator()), enter(factory.clerk())
    decide = reverse("escrow_release_decide", args=[permit.application.key])
    assert administrator.get(reverse("desk")).context["approvals"] == 1
    (proposal,) = administrator.get(reverse("escrow_waiting")).context["proposals"]
    assert (proposal.number, proposal.decide_url) == (release.number, decide)
    (proposal,) = clerk.get(reverse("escrow_waiting")).context["proposals"]
    assert proposal.decide_url == ""
    page = permit.site.get_absolute_url()
    assert rungs(administrator, page)["decide-release"].is_open
    assert not rungs(clerk, page)["decide-release"].is_open
    assert "release" not in rungs(clerk, page)


def test_the_holder_reads_the_account_and_not_what_is_only_proposed(
    enter: Enter, at: Callable[..., object]
) -> None:
    permit = Permit.objects.get(application=factory.issued(on=MONDAY - 300 * DAYS))
    forfeiting.propose(permit, what_is_open="The slope is bare.", by=factory.inspector(), on=MONDAY)
    url = reverse("escrow_account", args=[permit.application.key])
    assert "waits for the second person" in enter(factory.clerk()).get(url).content.decode()
    page = enter(permit.application.applicant).get(url).content.decode()
    assert "$2,500.00" in page
    assert "waits for the second person" not in page
    assert "Propose the forfeiture" not in page
    assert enter(factory.applicant("Somebody Else")).get(url).status_code == 404


def test_the_case_asks_no_more_with_bills_works_and_proposals(
    enter: Enter, bill: Bill, django_assert_max_num_queries: Any
) -> None:
    for reader in (case_of(bill.site).applicant, factory.clerk(), factory.administrator()):
        client = enter(reader)
        client.get("/account/")
        with django_assert_max_num_queries(30):
            client.get(bill.site.get_absolute_url())


@pytest.mark.parametrize("role", READERS)
def test_each_tab_opens_and_one_is_the_page_itself(enter: Enter, role: str) -> None:
    client = enter(factory.user(role))
    tabs = client.get(reverse("bills")).context["money_tabs"]
    assert [tab.label for tab in tabs if tab.current] == ["Bills"]
    for tab in tabs:
        page = client.get(tab.url)
        assert page.status_code == 200, tab
        assert [each.url for each in page.context["money_tabs"] if each.current] == [tab.url]


def test_no_tab_stands_on_a_page_of_the_payer_or_outside_of_the_money(
    enter: Enter, bill: Bill
) -> None:
    holder = enter(case_of(bill.site).applicant)
    assert list(holder.get(bill.get_absolute_url()).context["money_tabs"]) == []
    assert list(enter(factory.clerk()).get(reverse("desk")).context["money_tabs"]) == []


def test_bills_are_found_by_case_number_payer_and_street(enter: Enter, bill: Bill) -> None:
    clerk = enter(factory.clerk())
    for words in (bill.number, bill.site.number, "meyer", bill.site.address[:14]):
        rows = clerk.get(reverse("bills"), {"q": words}).context["rows"]
        assert [found.pk for found, _ in rows] == [bill.pk], words
    assert clerk.get(reverse("bills"), {"q": "nobody"}).context["rows"] == []
