"""Two windows write the same answers: nothing is overwritten unseen, both texts are shown."""

from __future__ import annotations

from permits.models import Application, Site
from tests import factory
from tests.apply.page import fields_of, fill, send


def text(response):
    return response.content.decode()


def test_the_second_window_sees_both_answers_and_overwrites_nothing(client, draft):
    url = draft.get_step_url("work")
    first, second = client.get(url), client.get(url)
    send(client, url, first, description="Dig a pond.", zoning="A-1")
    refused = send(client, url, second, description="Build a barn.")
    assert refused.status_code == 409
    page = text(refused)
    assert "changed in another window" in page
    assert "Dig a pond." in page
    assert "Build a barn." in page
    draft.refresh_from_db()
    assert draft.description == "Dig a pond."
    assert fields_of(refused)["description"] == ["Build a barn."]

    assert send(client, url, refused).status_code == 303  # now they know, and mean it
    draft.refresh_from_db()
    assert draft.description == "Build a barn."


def test_the_same_answers_from_both_windows_do_not_clash(client, draft):
    url = draft.get_step_url("site")
    first, second = client.get(url), client.get(url)
    assert send(client, url, first, address="1 Mill Street").status_code == 303
    assert send(client, url, second, address="1 Mill Street").status_code == 303


def test_people_clash_person_by_person(client, complete):
    url = complete.get_step_url("people")
    first, second = client.get(url), client.get(url)
    send(client, url, first, **{"contractor-telephone": "(555) 010-0111"})
    refused = send(client, url, second, **{"contractor-telephone": "(555) 010-0222"})
    assert refused.status_code == 409
    assert "Contractor: Telephone" in text(refused)
    assert complete.parties.get(role="contractor").telephone == "(555) 010-0111"


def test_rows_of_the_plan_clash_row_by_row(client, complete):
    url = complete.get_step_url("plan")
    first, second = client.get(url), client.get(url)
    send(client, url, first, **{"devices-0-place": "South line"})
    refused = send(client, url, second, **{"devices-0-place": "West line"})
    assert refused.status_code == 409
    assert "South line" in text(refused)
    assert "West line" in text(refused)
    assert complete.latest_revision().devices.first().place == "South line"


def test_a_file_added_in_another_window_is_no_clash(client, complete):
    url = complete.get_step_url("plan")
    page = client.get(url)
    complete.latest_revision().sheets.create(upload=factory.upload(complete.applicant))
    assert send(client, url, page, drawing_scale="1:100").status_code == 303
    assert complete.latest_revision().sheets.count() == 2


def test_the_title_of_a_file_clashes_by_itself(client, complete):
    url = complete.get_step_url("plan")
    sheet = complete.latest_revision().sheets.get()
    first, second = client.get(url), client.get(url)
    send(client, url, first, **{f"sheet-{sheet.pk}-title": "C-2"})
    refused = send(client, url, second, **{f"sheet-{sheet.pk}-title": "C-3"})
    assert refused.status_code == 409
    sheet.refresh_from_db()
    assert sheet.title == "C-2"


def test_back_and_change_is_taken_although_its_page_was_sent_before(client, draft):
    url = draft.get_step_url("site")
    page = client.get(url)
    send(client, url, page, address="1 Mill Street")
    changed = send(client, url, page, address="2 Mill Street")
    assert changed.status_code == 409  # the page showed an empty address
    assert send(client, url, changed).status_code == 303
    assert Site.objects.get(pk=draft.site_id).address == "2 Mill Street"


def test_the_mark_of_a_page_cannot_be_used_to_write_into_a_filed_application(client, complete):
    url = complete.get_step_url("work")
    page = client.get(url)
    factory.acts.submit(
        complete,
        by=complete.applicant,
        on=factory.MONDAY,
        signed_name="Mai Vang",
        signed_capacity="Landowner",
    )
    send(client, url, page, description="Something else.")
    stored = Application.objects.get(pk=complete.pk)
    assert stored.description == "Grade the lot and build a house."


def test_saving_without_the_mark_is_not_trusted(client, complete):
    refused = fill(client, complete.get_step_url("work"), seen="", description="Other.")
    assert refused.status_code == 409
