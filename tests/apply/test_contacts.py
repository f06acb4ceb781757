"""A changed contact is taken at any time after the decision; who the persons are stays."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from permits import acts
from permits.forms.correct import Correction
from permits.models import CaseEvent, NotNow
from portal.models import OutboxMessage
from tests import factory
from tests.apply.page import fill, send
from tests.mails import check_reading

WHY = {"reason": "He left the company."}
NIGHT = "(555) 010-0142"
OPEN = ["denied", "granted", "issued"]


def report(client, application, **answers):
    """Write the change, look at what will happen, and confirm."""
    url = reverse("correct_contacts", args=[application.key])
    page = fill(client, url, step="check", **WHY, **answers)
    return send(client, url, page, step="confirm")


def events(application):
    return list(CaseEvent.objects.filter(site=application.site, kind="application.corrected"))


@pytest.mark.parametrize("state", OPEN)
def test_after_the_decision_the_holder_changes_the_number_that_is_answered_at_night(
    client, vang, state
):
    application = factory.STATES[state](vang)
    before = application.parties.get(role="emergency")
    response = report(
        client,
        application,
        **{"emergency-name": "Ola Lund", "emergency-telephone": NIGHT},
    )
    assert response.status_code == 302
    now = application.parties.get(role="emergency")
    assert (now.name, now.telephone) == ("Ola Lund", NIGHT)
    (event,) = events(application)
    assert event.reason == WHY["reason"]
    told = {each["what"]: (each["from"], each["to"]) for each in event.facts["changes"]}
    assert told == {
        "24-hour contact: Name of the person": (before.name, "Ola Lund"),
        "24-hour contact: Telephone": (before.telephone, NIGHT),
    }
    page = client.get(application.get_absolute_url()).content.decode()
    assert "A changed contact was reported." in page
    assert NIGHT in page
    assert before.telephone in page
    assert "Last changed on" in page


def test_the_inspector_reports_it_too_and_finds_old_and_new_on_the_review(vang):
    application = factory.issued(vang)
    inspector = Client()
    inspector.force_login(factory.inspector())
    case = inspector.get(application.get_absolute_url()).content.decode()
    assert reverse("correct_contacts", args=[application.key]) in case
    before = application.parties.get(role="controls").telephone
    assert report(inspector, application, **{"controls-telephone": NIGHT}).status_code == 302
    review = inspector.get(reverse("review", args=[application.key])).content.decode()
    assert NIGHT in review
    assert f"it said: {before}" in review


def test_who_the_persons_of_the_ordinance_are_stays_closed(client, vang):
    application = factory.issued(vang)
    owner = application.parties.get(role="landowner")
    url = reverse("correct_contacts", args=[application.key])
    page = client.get(url).content.decode()
    for name in ("landowner-name", "landowner-body", "contractor-name", "land_user-name"):
        assert f'name="{name}"' not in page
    assert 'name="landowner-mailing_address"' in page
    report(client, application, **{"landowner-name": "Eve", "landowner-email": "new@example.test"})
    now = application.parties.get(role="landowner")
    assert (now.name, now.email, now.body) == (owner.name, "new@example.test", owner.body)
    assert not application.parties.filter(name="Eve").exists()


def test_both_addresses_are_told_and_others_see_no_number(client, vang):
    factory.inspector()
    application = factory.issued(vang)
    owner = application.parties.get(role="landowner")
    report(
        client,
        application,
        **{"landowner-email": "new@example.test", "landowner-telephone": NIGHT},
    )
    told = OutboxMessage.objects.filter(cause__startswith="contacts:")
    recipients = {mail.recipient for mail in told}
    assert {"new@example.test", owner.email.lower()} <= recipients
    assert all(NIGHT not in mail.body and "new@" not in mail.body for mail in told)
    staff = OutboxMessage.objects.get(cause__startswith="contacts_staff:")
    assert NIGHT in staff.body
    for mail in [*told, staff]:
        check_reading(mail)


def test_whoever_must_be_reached_cannot_be_taken_out(client, vang):
    application = factory.issued(vang)
    gone = {f"emergency-{name}": "" for name in ("name", "organization", "telephone", "email")}
    response = report(client, application, **gone)
    assert response.status_code == 409
    assert "Name a 24-hour contact." in response.content.decode()
    assert application.parties.filter(role="emergency").exists()
    assert not events(application)


def test_pressing_twice_reports_once(client, vang):
    application = factory.issued(vang)
    url = reverse("correct_contacts", args=[application.key])
    page = fill(client, url, step="check", **WHY, **{"emergency-telephone": NIGHT})
    answers = [send(client, url, page, step="confirm").status_code for _ in range(2)]
    assert answers == [302, 302]
    assert len(events(application)) == 1


@pytest.mark.parametrize("state", ["draft", "submitted", "received", "withdrawn"])
def test_before_the_decision_the_form_itself_is_corrected(client, vang, state):
    application = factory.STATES[state](vang)
    page = client.get(reverse("correct_contacts", args=[application.key])).content.decode()
    assert 'name="step"' not in page
    correction = Correction(application, "contacts", {"emergency-telephone": NIGHT, "seen": ""})
    with pytest.raises(NotNow):
        acts.correct(
            application, by=vang, on=factory.MONDAY, correction=correction, reason="Early."
        )
    assert not events(application)
