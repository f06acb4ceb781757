"""The steps save themselves: what is valid is kept, what is not stays on the page."""

from __future__ import annotations

import csv
from datetime import date
from decimal import Decimal

import pytest
from django.test import Client

from permits.models import STEPS, Application, Site
from portal.models import CouncilValue
from tests import factory
from tests.apply.page import fields_of, fill, send


def text(response):
    return response.content.decode()


def site_of(application: Application) -> Site:
    return Site.objects.get(pk=application.site_id)


def test_each_page_shows_the_seven_steps_and_when_the_city_decides(
    client, complete, django_assert_max_num_queries
):
    for number, step in enumerate(STEPS, start=1):
        with django_assert_max_num_queries(25):
            page = text(client.get(complete.get_step_url(step)))
        assert f"step {number} of 7" in page
        assert page.count('aria-current="step"') == 1
        assert "Tuesday, December 1, 2026" in page
        assert "§ 40-886(c)" in page


def test_saving_leads_to_the_next_step_and_says_what_is_still_open(client, draft):
    saved = fill(client, draft.get_step_url("site"), address="0 County Road MM")
    assert (saved.status_code, saved.url) == (303, draft.get_step_url("people"))
    page = text(client.get(saved.url))
    assert "Still open there: Give at least one parcel number." in page
    assert site_of(draft).address == "0 County Road MM"


def test_an_answer_in_part_is_kept_and_can_wait(client, draft):
    later = fill(client, draft.get_step_url("work"), description="Dig a pond.", then="later")
    assert later.status_code == 303
    assert "waits for you" in text(client.get(later.url))
    draft.refresh_from_db()
    assert draft.description == "Dig a pond."


def test_valid_answers_are_kept_beside_an_invalid_one_that_stays_as_typed(client, draft):
    page = fill(
        client,
        draft.get_step_url("work"),
        description="Dig a pond.",
        area_amount="about half",
        starts_on="31/12/2026",
        pipe_ft="120",
    )
    assert page.status_code == 200
    shown = text(page)
    assert "<title>Error: " in shown
    assert 'value="about half"' in shown
    assert 'value="31/12/2026"' in shown
    assert 'aria-invalid="true"' in shown
    draft.refresh_from_db()
    assert (draft.description, draft.pipe_ft) == ("Dig a pond.", 120)
    assert (draft.area_amount, draft.starts_on) == (None, None)
    assert "work" not in draft.steps_done


def test_numbers_and_units_are_kept_as_decimals(client, draft):
    fill(client, draft.get_step_url("work"), area_amount="17,424 sq ft", controls_cost="$4,500.50")
    draft.refresh_from_db()
    assert (draft.area_amount, draft.area_unit) == (Decimal("17424"), "sq_ft")
    assert draft.controls_cost == Decimal("4500.50")


@pytest.mark.parametrize(
    ("start", "end", "kept"),
    [
        ("2026-12-01", "2026-11-30", (None, None)),
        ("2026-12-01", "2026-12-01", (date(2026, 12, 1), date(2026, 12, 1))),
        ("2026-12-01", "2062-12-01", (date(2026, 12, 1), None)),
        ("12/1/2026", "", (date(2026, 12, 1), None)),
    ],
)
def test_an_end_before_the_start_is_asked_again(client, draft, start, end, kept):
    fill(client, draft.get_step_url("work"), starts_on=start, ends_on=end)
    draft.refresh_from_db()
    assert (draft.starts_on, draft.ends_on) == kept


def test_a_new_start_after_the_end_on_record_breaks_nothing(client, complete):
    before = complete.starts_on
    page = fill(client, complete.get_step_url("work"), starts_on="2028-01-01", ends_on="soon")
    assert page.status_code == 200
    complete.refresh_from_db()
    assert complete.starts_on == before


def test_the_determination_is_shown_once_the_size_is_known(client, complete):
    page = text(client.get(complete.get_step_url("work")))
    assert "17,424 square feet reaches the limit" in page
    assert "less than one acre, one-family or two-family dwelling" in page


