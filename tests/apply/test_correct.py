"""Correcting an application that is filed: both answers stay on record, and people are told."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from permits import acts
from permits.forms.correct import Correction
from permits.models import CaseEvent, CasePaper, NotNow
from portal.models import OutboxMessage
from tests import factory
from tests.apply.page import fill, send

WHY = "reason"


@pytest.fixture
def filed(vang):
    return factory.received(vang)


def correct(client, application, part, **answers):
    """Write other answers, look at what will happen, and confirm."""
    url = reverse(f"correct_{part}", args=[application.key])
    page = fill(client, url, step="check", **{WHY: "It was written down wrong.", **answers})
    return send(client, url, page, step="confirm")


def events(application):
    kind = CaseEvent.Kind.APPLICATION_CORRECTED
    return list(CaseEvent.objects.filter(site=application.site, kind=kind))


def test_a_wrong_date_is_corrected_with_old_new_and_reason_on_record(client, filed):
    before = filed.ends_on
    response = correct(client, filed, "work", ends_on="2027-07-01")
    assert response.status_code == 302
    filed.refresh_from_db()
    assert filed.ends_on.isoformat() == "2027-07-01"
    (event,) = events(filed)
    assert event.reason == "It was written down wrong."
    assert event.actor == filed.applicant
    (change,) = event.facts["changes"]
    assert change["what"] == "Last day of work"
    assert str(before.year) in change["from"]
    assert "July 1, 2027" in change["to"]
    story = client.get(filed.get_absolute_url()).content.decode()
    assert f"Last day of work: “{change['to']}” instead of “{change['from']}”" in story


def test_parties_and_inspectors_are_told_and_no_telephone_number_goes_to_others(client, filed):
    factory.inspector()
    correct(
        client,
        filed,
        "people",
        **{"contractor-name": "Ola Lund", "contractor-telephone": "(555) 010-0177"},
    )
    told = OutboxMessage.objects.filter(cause__startswith="corrected:")
    assert {mail.recipient for mail in told} >= {"landowner@example.test", filed.applicant.email}
    assert all("Ola Lund" in mail.body and "0177" not in mail.body for mail in told)
    staff = OutboxMessage.objects.get(cause__startswith="corrected_staff:")
    assert "Ola Lund" in staff.body
    assert "0177" in staff.body


def test_a_corrected_address_goes_to_the_next_mail_and_the_receipt_stays(client, filed):
    receipts = list(CasePaper.objects.values_list("document__sha256", flat=True))
    correct(client, filed, "people", **{"landowner-email": "right@example.test"})
    assert OutboxMessage.objects.filter(
        cause__startswith="corrected:", recipient="right@example.test"
    ).exists()
    assert list(CasePaper.objects.values_list("document__sha256", flat=True)) == receipts


def test_the_owner_is_never_another_one_and_the_page_says_what_leads_there(client, filed):
    url = reverse("correct_people", args=[filed.key])
    page = client.get(url).content.decode()
    assert 'name="landowner-name"' not in page
    correct(client, filed, "people", **{"landowner-name": "Eve", "landowner-email": "e@x.test"})
    owner = filed.parties.get(role="landowner")
    assert (owner.name, owner.email) == ("Mai Vang", "e@x.test")
    ways = client.get(reverse("correct", args=[filed.key])).content.decode()
    assert reverse("hand_over", args=[filed.key]) in ways
    assert reverse("withdraw", args=[filed.key]) in ways


def test_the_size_of_the_work_is_not_asked(client, filed):
    before = filed.area_amount
    correct(client, filed, "work", area_amount="9", project_name="Lot 7")
    filed.refresh_from_db()
    assert (filed.area_amount, filed.project_name) == (before, "Lot 7")


def test_whoever_the_application_must_name_cannot_be_taken_out(client, filed):
    nobody = {f"emergency-{name}": "" for name in ("name", "organization", "telephone", "email")}
    response = correct(client, filed, "people", **nobody)
    assert response.status_code == 409
    assert "Name a 24-hour contact." in response.content.decode()
    assert filed.parties.filter(role="emergency").exists()
    assert not events(filed)


def test_a_correction_needs_a_reason_and_a_change(client, filed):
    url = reverse("correct_work", args=[filed.key])
    page = fill(client, url, step="check", project_name="Lot 7").content.decode()
    assert "This field is required" in page or "error-summary" in page
    assert "Lot 7" in page
    same = fill(client, url, step="check", reason="Looks better.").content.decode()
    assert "Nothing is changed." in same
    assert not events(filed)


def test_pressing_twice_corrects_once(client, filed):
    url = reverse("correct_work", args=[filed.key])
    page = fill(client, url, step="check", reason="Left out.", project_name="Lot 7")
    first = send(client, url, page, step="confirm")
    second = send(client, url, page, step="confirm")
    assert (first.status_code, second.status_code) == (302, 302)
    assert len(events(filed)) == 1


def test_two_who_correct_at_once_overwrite_nothing_unseen(client, filed):
    url = reverse("correct_work", args=[filed.key])
    page = fill(client, url, step="check", reason="Left out.", project_name="Lot 7")
    filed.project_name = "Lot 8"
    filed.save()
    late = send(client, url, page, step="confirm")
    assert late.status_code != 302
    assert "These answers were changed after you opened this page." in late.content.decode()
    filed.refresh_from_db()
    assert filed.project_name == "Lot 8"


@pytest.mark.parametrize("state", ["denied", "granted", "issued", "withdrawn"])
def test_after_the_decision_nothing_is_corrected(client, vang, state):
    application = factory.STATES[state](vang)
    response = client.get(reverse("correct_work", args=[application.key]))
    assert 'name="step"' not in response.content.decode()
    with pytest.raises(NotNow):
        acts.correct(
            application,
            by=vang,
            on=factory.MONDAY,
            correction=Correction(application, "work", {"project_name": "x", "seen": ""}),
            reason="Late.",
        )
    assert not events(application)


def test_the_inspector_corrects_too_and_sees_it_on_the_review(filed):
    inspector = Client()
    inspector.force_login(factory.inspector())
    response = correct(inspector, filed, "site", address="1 Other Road, Example, WI 54999")
    assert response.status_code == 302
    filed.site.refresh_from_db()
    assert filed.site.address == "1 Other Road, Example, WI 54999"
    review = inspector.get(reverse("review", args=[filed.key])).content.decode()
    assert "Corrected after filing" in review
    assert "It was written down wrong." in review
