"""After a denial: each required change is answered in a new plan revision. § 40-886(c)"""

from __future__ import annotations

import pytest
from django.test import Client

from permits.models import Application, ChangeAnswer
from tests import factory
from tests.apply.page import fields_of, fill, send


def text(response):
    return response.content.decode()


@pytest.fixture
def denied(vang) -> Application:
    return factory.denied(vang)


@pytest.fixture
def url(denied) -> str:
    return f"/applications/{denied.key}/revise/"


@pytest.fixture
def begun(client, denied, url) -> Application:
    client.post(url, {"begin": "yes"})
    return denied


def test_the_required_changes_are_shown_with_section_and_sheet(client, denied, url):
    page = text(client.get(url))
    assert "Show the inlet east of the drive." in page
    assert "Sheet C-1" in page
    assert "§ 40-939" in page
    assert "board of zoning appeals" in page
    assert denied.revisions.count() == 1  # looking begins nothing


def test_the_revision_begins_as_a_copy_however_often_it_is_begun(client, denied, url):
    for _ in range(3):
        assert client.post(url, {"begin": "yes"}).url == url
    first, second = denied.revisions.all()
    assert second.drawing_scale == first.drawing_scale
    assert second.sheets.count() == first.sheets.count()
    assert (first.filed_on is not None, second.filed_on) == (True, None)


def test_answers_are_kept_as_they_come_and_can_be_emptied_again(client, begun, url):
    assert fill(client, url, answer_1="Shown on C-1.").status_code == 303
    assert ChangeAnswer.objects.get().text == "Shown on C-1."
    assert fields_of(client.get(url))["answer_1"] == ["Shown on C-1."]
    fill(client, url, answer_1="")
    assert not ChangeAnswer.objects.exists()


def test_the_plan_is_revised_and_the_filed_one_stays(client, begun):
    plan = begun.get_step_url("plan")
    saved = fill(client, plan, drawing_scale="1 inch = 10 feet", **{"devices-0-place": "All lines"})
    assert saved.url == f"/applications/{begun.key}/revise/file/"
    first, second = begun.revisions.all()
    assert (first.drawing_scale, second.drawing_scale) == ("1 inch = 20 feet", "1 inch = 10 feet")
    assert (first.devices.first().place, second.devices.first().place) == (
        "North and east lines",
        "All lines",
    )
    old = text(client.get(f"/applications/{begun.key}/plan/1/"))
    assert "1 inch = 20 feet" in old
    assert "North and east lines" in old


def test_only_the_plan_may_be_written_during_a_revision(client, begun):
    for step in ("site", "people", "work", "acknowledgements", "check"):
        assert client.get(begun.get_step_url(step)).url == begun.get_absolute_url()


def test_a_change_without_an_answer_is_named_and_nothing_is_filed(client, begun, url):
    fill(client, url, answer_1="Shown on C-1.")
    page = text(client.get(f"{url}file/"))
    assert "Say what was done about required change 2." in page
    refused = fill(client, f"{url}file/")
    assert refused.status_code == 409
    begun.refresh_from_db()
    assert begun.status == "denied"


def test_filing_needs_no_fee_and_shows_the_city_s_promise_with_its_count(client, begun, url):
    fill(client, url, answer_1="Shown.", answer_2="Given.", summary_of_changes="Two lines.")
    page = text(client.get(f"{url}file/"))
    assert "Tuesday, December 1, 2026" in page
    assert "the city&#x27;s own promise" in page or "the city's own promise" in page
    filed = fill(client, f"{url}file/")
    assert (filed.status_code, filed.url) == (303, begun.get_absolute_url())
    begun.refresh_from_db()
    assert begun.status == "under_review"
    revision = begun.latest_revision()
    assert (revision.number, revision.filed_on) == (2, factory.MONDAY)
    assert revision.summary_of_changes == "Two lines."


def test_twenty_clicks_file_one_revision(client, begun, url):
    fill(client, url, answer_1="Shown.", answer_2="Given.")
    page = client.get(f"{url}file/")
    assert len({send(client, f"{url}file/", page).url for _ in range(20)}) == 1
    assert begun.site.events.filter(kind="revision.filed").count() == 1
    assert client.get(f"{url}file/").status_code == 303
    assert "before the inspector" in text(client.get(client.get(url).url))


def test_two_windows_do_not_overwrite_an_answer(client, begun, url):
    first, second = client.get(url), client.get(url)
    send(client, url, first, answer_1="Moved.")
    refused = send(client, url, second, answer_1="Left.")
    assert refused.status_code == 409
    assert "Moved." in text(refused)
    assert ChangeAnswer.objects.get().text == "Moved."


@pytest.mark.parametrize("state", ["draft", "submitted", "received", "granted", "withdrawn"])
def test_only_a_denied_application_is_revised(client, vang, state):
    application = factory.STATES[state](vang)
    for path in ("revise/", "revise/file/"):
        url = f"/applications/{application.key}/{path}"
        assert client.get(url, follow=True).redirect_chain[-1][0] == application.get_absolute_url()
        assert client.post(url).status_code in (302, 303)
    assert application.revisions.count() == 1


def test_strangers_get_404_and_staff_may_read_a_filed_plan(begun, url):
    stranger, staff = Client(), Client()
    stranger.force_login(factory.applicant("Another"))
    staff.force_login(factory.inspector())
    for other in (stranger, staff):
        assert other.get(url).status_code == 404
        assert other.post(url).status_code == 404
        assert other.post(f"{url}file/").status_code == 404
    assert stranger.get(f"/applications/{begun.key}/plan/1/").status_code == 404
    assert staff.get(f"/applications/{begun.key}/plan/1/").status_code == 200
    assert staff.get(f"/applications/{begun.key}/plan/2/").status_code == 404  # being written