def test_yes_no_and_choices_come_back_as_they_were_given(client, draft):
    url = draft.get_step_url("work")
    fill(client, url, dewatering="yes", street_work="no", activities=["grading", "pipe"])
    draft.refresh_from_db()
    assert (draft.dewatering, draft.street_work) == (True, False)
    assert draft.activities == ["grading", "pipe"]
    shown = fields_of(client.get(url))
    assert shown["dewatering"] == ["yes"]
    assert shown["activities"] == ["grading", "pipe"]


# Places and parcels as they are really written ------------------------------------------


def test_every_address_is_taken_as_typed_and_found_again(client, draft, cases):
    url = draft.get_step_url("site")
    with (cases / "addresses_wisconsin.csv").open(newline="") as rows:
        addresses = [row["address"] for row in csv.DictReader(rows)]
    for address in addresses:
        assert fill(client, url, address=address).status_code == 303
        assert site_of(draft).address == address
        assert Site.objects.found_by(address).get() == draft.site
    assert fields_of(client.get(url))["address"] == [addresses[-1]]


def test_every_parcel_number_is_taken_as_typed_and_found_again(client, draft, cases):
    with (cases / "parcel_numbers.csv").open(newline="") as rows:
        numbers = [
            row["example_as_written"]
            for row in csv.DictReader(rows)
            if row["form"] != "DOR rule"  # a sentence about numbers, and none itself
        ]
    assert fill(client, draft.get_step_url("site"), parcels="\r\n".join(numbers)).status_code == 303
    assert [str(parcel) for parcel in site_of(draft).parcels.all()] == numbers
    for number in numbers:
        assert Site.objects.found_by(number).get() == draft.site
    shown = fields_of(client.get(draft.get_step_url("site")))["parcels"]
    assert shown == ["\n".join(numbers)]


def test_a_parcel_listed_twice_is_one_and_can_be_taken_out(client, draft):
    url = draft.get_step_url("site")
    fill(client, url, parcels="0010001000\n\n 0010001000 \n0010001001")
    assert [str(p) for p in site_of(draft).parcels.all()] == ["0010001000", "0010001001"]
    fill(client, url, parcels="0010001001")
    assert [str(p) for p in site_of(draft).parcels.all()] == ["0010001001"]


def test_a_place_without_an_address_is_described(client, draft):
    fill(client, draft.get_step_url("site"), survey_description="NE 1/4 SW 1/4 Sec 12 T8N R19E")
    assert site_of(draft).place == "NE 1/4 SW 1/4 Sec 12 T8N R19E"


@pytest.mark.parametrize(
    ("latitude", "longitude", "error"),
    [
        ("43.0389", "-87.9065", ""),
        ("43.0389", "87.9065", "outside the state"),
        ("-87.9065", "43.0389", "outside the state"),
        ("43.0389", "", "needs both"),
        ("43° 2'", "-87.9", "Write a number"),
    ],
)
def test_a_point_must_be_in_the_state(client, draft, latitude, longitude, error):
    page = fill(client, draft.get_step_url("site"), latitude=latitude, longitude=longitude)
    assert (page.status_code == 303) is not bool(error)
    assert error in text(page)


# People -----------------------------------------------------------------------------------


def test_owners_are_taken_as_the_tax_roll_writes_them(client, draft, cases):
    url = draft.get_step_url("people")
    with (cases / "owner_records.csv").open(newline="") as rows:
        records = list(csv.DictReader(rows))
    for row in records:
        names = [row[f"OWNER_NAME_{n}"] for n in (1, 2, 3) if row[f"OWNER_NAME_{n}"] != "NA"]
        name = " ".join(names)
        address = f"{row['OWNER_MAIL_ADDR']}\n{row['OWNER_CITY_STATE']} {row['OWNER_ZIP']}"
        answers = {"landowner-name": name, "landowner-mailing_address": address}
        assert fill(client, url, **answers).status_code == 303
        owner = draft.parties.get(role="landowner")
        assert (owner.name, owner.mailing_address) == (name, address)


