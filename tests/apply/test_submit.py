"""Check, sign, submit: once, completely, and the number again after Back. § 40-886(b)"""

from __future__ import annotations

import pytest

from permits.models import Application, NotNow
from portal import operations
from portal.models import CouncilValue, NumberCounter
from tests import factory
from tests.apply.page import fields_of, fill, send

SIGNED = {"signed_name": "Mai Vang", "capacity": "Landowner"}


def text(response):
    return response.content.decode()


def test_all_answers_are_shown_once_more_with_a_way_to_each(client, complete):
    page = text(client.get(complete.get_step_url("check")))
    for shown in (
        complete.site.address,
        "Northfield Builders LLC",
        "0.4 acres",
        "450 cubic yards",
        "Silt fence",
        "1 inch = 20 feet",
        "17,424 sq ft",
    ):
        assert shown in page
    for step in ("site", "people", "work", "plan", "acknowledgements"):
        assert complete.get_step_url(step) in page


def test_submitting_gives_a_number_and_leads_to_the_receipt(client, complete):
    filed = fill(client, complete.get_step_url("check"), **SIGNED, title="Member")
    assert (filed.status_code, filed.url) == (303, f"/applications/{complete.key}/receipt/")
    complete.refresh_from_db()
    assert complete.number == "AP-2026-0001"
    assert complete.status == "submitted"
    assert complete.signed_name == "Mai Vang"
    assert complete.signed_capacity == "Landowner, Member"
    assert complete.number in text(client.get(filed.url))


def test_who_signs_for_a_company_signs_in_its_name(client, complete):
    answers = {"signed_name": "Mai Vang", "capacity": "Member or manager of the company"}
    fill(client, complete.get_step_url("check"), **answers)
    complete.refresh_from_db()
    assert complete.signed_capacity == (
        "Member or manager of the company, for Northfield Builders LLC"
    )


def test_the_longest_capacity_stands_whole_in_the_record(client, complete):
    company, title = "C" * 200, "T" * 120
    complete.parties.filter(role="landowner").update(organization=company)
    answers = {**SIGNED, "capacity": "Official of the unit of government", "title": title}
    fill(client, complete.get_step_url("check"), **answers)
    complete.refresh_from_db()
    assert complete.signed_capacity == (
        f"Official of the unit of government, {title}, for {company}"
    )


def test_twenty_clicks_file_one_application(client, complete):
    url = complete.get_step_url("check")
    page = client.get(url)
    answers = {send(client, url, page, **SIGNED).url for _ in range(20)}
    assert len(answers) == 1
    assert NumberCounter.objects.get(series="AP").last == 1
    assert complete.site.events.filter(kind="application.submitted").count() == 1


def test_back_after_submitting_shows_the_number_again(client, complete):
    url = complete.get_step_url("check")
    page = client.get(url)
    send(client, url, page, **SIGNED)
    back = client.get(url)
    assert back.status_code == 303
    assert "submitted already, as AP-2026-0001" in text(client.get(back.url))
    fresh = {**fields_of(page), **SIGNED, operations.FIELD: operations.new_token()}
    again = client.post(url, fresh)
    assert "submitted already, as AP-2026-0001" in text(client.get(again.url))
    assert Application.objects.filter(number__isnull=False).count() == 1


def test_the_first_token_with_another_name_files_nothing_more(client, complete):
    url = complete.get_step_url("check")
    page = client.get(url)
    send(client, url, page, **SIGNED)
    again = send(client, url, page, signed_name="Somebody Else", capacity="Agent")
    assert again.url == complete.get_absolute_url()
    complete.refresh_from_db()
    assert complete.signed_name == "Mai Vang"


def test_what_is_missing_is_listed_with_a_way_to_it_and_nothing_is_filed(client, draft):
    url = draft.get_step_url("check")
    refused = fill(client, url, **SIGNED)
    assert refused.status_code == 409
    page = text(refused)
    assert "<title>Error: " in page
    for step, sentence in (
        ("site", "Say where the site is."),
        ("people", "Name the landowner."),
        ("work", "Describe the work."),
        ("plan", "There is no site drawing yet."),
        ("acknowledgements", "Read and agree to the three acknowledgements."),
    ):
        assert sentence in page
        assert f"{draft.get_step_url(step)}#" in page
    assert fields_of(refused)["signed_name"] == ["Mai Vang"]
    draft.refresh_from_db()
    assert (draft.status, draft.number) == ("draft", None)


def test_mailed_notices_and_the_night_need_an_address_and_a_number(client, complete):
    complete.parties.filter(role="landowner").update(mailing_address="")
    complete.parties.filter(role="emergency").update(telephone="")
    page = text(fill(client, complete.get_step_url("check"), **SIGNED))
    assert "the city&#x27;s mailed notices go there" in page
    assert "Give the telephone number of the 24-hour contact." in page
    assert "#id_landowner-mailing_address" in page


