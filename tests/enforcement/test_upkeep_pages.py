"""The pages of upkeep: what each person sees, what is refused, and what a page costs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from enforcement.models import UpkeepNotice
from inspections.acts import upkeep as acts
from inspections.models import PracticeLook, UpkeepReport
from permits.models import DocketEntry, MaintenanceAgreement
from tests import factory as people
from tests import upkeep as made
from tests.review.pages import fields_of, text_of

from .factory import active_permit, inspector

pytestmark = pytest.mark.django_db

TODAY = date(2026, 9, 1)
MOST = 25


@pytest.fixture(autouse=True)
def on_today(at: Callable[..., Any]) -> None:
    at(TODAY)


@pytest.fixture
def agreement() -> MaintenanceAgreement:
    return made.agreement(active_permit(issued_on=date(2025, 10, 6)).site)


@pytest.fixture
def as_holder(agreement: MaintenanceAgreement) -> Client:
    client = Client()
    assert agreement.permit is not None
    client.force_login(agreement.permit.application.applicant)
    return client


def queries(client: Client, address: str) -> int:
    """The queries of a page, once what is read only once per process is known."""
    client.get(address)
    with CaptureQueriesContext(connection) as seen:
        assert client.get(address).status_code == 200
    return len(seen)


def send(client: Client, page: str, **answers: str) -> Any:
    return client.post(page, fields_of(client.get(page)) | answers)


# What a page says -------------------------------------------------------------------------


def test_the_year_says_what_passed_and_when_the_city_looks(
    as_inspector: Client, agreement: MaintenanceAgreement
) -> None:
    words = text_of(as_inspector.get("/upkeep/"))
    assert "Sunday, July 12, 2026: Clean the outlet" in words
    assert "not reported" in words
    assert "since Monday, July 27, 2026" in words
    assert "No agreement in force fits." in text_of(as_inspector.get("/upkeep/?q=nowhere"))


def test_nothing_in_force_says_what_to_do(as_inspector: Client) -> None:
    assert "No maintenance agreement is in force." in text_of(as_inspector.get("/upkeep/"))
    assert "There is no notice here." in text_of(as_inspector.get("/maintenance-notices/"))


def test_the_holder_sees_an_inspection_only_once_it_is_finished(
    as_holder: Client, agreement: MaintenanceAgreement
) -> None:
    begun = acts.begin(agreement, by=inspector(), on=TODAY)
    assert as_holder.get(begun.get_absolute_url()).status_code == 404
    done = made.inspected(agreement, on=TODAY)
    assert "1 practice with a problem." in text_of(as_holder.get(done.get_absolute_url()))


def test_a_stranger_finds_nothing(agreement: MaintenanceAgreement, client: Client) -> None:
    client.force_login(people.applicant("Tom Reyes"))
    notice = made.notice(made.inspected(agreement, on=TODAY), on=TODAY)
    for address in (
        reverse("upkeep", args=[agreement.key]),
        notice.get_absolute_url(),
        notice.inspection.get_absolute_url(),
        reverse("upkeep_corrected", args=[notice.key]),
    ):
        assert client.get(address).status_code == 404, address


# What is refused --------------------------------------------------------------------------


def test_a_report_sent_twice_is_one_and_a_coming_day_keeps_what_was_typed(
    as_holder: Client, agreement: MaintenanceAgreement
) -> None:
    task = agreement.practices.get(number=1).tasks.get()
    page = reverse("upkeep_report", args=[agreement.key, task.pk])
    shown = send(as_holder, page, done_on="2026-09-02", what="Outlet cleaned.")
    assert shown.status_code == 200
    assert "Outlet cleaned." in text_of(shown)
    fields = fields_of(shown) | {"done_on": "2026-08-31", "what": "Outlet cleaned."}
    for _ in range(2):
        assert as_holder.post(page, fields).status_code == 303
    assert UpkeepReport.objects.count() == 1


def test_a_problem_without_words_is_asked_again(
    as_inspector: Client, agreement: MaintenanceAgreement
) -> None:
    begun = acts.begin(agreement, by=inspector(), on=TODAY)
    page = reverse("upkeep_look", args=[begun.key, 1])
    shown = send(as_inspector, page, result="problem", correction="Cut the reeds.")
    assert "Say what the problem is." in text_of(shown)
    assert "Cut the reeds." in text_of(shown)
    assert not PracticeLook.objects.exists()


def test_an_inspection_that_is_not_whole_names_each_practice_and_leads_to_it(
    as_inspector: Client, agreement: MaintenanceAgreement
) -> None:
    begun = acts.begin(agreement, by=inspector(), on=TODAY)
    shown = as_inspector.get(reverse("upkeep_finish", args=[begun.key]))
    assert "Nobody has written how this one is: Wet basin" in text_of(shown)
    assert reverse("upkeep_look", args=[begun.key, 2]) in shown.content.decode()


def test_a_notice_without_a_day_is_asked_again_and_with_one_is_shown_first(
    as_inspector: Client, agreement: MaintenanceAgreement
) -> None:
    found = made.inspected(agreement, on=TODAY)
    page = reverse("upkeep_notice_new", args=[found.key])
    shown = send(as_inspector, page, step="check", correct_by="2026-09-01")
    assert "Choose a day after today" in text_of(shown)
    shown = send(as_inspector, page, step="check", correct_by="2026-09-28")
    assert "Give this notice of maintenance?" in text_of(shown)
    assert "Tuesday, September 29, 2026" in text_of(shown)
    assert not UpkeepNotice.objects.exists()
    fields = fields_of(shown) | {"step": "confirm"}
    for _ in range(2):
        assert as_inspector.post(page, fields).status_code == 303
    assert UpkeepNotice.objects.count() == 1
    assert DocketEntry.objects.filter(rule="upkeep-correction").count() == 1


def test_a_page_that_went_stale_says_why_and_does_nothing(
    as_inspector: Client, agreement: MaintenanceAgreement
) -> None:
    notice = made.notice(made.inspected(agreement, on=TODAY), on=TODAY)
    page = reverse("upkeep_extend", args=[notice.key])
    fields = fields_of(as_inspector.get(page))
    send(as_inspector, reverse("upkeep_withdraw", args=[notice.key]), step="confirm", why="Error.")
    late = as_inspector.post(page, fields | {"until": "2026-12-01", "reason": "Rain."})
    assert late.status_code == 409
    assert f"Notice {notice} is closed: withdrawn." in text_of(late)
    assert not notice.extensions.exists()


# What a page costs ------------------------------------------------------------------------


def test_every_page_keeps_to_the_bound_however_much_there_is(
    as_inspector: Client, as_holder: Client, agreement: MaintenanceAgreement
) -> None:
    notice = made.notice(made.inspected(agreement, on=TODAY), on=TODAY)
    holder = agreement.site.applications.get().applicant
    for _ in range(3):
        more = made.agreement(active_permit(issued_on=date(2025, 10, 6), by=holder).site)
        made.notice(made.inspected(more, on=TODAY, problems=(1, 2)), on=TODAY)
    later = [reverse("upkeep", args=[agreement.key]), notice.get_absolute_url()]
    for client, address in (
        (as_inspector, "/upkeep/"),
        (as_inspector, "/maintenance-notices/"),
        (as_inspector, "/desk/"),
        (as_inspector, "/round/"),
        (as_inspector, agreement.site.get_absolute_url()),
        (as_inspector, notice.inspection.get_absolute_url()),
        *((as_inspector, each) for each in later),
        *((as_holder, each) for each in later),
        (as_holder, "/home/"),
        (as_holder, agreement.site.get_absolute_url()),
    ):
        assert queries(client, address) <= MOST, address


def test_a_list_of_notices_costs_the_same_for_one_and_for_many(
    as_inspector: Client, agreement: MaintenanceAgreement
) -> None:
    made.notice(made.inspected(agreement, on=TODAY), on=TODAY)
    pages = ("/maintenance-notices/", "/upkeep/", "/desk/?when=week")
    as_inspector.get("/desk/")
    one = [queries(as_inspector, page) for page in pages]
    for _ in range(4):
        more = made.agreement(active_permit(issued_on=date(2025, 10, 6)).site)
        made.notice(made.inspected(more, on=TODAY), on=TODAY, correct_by=TODAY + timedelta(20))
    assert [queries(as_inspector, page) for page in pages] == one