def test_one_person_in_several_capacities_is_written_once(client, draft, vang):
    vang.telephone = "(555) 010-0177"
    vang.save()
    answers = {
        "landowner-same_as": "myself",
        "contractor-name": "Jon Berg",
        "contractor-organization": "Berg Excavating Inc",
        "contractor-telephone": "(555) 010-0188",
        "emergency-same_as": "contractor",
        "controls-same_as": "emergency",
    }
    assert fill(client, draft.get_step_url("people"), **answers).status_code == 303
    people = {party.role: party for party in draft.parties.all()}
    assert people["landowner"].name == "Mai Vang"
    assert people["landowner"].telephone == "(555) 010-0177"
    assert people["emergency"].telephone == "(555) 010-0188"
    assert str(people["controls"]) == "Berg Excavating Inc (Jon Berg)"
    assert "land_user" not in people


def test_the_number_of_somebody_else_does_not_stay_behind(client, complete):
    answers = {"emergency-same_as": "landowner"}
    complete.parties.filter(role="landowner").update(telephone="")
    fill(client, complete.get_step_url("people"), **answers)
    assert complete.parties.get(role="emergency").telephone == ""


def test_a_person_without_a_name_is_asked_for_it(client, draft):
    page = fill(client, draft.get_step_url("people"), **{"emergency-telephone": "555-010-0199"})
    assert page.status_code == 200
    assert "Write the name of a person." in text(page)
    assert not draft.parties.exists()


def test_a_person_can_be_taken_out_again(client, complete):
    empty = {f"contractor-{name}": "" for name in ("name", "organization", "mailing_address")}
    empty |= {"contractor-email": "", "contractor-telephone": ""}
    assert fill(client, complete.get_step_url("people"), **empty).status_code == 303
    assert not complete.parties.filter(role="contractor").exists()


def test_a_wrong_address_or_number_is_refused_in_plain_words_and_the_rest_kept(client, draft):
    answers = {
        "landowner-name": "Mai Vang",
        "landowner-email": "mai at example",
        "landowner-telephone": "7",
    }
    page = text(fill(client, draft.get_step_url("people"), **answers))
    assert "Write an e-mail address, such as name@example.com." in page
    assert "with its area code" in page
    owner = draft.parties.get(role="landowner")
    assert (owner.name, owner.email) == ("Mai Vang", "")


# Who may, and when ------------------------------------------------------------------------


@pytest.mark.parametrize("step", STEPS)
def test_a_stranger_gets_404_and_anybody_is_asked_to_sign_in(draft, step):
    url = draft.get_step_url(step)
    stranger, staff, anybody = Client(), Client(), Client()
    stranger.force_login(factory.applicant("Another"))
    staff.force_login(factory.inspector())
    for other in (stranger, staff):
        assert other.get(url).status_code == 404
        assert other.post(url, {}).status_code == 404
    assert anybody.get(url).status_code == 302
    assert "/accounts/login/" in anybody.get(url).url


@pytest.mark.parametrize("state", ["submitted", "received", "denied", "granted", "withdrawn"])
@pytest.mark.parametrize("step", ["site", "plan", "check"])
def test_a_filed_application_is_not_written_in_any_more(client, vang, state, step):
    application = factory.STATES[state](vang)
    url = application.get_step_url(step)
    before = Application.objects.filter(pk=application.pk).values().get()
    assert client.get(url).url == application.get_absolute_url()
    answer = client.post(url, {"address": "Elsewhere", "end_of_form": "", "signed_name": "X"})
    assert answer.status_code in (302, 303)
    assert Application.objects.filter(pk=application.pk).values().get() == before
    assert "Elsewhere" not in site_of(application).address


def test_extra_fields_change_nothing_they_do_not_ask_for(client, draft, vang):
    fields = {field.name: "1" for field in Application._meta.concrete_fields}
    fields |= {"status": "granted", "number": "AP-9", "received_on": "2026-11-01"}
    fields |= {"site": "999", "applicant": "999", "filed_on": "2026-11-01", "DELETE": "on"}
    before = Application.objects.filter(pk=draft.pk).values().get()
    filed = Site.objects.filter(pk=draft.site_id).values().get()
    for step in ("site", "people", "acknowledgements", "fee"):
        answers = {name: value for name, value in fields.items() if not name.endswith(AGREED)}
        fill(client, draft.get_step_url(step), **answers)
    after = Application.objects.filter(pk=draft.pk).values().get()
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {"steps_done"}
    assert Site.objects.filter(pk=draft.site_id).values().get() == filed