def test_the_same_form_is_taken_once_the_cause_is_cured(client, complete):
    url = complete.get_step_url("check")
    Application.objects.filter(pk=complete.pk).update(entry_allowed=False)
    page = client.get(url)
    assert send(client, url, page, **SIGNED).status_code == 409
    Application.objects.filter(pk=complete.pk).update(entry_allowed=True)
    assert send(client, url, page, **SIGNED).status_code == 303


@pytest.mark.parametrize("answers", [{"signed_name": ""}, {"capacity": ""}, {"capacity": "King"}])
def test_a_signature_needs_name_and_capacity(client, complete, answers):
    page = fill(client, complete.get_step_url("check"), **{**SIGNED, **answers})
    assert page.status_code == 200
    assert "<title>Error: " in text(page)
    complete.refresh_from_db()
    assert complete.status == "draft"


def test_the_fee_page_says_that_the_time_runs_from_the_fee(client, complete):
    page = text(client.get(complete.get_step_url("fee")))
    assert "$25.00" in page
    assert "ten working days start when the fee arrives" in page
    assert "100 Main Street" in page


def test_a_fee_that_the_council_set_is_shown_from_its_day_on(client, complete):
    CouncilValue.objects.create(
        key="fee", value="40.00", effective_on=factory.MONDAY, resolution="R-7"
    )
    assert "$40.00" in text(client.get(complete.get_step_url("fee")))


def test_without_a_fee_the_time_runs_from_submitting(client, complete):
    CouncilValue.objects.create(key="fee", value="0", effective_on=factory.MONDAY, resolution="R-8")
    assert "No fee is due." in text(client.get(complete.get_step_url("fee")))
    fill(client, complete.get_step_url("check"), **SIGNED)
    complete.refresh_from_db()
    assert complete.status == "under_review"


def test_the_wetlands_notice_stands_in_the_words_of_the_statute(client, complete):
    page = text(client.get(complete.get_step_url("acknowledgements")))
    assert "YOU ARE RESPONSIBLE FOR COMPLYING WITH STATE AND FEDERAL LAWS" in page
    assert "Wis. Stat. § 62.232" in page


def test_steps_may_come_in_any_order(client, draft):
    url = draft.get_step_url("acknowledgements")
    agreed = {"wetlands_acknowledged": "on", "entry_allowed": "on", "records_agreed": "on"}
    assert fill(client, url, **agreed).status_code == 303
    draft.refresh_from_db()
    assert draft.entry_allowed is True
    assert draft.steps_done == ["acknowledgements"]


AGENT = {"signed_name": "Eli Stone", "capacity": "Agent"}
NAMED = {
    "agent-name": "Eli Stone",
    "agent-email": "eli@example.test",
    "agent-authorized_by": "Mai Vang",
    "agent-authorized_on": "2026-11-02",
}


def test_an_agent_without_a_written_authorization_cannot_sign(client, complete):
    page = fill(client, complete.get_step_url("check"), **AGENT)
    assert page.status_code == 200
    assert "An agent signs with a written authorization" in text(page)
    assert fields_of(page, "signed_name")["signed_name"] == ["Eli Stone"]
    complete.refresh_from_db()
    assert complete.status == "draft"
    with pytest.raises(NotNow) as refused:
        complete.submit(
            by=complete.applicant,
            on=factory.MONDAY,
            signed_name="Eli Stone",
            signed_capacity="Agent, engineer, for Northfield Builders LLC",
        )
    assert [each.key for each in refused.value.obstacles] == ["authorization"]


@pytest.mark.parametrize("how", ["named", "uploaded"])
def test_an_agent_signs_once_the_authorization_is_named_or_uploaded(client, complete, how):
    if how == "named":
        fill(client, complete.get_step_url("people"), **NAMED)
    else:
        complete.latest_revision().sheets.create(upload=factory.upload(), purpose="authority")
    fill(client, complete.get_step_url("check"), **AGENT)
    complete.refresh_from_db()
    assert complete.status == "submitted"
    assert complete.signed_as_agent


@pytest.mark.parametrize(
    ("answers", "field"),
    [
        ({"agent-authorized_on": ""}, "authorized_on"),
        ({"agent-authorized_by": ""}, "authorized_by"),
        ({"agent-authorized_on": "2026-11-17"}, "authorized_on"),
    ],
)
def test_an_authorization_has_a_giver_and_a_day_that_has_come(client, complete, answers, field):
    page = fill(client, complete.get_step_url("people"), **{**NAMED, **answers})
    agent = page.context["answers"].forms[-1]
    assert list(agent.errors) == [field]
