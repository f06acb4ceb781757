"""Beginning an application: once, however often the button is pressed. § 40-886(b)"""

from __future__ import annotations

import pytest
from django.test import Client

from permits.models import Application
from portal import operations
from tests import factory
from tests.apply.page import fields_of, fill


def text(response):
    return response.content.decode()


def test_anybody_reads_what_it_takes_and_signs_in_to_begin(db, today):
    page = text(Client().get("/apply/"))
    assert "$25.00" in page
    assert "Monday, November 30, 2026" not in page  # Thanksgiving is skipped
    assert "Tuesday, December 1, 2026" in page
    assert "/accounts/login/?next=/apply/" in page


def test_begin_leads_to_the_first_step(client):
    begun = fill(client, "/apply/")
    application = Application.objects.get()
    assert (begun.status_code, begun.url) == (303, application.get_step_url("site"))
    assert application.site.events.get().kind == "application.begun"


def test_twenty_clicks_begin_one_application(client):
    data = fields_of(client.get("/apply/"))
    answers = {client.post("/apply/", data).url for _ in range(20)}
    assert len(answers) == 1
    assert Application.objects.count() == 1


def test_a_second_one_within_a_minute_is_offered_the_first(client, at):
    fill(client, "/apply/")
    first = Application.objects.get()
    again = fill(client, "/apply/")
    assert again.status_code == 409
    assert "You began an application a moment ago" in text(again)
    assert first.get_step_url("site") in text(again)
    assert Application.objects.count() == 1
    another = client.post("/apply/", fields_of(again))  # the person insists
    assert another.status_code == 303
    assert Application.objects.count() == 2


def test_a_minute_later_or_with_an_answer_it_is_another_application(client, at):
    at(factory.MONDAY, "12:00")
    fill(client, "/apply/")
    at(factory.MONDAY, "12:02")
    assert fill(client, "/apply/").status_code == 303
    assert Application.objects.count() == 2


def test_who_works_for_the_city_does_not_apply(db, today):
    staff = Client()
    staff.force_login(factory.inspector())
    page = staff.get("/apply/")
    assert "from an applicant&#x27;s own account" in text(page).replace("'", "&#x27;")
    assert staff.post("/apply/", {operations.FIELD: operations.new_token()}).status_code == 404
    assert Application.objects.count() == 0


def test_what_is_being_written_is_shown_before_another_is_begun(client, draft):
    assert draft.get_step_url("check") in text(client.get("/apply/"))


@pytest.mark.parametrize("extra", [{"status": "granted", "number": "AP-1", "applicant": "1"}])
def test_extra_fields_are_ignored(client, extra):
    fill(client, "/apply/", **extra)
    application = Application.objects.get()
    assert (application.status, application.number) == ("draft", None)
