"""The case page: where it stands, what may be done, every date, the whole story."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client

from permits import acts, handover, recount
from permits.models import Application, DocketEntry, PlanSheet
from portal.models import Mailing, OutboxMessage, Role, Upload
from tests import factory
from tests.enforcement import factory as enforcement
from tests.enforcement.appealing import appealed

pytestmark = pytest.mark.django_db

Enter = Callable[..., Client]


def page_of(client: Client, application: Application) -> Any:
    response = client.get(application.get_absolute_url())
    assert response.status_code == 200
    return response


FILE = {"file": True}
"""Whoever works for the city comes from every case to its case file."""
ORDERS = FILE | {"orders": True}
"""And from a filed one to its violations and orders."""


MONEY = {"account": True, "draw": False, "release": False, "forfeit": False}
"""Under an issued permit whose work goes on and is not late."""


def rungs(response: Any) -> dict[str, bool]:
    """Return which acts the page offers, and whether each is open."""
    return {rung.key: rung.is_open for rung in response.context["rungs"]}


# Who sees it ------------------------------------------------------------------------------


def test_strangers_find_nothing(enter: Enter) -> None:
    application = factory.received()
    url = application.get_absolute_url()
    assert enter(factory.applicant("Somebody Else")).get(url).status_code == 404
    anonymous = enter(None).get(url)
    assert (anonymous.status_code, anonymous.url) == (302, f"/accounts/login/?next={url}")
    assert enter(factory.inspector()).get("/cases/S-1999-0001/").status_code == 404


@pytest.mark.parametrize("role", [Role.ATTORNEY, Role.BOARD, Role.ADMINISTRATOR])
def test_whoever_works_for_the_city_may_read_it(enter: Enter, role: str) -> None:
    page_of(enter(factory.user(role)), factory.received())


def test_the_one_who_handed_it_over_sees_it_no_more(enter: Enter) -> None:
    application = factory.received()
    before, after = application.applicant, factory.applicant("New Holder")
    offer = handover.offer(application, by=before, email=after.email, on=factory.MONDAY)
    handover.accept(offer, by=after, on=factory.MONDAY)
    assert enter(before).get(application.get_absolute_url()).status_code == 404
    page_of(enter(after), application)


# Where it stands --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "strong", "turn"),
    [
        ("draft", "Being written.", "Your turn"),
        ("submitted", "Filed, and the fee is out.", "Your turn"),
        ("received", "Under review.", "The city's turn"),
        ("denied", "Denied: the plan needs changes.", "Your turn"),
        ("revised", "Plan revision 2 is under review.", "The city's turn"),
        ("granted", "Granted, and the escrow is out.", "Your turn"),
        ("posted", "Granted, and the escrow is posted.", "The city's turn"),
        ("withdrawn", "Withdrawn.", ""),
    ],
)
def test_a_sentence_says_where_it_stands(enter: Enter, state: str, strong: str, turn: str) -> None:
    application = factory.STATES[state]()
    standing = page_of(enter(application.applicant), application).context["standing"]
    assert (standing.strong, standing.turn) == (strong, turn)


def test_an_issued_permit_says_since_when_and_until_when(enter: Enter) -> None:
    application = factory.issued()
    standing = page_of(enter(application.applicant), application).context["standing"]
    assert standing.strong == f"Permit {application.permit.number} is issued."
    assert "since Monday, November 16, 2026" in standing.before
    assert standing.clock.on == application.permit.permanent_controls_by


def test_a_late_decision_is_told_in_plain_words_and_grants_nothing(
    enter: Enter, at: Callable[..., Any]
) -> None:
    application = factory.received()
    at("2026-12-01", "23:59")
    on_time = page_of(enter(application.applicant), application).context["standing"]
    assert on_time.strong == "Under review."
    at("2026-12-02", "00:01")
    late = page_of(enter(application.applicant), application)
    assert late.context["standing"].strong == "The decision is late."
    assert "Being late grants nothing" in late.content.decode()
    assert rungs(late)["work"] is False


# What may be done -------------------------------------------------------------------------

DECIDED = ("denied", "granted", "posted", "issued")
"""After the decision a changed contact is reported."""


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("draft", {"write": True, "file": False}),
        ("complete_draft", {"write": True, "file": True}),
        ("submitted", {"pay": True, "correct": True}),
        ("received", {"receipt": True, "correct": True}),
        ("denied", {"revise": True}),
        ("revised", {"receipt": True, "correct": True}),
        ("granted", {"escrow": True}),
        ("posted", {"account": True}),
        ("issued", {"log": True, "complete": True, "account": True}),
    ],
)
def test_what_the_holder_can_do(enter: Enter, state: str, expected: dict[str, bool]) -> None:
    application = factory.STATES[state]()
    found = rungs(page_of(enter(application.applicant), application))
    always = {
        "work": state == "issued",
        "hand-over": True,
        "withdraw": state not in ("posted", "issued"),
        **({"contacts": True} if state in DECIDED else {}),
    }
    assert found == expected | always


@pytest.mark.parametrize(
    ("state", "inspector", "clerk"),
    [
        ("draft", {"wait": False}, {"wait": False}),
        (
            "submitted",
            {"fee": False, "decide": False, "correct": True},
            {"fee": True, "decide": False},
        ),
        ("received", {"decide": True, "correct": True}, {"decide": False, "fee-reverse": True}),
        ("denied", {"decide": False}, {"decide": False}),
        ("revised", {"decide": True, "correct": True}, {"decide": False}),
        ("granted", {"escrow": False, "issue": False}, {"escrow": True, "issue": False}),
        (
            "posted",
            {"issue": True, "account": True},
            {"issue": True, "escrow-reverse": True, "account": True},
        ),
        (
            "issued",
            {"log": True, "visits": True, "certificate": True, "close": False, **MONEY},
            {"log": True, "visits": True, "certificate": True, "close": False, **MONEY},
        ),
        ("withdrawn", {"decide": False}, {"decide": False}),
    ],
)
def test_what_the_city_can_do(
    enter: Enter, state: str, inspector: dict[str, bool], clerk: dict[str, bool]
) -> None:
    application = factory.STATES[state]()
    orders = ORDERS if application.number else FILE
    assert rungs(page_of(enter(factory.inspector()), application)) == {
        **orders,
        **inspector,
        **({"contacts": True} if state in DECIDED else {}),
    }
    hold = {"hold": True} if application.number else {}
    assert rungs(page_of(enter(factory.clerk()), application)) == {**orders, **clerk, **hold}


def test_who_reads_without_deciding_finds_the_review(enter: Enter) -> None:
    application = factory.revised()
    response = page_of(enter(factory.administrator()), application)
    assert rungs(response) == {**ORDERS, "decide": False, "look": True}
    assert f"/applications/{application.key}/compare/" in response.content.decode()
    for reader in (factory.clerk(), application.applicant):
        page = page_of(enter(reader), application).content.decode()
        assert "/compare/" not in page
        assert "/review/" not in page


def test_a_closed_act_says_why_with_its_section(enter: Enter) -> None:
    application = factory.granted()
    page = page_of(enter(factory.inspector()), application).content.decode()
    assert "The escrow of $2,500.00 is not posted." in page
    assert "former § 17.19(4)(c)" in page
    assert "Only the city clerk posts and keeps escrow." in page


def test_each_thing_missing_leads_to_its_step(enter: Enter) -> None:
    application = factory.draft()
    response = page_of(enter(application.applicant), application)
    reasons = next(r for r in response.context["rungs"] if r.key == "file").obstacles
    assert len(reasons) >= 12
    for reason in reasons:
        assert f"/applications/{application.key}/" in reason.url, reason


def test_a_person_without_the_power_gets_no_link_to_the_act(enter: Enter) -> None:
    application = factory.received()
    page = page_of(enter(factory.clerk()), application).content.decode()
    assert "/review/" not in page
    assert "Only the building inspector grants or denies." in page


# Dates ------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [*factory.STATES])
def test_staff_and_applicant_see_the_same_dates(enter: Enter, state: str) -> None:
    application = factory.STATES[state]()
    readers = [application.applicant, factory.inspector(), factory.clerk()]
    seen = [page_of(enter(reader), application).context["dates"] for reader in readers]
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("state", [*factory.STATES])
def test_the_dates_are_those_of_the_docket(enter: Enter, state: str) -> None:
    application = factory.STATES[state]()
    dates = page_of(enter(factory.inspector()), application).context["dates"]
    entries = DocketEntry.objects.filter(site=application.site)
    shown = sorted((each.clock.key, each.clock.on, each.clock.safe_on) for each in dates)
    assert shown == sorted(entries.values_list("rule", "on", "safe_on"))
    running = {each.clock.key for each in dates if each.running}
    assert running == set(entries.running().values_list("rule", flat=True))


def test_a_decided_date_keeps_its_count_when_the_calendar_changes(enter: Enter) -> None:
    decided = factory.denied()
    recount.change_closure(
        date(2026, 11, 27),
        name="Day after Thanksgiving",
        closed=True,
        resolution="2026-1",
        by=factory.clerk(),
        on=factory.MONDAY,
    )
    dates = page_of(enter(factory.inspector()), decided).context["dates"]
    assert [each.clock.on for each in dates if each.title == "Decision"] == [date(2026, 12, 1)]
    fresh = factory.received()
    dates = page_of(enter(factory.inspector()), fresh).context["dates"]
    assert [each.clock.on for each in dates] == [date(2026, 12, 2)]


def test_what_was_done_says_whether_in_time(enter: Enter, at: Callable[..., Any]) -> None:
    application = factory.denied()
    dates = page_of(enter(application.applicant), application).context["dates"]
    assert [(each.title, each.word) for each in dates] == [
        ("Decision", "done in time"),
        ("Appeal of the denial", "runs"),
    ]
    at("2027-02-01")
    dates = page_of(enter(application.applicant), application).context["dates"]
    assert dates[1].word == "over"
    assert not any(each.late for each in dates)


# Story, papers, mail ----------------------------------------------------------------------


def test_the_story_is_told_newest_first_with_its_papers(enter: Enter) -> None:
    application = factory.issued()
    response = page_of(enter(application.applicant), application)
    lines = [line.text for line in response.context["story"]]
    assert lines[-1] == "The application was begun."
    assert lines[0].startswith(f"Permit {application.permit.number} was issued")
    papers = [p.get_kind_display() for line in response.context["story"] for p in line.papers]
    assert papers == [
        "Permit card",
        "Escrow receipt",
        "Notice of grant",
        "Receipt of application",
    ]
    ahead = [line.text for line in response.context["ahead"]]
    assert ahead == ["Permanent controls and cover", "Appeal of the grant"]


def test_a_long_story_has_pages(enter: Enter) -> None:
    application = factory.received()
    for _ in range(60):
        application.site.record("handover.offered", by=None, on=factory.MONDAY, facts={"to": "x"})
    client = enter(application.applicant)
    first = page_of(client, application)
    assert (len(first.context["story"]), first.context["page"].paginator.num_pages) == (50, 2)
    second = client.get(f"{application.get_absolute_url()}?page=2")
    assert second.context["ahead"] == []
    assert second.context["story"][-1].text == "The application was begun."


def test_mail_that_waits_is_shown(enter: Enter) -> None:
    application = factory.received()
    OutboxMessage.objects.filter(reference=application.site.number).update(attempts=2)
    Mailing.objects.create(
        reference=application.site.number,
        cause="received",
        means=Mailing.Means.US_MAIL,
        addressee="Ana Ruiz",
    )
    page = page_of(enter(application.applicant), application).content.decode()
    assert "Not yet sent" in page
    assert "Tried 2 times" in page
    assert "U.S. mail to Ana Ruiz" in page


def test_where_a_camera_stood_is_not_on_the_page(enter: Enter) -> None:
    application = factory.received()
    Upload.objects.filter(sheets__revision__application=application).update(
        latitude="43.123456", longitude="-88.654321", taken_at="2026-11-01 08:15:59"
    )
    assert PlanSheet.objects.filter(upload__latitude__isnull=False).exists()
    page = page_of(enter(application.applicant), application).content.decode()
    for secret in ("43.123456", "88.654321", "08:15:59"):
        assert secret not in page


def test_what_people_typed_is_shown_as_text(enter: Enter) -> None:
    application = factory.complete_draft()
    application.site.address = "<script>alert(1)</script> & Co"
    application.site.save()
    application.parties.update(name="<b>Bold</b>")
    page = page_of(enter(application.applicant), application).content.decode()
    assert "<script>alert" not in page
    assert "<b>Bold</b>" not in page
    assert "&lt;script&gt;" in page


# Cost -------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [*factory.STATES])
def test_the_page_asks_at_most_25_times(
    enter: Enter, django_assert_max_num_queries: Any, state: str
) -> None:
    application = factory.STATES[state]()
    for reader in (application.applicant, factory.inspector(), factory.clerk()):
        client = enter(reader)
        client.get("/account/")
        with django_assert_max_num_queries(25):
            page_of(client, application)


def test_a_case_under_orders_asks_no_more(
    enter: Enter, at: Callable[..., Any], django_assert_max_num_queries: Any
) -> None:
    permit = enforcement.active_permit()
    orders = [enforcement.order_standing(permit) for _ in range(2)]
    appealed(orders[0], on=factory.MONDAY)
    at(factory.MONDAY)
    application = permit.application
    for reader in (application.applicant, factory.inspector(), factory.clerk()):
        client = enter(reader)
        client.get("/account/")
        with django_assert_max_num_queries(25):
            page = page_of(client, application)
        assert all(order.number in page.content.decode() for order in orders)


def revise_and_deny(application: Application, on: date) -> None:
    """File another revision of a denied plan, and deny it as well."""
    revision = application.begin_revision()
    for change in revision.changes_to_answer():
        revision.answers.create(change=change, text="Done.")
    acts.file_revision(application, by=application.applicant, on=on)
    changes = [{"section": "plan", "sheet": "", "text": "Show the inlet."}]
    acts.deny(application, by=factory.inspector(), on=on, changes=changes)


def test_many_revisions_ask_no_more(
    enter: Enter, at: Callable[..., Any], django_assert_max_num_queries: Any
) -> None:
    application = factory.denied()
    day = factory.MONDAY
    for _ in range(3):
        day += timedelta(days=1)
        at(day)
        revise_and_deny(application, day)
    client = enter(factory.inspector())
    client.get("/account/")
    with django_assert_max_num_queries(25):
        response = page_of(client, application)
    assert len(response.context["plans"]) == 4