AGREED = ("acknowledged", "allowed", "agreed")


@pytest.mark.parametrize("role", ["landowner", "contractor", "land_user", "agent"])
def test_an_address_without_its_city_is_asked_again_and_shown_as_typed(client, draft, role):
    answers = {f"{role}-name": "Ana Ruiz", f"{role}-mailing_address": "1 Mill Street"}
    page = fill(client, draft.get_step_url("people"), **answers)
    assert page.status_code == 200
    assert "Write street or box, city, state and ZIP code" in text(page)
    assert fields_of(page)[f"{role}-mailing_address"] == ["1 Mill Street"]
    assert draft.parties.get(role=role).mailing_address == ""


@pytest.mark.parametrize("body", ["llc", "corporation", "trust", "partnership", "public"])
def test_a_company_has_a_name(client, complete, body):
    answers = {"landowner-body": body, "landowner-organization": ""}
    page = fill(client, complete.get_step_url("people"), **answers)
    assert list(page.context["answers"].forms[0].errors) == ["organization"]
    complete.parties.filter(role="landowner").update(body=body, organization="")
    assert "landowner-company" in {
        each.key for each in complete.obstacles_to_submit(on=factory.MONDAY)
    }
    alone = {"landowner-body": "individual", "landowner-organization": ""}
    assert fill(client, complete.get_step_url("people"), **alone).status_code == 303


def test_whoever_gets_notices_can_be_reached(complete):
    complete.parties.filter(role="contractor").update(email="", mailing_address="")
    missing = complete.obstacles_to_submit(on=factory.MONDAY)
    assert [each.key for each in missing] == ["contractor-reach"]


TWICE = {
    "landowner-same_as": "myself",
    "landowner-name": "Ana Ruiz",
    "landowner-telephone": "(555) 010-0123",
}


def test_what_was_typed_beside_the_same_person_is_said_and_kept(client, draft, vang):
    vang.telephone = "(555) 010-0177"
    vang.save()
    page = fill(client, draft.get_step_url("people"), **TWICE)
    owner = page.context["answers"].forms[0]
    assert list(owner.errors) == ["same_as"]
    assert "also wrote name of the person and telephone below" in str(owner.errors["same_as"])
    shown = fields_of(page)
    assert shown["landowner-name"] == ["Ana Ruiz"]
    assert shown["landowner-same_as"] == ["myself"]
    assert not draft.parties.exists()


@pytest.mark.parametrize(
    ("choice", "name"),
    [
        ({"landowner-same_as": ""}, "Ana Ruiz"),
        ({"landowner-name": "", "landowner-telephone": ""}, "Mai Vang"),
    ],
)
def test_the_person_chooses_between_both(client, draft, vang, choice, name):
    vang.telephone = "(555) 010-0177"
    vang.save()
    url = draft.get_step_url("people")
    page = fill(client, url, **TWICE)
    assert send(client, url, page, **choice).status_code == 303
    assert draft.parties.get(role="landowner").name == name


def test_what_the_other_person_does_not_say_may_be_typed(client, draft, vang):
    answers = {
        "landowner-same_as": "myself",
        "landowner-mailing_address": "1 Mill Street, Example, WI 54999",
    }
    assert fill(client, draft.get_step_url("people"), **answers).status_code == 303
    owner = draft.parties.get(role="landowner")
    assert (owner.name, owner.mailing_address) == ("Mai Vang", "1 Mill Street, Example, WI 54999")


def test_a_fee_that_is_still_to_be_paid_is_not_called_done(client, complete, vang):
    page = text(client.get(complete.get_step_url("work")))
    assert 'Fee</a><span class="soft">, to be paid after filing</span>' in page
    assert 'Fee</a><span class="visually-hidden">, done</span>' not in page
    CouncilValue.objects.create(
        key="fee", value="0", effective_on="2026-01-01", resolution="2026-9", entered_by=vang
    )
    page = text(client.get(complete.get_step_url("work")))
    assert 'Fee</a><span class="visually-hidden">, done</span>' in page
