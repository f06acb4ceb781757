"""Do I need a permit? Asked by anybody, answered with reasons. § 40-886(a), (d), § 40-887"""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from permits.models import Application
from tests.apply.page import fields_of

ALL = {
    "area_amount": "17,424",
    "area_unit": "sq_ft",
    "volume_amount": "2,700",
    "volume_unit": "cu_ft",
    "street_work": "no",
    "pipe_ft": "120",
    "dewatering": "no",
    "agriculture": "no",
    "state_project": "no",
    "building": "dwelling",
}

pytestmark = pytest.mark.usefixtures("db", "today")


@pytest.fixture
def anybody() -> Client:
    return Client()


def ask(client, follow=True, **answers):
    return client.get("/check/", {**ALL, **answers}, follow=follow)


def text(response):
    return response.content.decode()


def test_the_answer_has_its_reasons_met_and_not_met_with_their_sections(anybody):
    page = text(ask(anybody))
    assert "<h1>This work needs an erosion control permit before it begins.</h1>" in page
    assert "17,424 square feet reaches the limit of 4,000 square feet" in page
    assert "100 cubic yards stays below the limit of 400 cubic yards" in page
    assert "§ 40-887(1)" in page
    assert "§ 40-886(d)(1)" in page
    assert "SPS 321.125" in page  # a house on less than an acre


@pytest.mark.parametrize(
    ("answers", "needed"),
    [
        ({"area_amount": "3,999"}, False),
        ({"area_amount": "4,000"}, True),
        ({"area_amount": "0.092", "area_unit": "acres"}, True),
        ({"area_amount": "1", "volume_amount": "400", "volume_unit": "cu_yd"}, True),
        ({"area_amount": "1", "volume_amount": "10,799", "volume_unit": "cu_ft"}, False),
        ({"area_amount": "1", "pipe_ft": "300"}, True),
        ({"area_amount": "1", "dewatering": "yes"}, True),
        ({"area_amount": "1", "street_work": "yes"}, True),
        ({"agriculture": "yes"}, False),
        ({"state_project": "yes", "state_plan_required": "yes"}, False),
        ({"state_project": "yes", "state_plan_required": "no"}, True),
    ],
)
def test_the_limits_count_in_the_units_that_people_know(anybody, answers, needed):
    sentence = "needs an erosion control permit" if needed else "needs no erosion control permit"
    assert sentence in text(ask(anybody, **answers))


def test_an_open_question_is_named_and_leads_back_to_itself(anybody):
    page = text(anybody.get("/check/", {"area_amount": "900", "area_unit": "sq_ft"}, follow=True))
    assert "We cannot tell yet" in page
    assert "change=1#div_id_street_work" in page


def test_the_answer_stands_in_the_address_so_that_back_and_bookmarks_work(anybody):
    answered = ask(anybody)
    url = answered.redirect_chain[-1][0]
    assert text(anybody.get(url)).count("reaches the limit") == 1
    change = text(anybody.get(f"/check/?{urlsplit(url).query}&change=1"))
    assert 'value="17,424"' in change
    assert not anybody.cookies.get("sessionid")


def test_a_number_that_is_none_is_asked_again_and_kept_on_the_page(anybody):
    page = text(ask(anybody, area_amount="about half"))
    assert "<title>Error: " in page
    assert "Write a number, such as 0.4 acre or 17,424 square feet." in page
    assert 'value="about half"' in page


def test_nothing_at_all_says_nothing(anybody):
    assert "Answer at least one question." in text(anybody.get("/check/", {"area_unit": "acres"}))
    assert anybody.get("/check/answer/").url == "/check/"


def test_the_answer_can_be_printed_as_page_and_as_paper(anybody):
    page = anybody.get("/check/determination/", ALL)
    assert "Is an erosion control permit needed?" in text(page)
    assert "17,424 square feet" in text(page)
    paper = anybody.get("/check/determination/", {**ALL, "paper": "pdf"})
    assert paper["Content-Type"] == "application/pdf"
    assert paper.content.startswith(b"%PDF-")


def test_one_button_carries_the_answers_into_an_application(anybody, vang):
    data = fields_of(ask(anybody), "answers")
    kept = anybody.post("/apply/", data)
    assert kept.url == "/apply/"
    assert "Sign in and begin" in text(anybody.get("/apply/"))
    assert Application.objects.count() == 0

    anybody.force_login(vang)
    page = anybody.get("/apply/")
    assert "Your answers come along" in text(page)
    assert anybody.post("/apply/", fields_of(page)).status_code == 303
    application = Application.objects.get()
    assert (application.area_sq_ft, application.volume_cu_yd) == (17424, 100)
    assert application.street_work is False
    assert application.building == "dwelling"


def test_who_is_signed_in_begins_with_one_click(client):
    begun = client.post("/apply/", fields_of(ask(client), "answers"))
    application = Application.objects.get()
    assert begun.url == application.get_step_url("site")
    assert application.pipe_ft == 120


@pytest.mark.parametrize("typed", ["<script>alert(1)</script>", "\x00", "1e309", "9" * 5000, "−5"])
def test_nonsense_in_the_address_is_an_ordinary_page(anybody, typed):
    for path in ("/check/", "/check/answer/", "/check/determination/"):
        answer = anybody.get(path, {**ALL, "area_amount": typed, "building": typed}, follow=True)
        assert answer.status_code == 200
        assert "<script>alert" not in text(answer)


def test_the_query_holds_what_was_typed_and_nothing_else(anybody):
    answered = ask(anybody, evil="1", volume_amount="")
    query = parse_qs(urlsplit(answered.redirect_chain[-1][0]).query)
    assert "evil" not in query
    assert "volume_unit" not in query
    assert query["area_amount"] == ["17,424"]
