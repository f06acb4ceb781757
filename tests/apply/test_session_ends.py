"""A session that ends mid-form costs nothing: sign in, and answers and files are there again."""

from __future__ import annotations

from django.test import Client

from permits.models import Application, Site
from tests import factory
from tests.apply.page import fields_of, send
from tests.apply.test_plan import pdf


def test_what_was_typed_is_there_again_after_signing_in(client: Client, draft, at):
    url = draft.get_step_url("site")
    page = client.get(url)
    at(factory.MONDAY, "14:00")  # two hours later
    late = send(client, url, page, address="N170 W20019 Hunters Rd", parcels="0010001000")
    assert "/accounts/login/" in late.url
    assert Site.objects.get(pk=draft.site_id).address == ""

    client.force_login(draft.applicant)
    again = client.get(url)
    assert "You were signed out before this was sent." in again.content.decode()
    assert fields_of(again)["address"] == ["N170 W20019 Hunters Rd"]
    assert send(client, url, again).status_code == 303
    assert Site.objects.get(pk=draft.site_id).address == "N170 W20019 Hunters Rd"
    assert Application.objects.count() == 1


def test_files_come_back_with_the_answers(client: Client, draft, at):
    url = draft.get_step_url("plan")
    page = client.get(url)
    at(factory.MONDAY, "14:00")
    send(client, url, page, files=pdf("C-9.pdf"), drawing_scale="1:200")
    client.force_login(draft.applicant)
    again = client.get(url)
    assert fields_of(again)["drawing_scale"] == ["1:200"]
    assert "C-9.pdf" in again.content.decode()
    assert send(client, url, again).status_code == 303
    revision = draft.latest_revision()
    assert (revision.drawing_scale, revision.sheets.count()) == ("1:200", 1)


def test_what_another_window_saved_meanwhile_is_not_overwritten_by_kept_answers(
    client: Client, draft, at
):
    url = draft.get_step_url("site")
    page = client.get(url)
    at(factory.MONDAY, "14:00")
    send(client, url, page, address="1 Mill Street")
    Site.objects.filter(pk=draft.site_id).update(address="2 Mill Street")
    client.force_login(draft.applicant)
    refused = send(client, url, client.get(url))
    assert refused.status_code == 409
    assert Site.objects.get(pk=draft.site_id).address == "2 Mill Street"
