"""The desk: late, today, this week, waiting for others, opened; each role's own first."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from permits.models import Application, DocketEntry
from portal.desk.desk import SHOWN
from portal.desk.lengths import MANY
from portal.models import Closure, OutboxMessage
from tests import factory

pytestmark = pytest.mark.django_db

TENTH = date(2026, 12, 1)  # ten working days after Monday, November 16; Thanksgiving between


def sections(response: Any) -> dict[str, list[str]]:
    """Return the titles of each list that the desk shows."""
    return {each.key: [row.title for row in each.rows] for each in response.context["sections"]}


@pytest.fixture
def inspector(enter: Callable[..., Client]) -> Client:
    return enter(factory.inspector())


@pytest.fixture
def clerk(enter: Callable[..., Client]) -> Client:
    return enter(factory.clerk())


# When a date stands where -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "clock", "list_", "word"),
    [
        pytest.param("2026-11-23", "09:00", None, "", id="eight days before it is not shown yet"),
        pytest.param("2026-11-24", "09:00", "week", "due Dec 1", id="seven days before"),
        pytest.param("2026-11-30", "09:00", "week", "due Dec 1", id="the day before"),
        pytest.param("2026-12-01", "00:01", "today", "due today", id="its first minute"),
        pytest.param("2026-12-01", "23:59", "today", "due today", id="its last minute"),
        pytest.param("2026-12-02", "00:01", "late", "late since Dec 2", id="the day after"),
    ],
)
def test_a_decision_stands_where_its_date_is(
    inspector: Client, at: Callable[..., Any], day: str, clock: str, list_: str | None, word: str
) -> None:
    application = factory.received()
    at(day, clock)
    response = inspector.get("/desk/")
    title = f"Decide application {application.number}"
    found = [key for key, titles in sections(response).items() if title in titles]
    assert found == ([list_] if list_ else [])
    if list_:
        row = response.context["sections"][0].rows[0]
        assert (row.word, row.day, row.late) == (word, TENTH, list_ == "late")


def test_a_late_decision_says_that_nothing_is_deemed_granted(
    inspector: Client, at: Callable[..., Any]
) -> None:
    factory.received()
    at("2026-12-02")
    page = inspector.get("/desk/").content.decode()
    assert "Nothing is deemed granted" in page
    assert "One is late." in page


def test_every_date_opens_into_its_count(inspector: Client, at: Callable[..., Any]) -> None:
    factory.received()
    factory.revised()
    at("2026-12-01")
    page = inspector.get("/desk/").content.decode()
    assert page.count('<details class="date">') == 2
    assert "Received Monday, November 16, 2026" in page
    assert "Thanksgiving Day, a legal holiday" in page
    assert "/law/permit/" in page


def test_a_right_to_appeal_is_never_late(inspector: Client, at: Callable[..., Any]) -> None:
    factory.denied()
    at("2027-03-01")
    for who in ("city", "holder", "all", "aggrieved"):
        response = inspector.get("/desk/", {"who": who})
        assert "late" not in sections(response)
        assert not inspector.get("/desk/", {"who": who, "list": "late"}).context["rows"]


def test_what_the_permittee_owes_is_one_filter_away(
    inspector: Client, at: Callable[..., Any]
) -> None:
    application = factory.issued()
    at(application.permit.permanent_controls_by + timedelta(days=1))
    assert "late" not in sections(inspector.get("/desk/"))
    late = sections(inspector.get("/desk/", {"who": "holder"}))["late"]
    assert late == [f"Permanent cover due, permit {application.permit.number}"]


def waiting_period(application: Application, on: date) -> DocketEntry:
    """A waiting period as a later act enters it."""
    return DocketEntry.objects.create(
        site=application.site,
        subject=application,
        title="Notice of intent to perform work may be issued",
        rule="notice-of-intent",
        kind="waiting",
        bound="city",
        started_on=on - timedelta(days=10),
        on=on,
        safe_on=on,
    )


def test_a_waiting_period_appears_on_the_day_it_opens(
    inspector: Client, at: Callable[..., Any]
) -> None:
    waiting_period(factory.submitted(), date(2026, 11, 26))
    at("2026-11-25")
    assert "opened" not in sections(inspector.get("/desk/"))
    at("2026-11-26")
    response = inspector.get("/desk/")
    assert sections(response)["opened"] == ["Notice of intent to perform work may be issued"]
    assert "one step is open to the city" in response.content.decode().lower()


# Who sees what first ----------------------------------------------------------------------


def test_the_inspector_sees_decisions_first_and_others_as_numbers(
    inspector: Client, at: Callable[..., Any]
) -> None:
    factory.received()
    factory.submitted()
    factory.denied()
    factory.granted()
    at("2026-12-01")
    response = inspector.get("/desk/")
    assert list(sections(response)) == ["today"]
    numbers = {key: count for key, _heading, count in response.context["tallies"]}
    assert numbers == {"later": "0", "fee": "1", "escrow": "1", "lapsing": "0", "revision": "1"}


def test_the_clerk_sees_fees_and_escrow_first(clerk: Client) -> None:
    submitted = factory.submitted()
    granted = factory.granted()
    posted = factory.posted()
    response = clerk.get("/desk/")
    assert sections(response) == {
        "fee": [f"Fee of $25.00 for {submitted.number}"],
        "escrow": [f"Escrow of $2,500.00 for {granted.number}"],
        "issue": [f"Issue the permit for {posted.number}"],
    }
    acts = [row.act for each in response.context["sections"] for row in each.rows]
    assert acts == ["Take the fee", "Post the escrow", "Issue the permit"]


def test_the_clerk_sees_the_closures_ahead(clerk: Client, inspector: Client) -> None:
    Closure.objects.create(day=date(2026, 11, 27), name="Day after", resolution="2026-1")
    Closure.objects.create(day=date(2026, 11, 2), name="Long past", resolution="2026-1")
    page = clerk.get("/desk/").content.decode()
    assert "Friday, November 27, 2026: Day after" in page
    assert "Long past" not in page
    assert "/calendar/closures/add/" in page
    assert "City hall is closed" not in inspector.get("/desk/").content.decode()


def test_only_whose_act_it_is_gets_its_button(enter: Callable[..., Client]) -> None:
    factory.submitted()
    administrator = enter(factory.administrator())
    response = administrator.get("/desk/", {"list": "fee"})
    assert [row.act for row in response.context["rows"]] == ["Open the case"]


def test_a_denied_plan_waits_since_its_denial(inspector: Client, at: Callable[..., Any]) -> None:
    application = factory.denied()
    at("2026-11-20")
    row = inspector.get("/desk/", {"list": "revision"}).context["rows"][0]
    assert (row.title, row.word) == (
        f"Plan revision of {application.number}, by the applicant",
        "since Nov 16",
    )


def test_an_empty_desk_says_so(inspector: Client) -> None:
    page = inspector.get("/desk/").content.decode()
    assert "Nothing is due or waiting." in page


# Filters, search, pages -------------------------------------------------------------------


def test_the_desk_is_narrowed_to_a_rule_and_a_site(
    inspector: Client, at: Callable[..., Any]
) -> None:
    first, second = factory.received(), factory.revised()
    at("2026-12-01")
    by_rule = sections(inspector.get("/desk/", {"rule": "revision-review"}))
    assert by_rule == {"today": [f"Review plan revision 2 of {second.number}"]}
    by_site = sections(inspector.get("/desk/", {"q": first.site.address}))
    assert by_site == {"today": [f"Decide application {first.number}"]}
    assert sections(inspector.get("/desk/", {"q": first.number})) == by_site


def many_late(count: int) -> None:
    """Enter many late decisions of one site."""
    application = factory.received()
    entry = DocketEntry.objects.get()
    day = date(2026, 11, 1)
    facts = {"rule": "decision", "kind": "deadline", "bound": "inspector"}
    DocketEntry.objects.bulk_create(
        DocketEntry(
            site=application.site,
            subject_type=entry.subject_type,
            subject_pk=1000 + n,
            title=f"Entry {n}",
            started_on=date(2026, 10, 1),
            on=day,
            safe_on=day,
            **facts,
        )
        for n in range(count)
    )


def test_lists_come_in_pages_of_25(inspector: Client, at: Callable[..., Any]) -> None:
    many_late(30)
    at("2026-11-20")
    whole = inspector.get("/desk/")
    late = whole.context["sections"][0]
    assert (late.key, len(late.rows), late.count, late.more) == ("late", SHOWN, "30", True)
    first = inspector.get("/desk/", {"list": "late"})
    second = inspector.get("/desk/", {"list": "late", "page": "2"})
    assert (len(first.context["rows"]), len(second.context["rows"])) == (25, 5)


def test_a_large_number_is_not_counted_to_its_end(inspector: Client) -> None:
    many_late(MANY + 20)
    response = inspector.get("/desk/")
    assert response.context["sections"][0].count == "100+"
    assert "More than a hundred are late" in response.content.decode()


GARBAGE = ["1 OR 1=1", "'; DROP TABLE", "\x00", "x" * 10_000, "-1", "９", "late\u2028", "%00"]


@pytest.mark.parametrize("path", ["/desk/", "/cases/", "/look-up/", "/law/", "/home/"])
def test_nonsense_in_the_address_does_no_harm(enter: Callable[..., Client], path: str) -> None:
    client = enter(factory.inspector())
    names = ("list", "who", "rule", "q", "page", "status", "sort", "day", "status__in")
    for name in (*names, "_connector"):
        for text in GARBAGE:
            assert client.get(path, {name: text}).status_code in (200, 302), (path, name, text)


@pytest.mark.parametrize("name", ["case", "public_site", "feed", "visits", "permit_close"])
def test_an_address_with_a_nul_leads_nowhere(enter: Callable[..., Client], name: str) -> None:
    client = enter(factory.inspector())
    assert client.get(reverse(name, args=["S-1"]).replace("S-1", "%00")).status_code == 404


# Mail that waits --------------------------------------------------------------------------


def test_mail_that_could_not_be_sent_is_shown(inspector: Client) -> None:
    application = factory.submitted()
    OutboxMessage.objects.update(sent_at=None, attempts=0)
    assert "could not be sent" not in inspector.get("/desk/").content.decode()
    mail = OutboxMessage.objects.first()
    OutboxMessage.objects.filter(pk=mail.pk).update(attempts=3, last_error="Connection refused")
    page = inspector.get("/desk/").content.decode()
    assert "E-mail that could not be sent" in page
    assert mail.recipient in page
    assert f"/cases/{application.site.number}/" in page
    assert "Tried 3 times" in page


# Cost -------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["inspector", "clerk", "administrator"])
def test_the_desk_asks_at_most_25_times(
    enter: Callable[..., Client],
    at: Callable[..., Any],
    django_assert_max_num_queries: Any,
    role: str,
) -> None:
    for state in ("received", "revised", "granted", "posted", "submitted", "denied", "issued"):
        factory.STATES[state]()
        factory.STATES[state]()
    client = enter(getattr(factory, role)())
    for day in ("2026-12-01", "2026-12-02", "2027-12-01"):
        at(day)
        client.get("/account/")
        for query in ("", "?who=all", "?q=prairie", "?list=late", "?list=fee", "?list=revision"):
            with django_assert_max_num_queries(25):
                assert client.get(f"/desk/{query}").status_code == 200
