"""The inspector's choice beside July 15 means the same on page, docket, mail and letter."""

from __future__ import annotations

from datetime import date

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import escape

from inspections.beside import beside_permit_date
from inspections.models import open_cover
from permits.models import DocketEntry
from permits.reminders import send_reminders
from portal.city import edition_on
from portal.models import OutboxMessage
from tests.mails import check_reading

from . import factory
from .test_certificates import FAR, JULY_15, TODAY, WINTER, permit_until, record, send

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _today(at) -> None:
    at(TODAY)


@pytest.fixture
def clerk(client):
    client.force_login(factory.clerk())
    return client


BETWEEN, MISSED = date(2027, 6, 1), date(2026, 11, 30)


@pytest.mark.parametrize(
    ("permit_date", "choice", "words"),
    [
        pytest.param(FAR, "", "comes first and controls", id="(i)"),
        pytest.param(BETWEEN, "condition", "as a condition of the permit only", id="(ii) kept"),
        pytest.param(BETWEEN, "limit", "nothing is enforced before Thursday, July 15", id="(ii)"),
        pytest.param(MISSED, "condition", "it stays missed", id="(iii) kept"),
        pytest.param(MISSED, "limit", "it stays missed", id="(iii)"),
    ],
)
def test_page_docket_mail_and_letter_say_the_same(clerk, permit_date, choice, words) -> None:
    permit = permit_until(permit_date)
    for count in permit.clocks():
        DocketEntry.objects.start(permit, count, title="Permanent cover due")
    certificate = record(permit, WINTER, choice=choice, choice_reason="Frozen ground.")
    assert words in certificate.beside()

    running = DocketEntry.objects.running().filter(site=permit.site, rule="permanent-cover")
    assert sorted(entry.on for entry in running) == sorted([permit_date, JULY_15])
    page = clerk.get(reverse("certificate", args=[permit.site.number])).content.decode()
    assert escape(certificate.beside()) in page
    mail = OutboxMessage.objects.filter(cause__startswith="certificate").first()
    assert certificate.beside() in " ".join(mail.body.split())

    cover = open_cover(permit)
    assert cover.limit_on == JULY_15, "the escrow is at stake after the ordinance's limit only"
    assert [each.on for each in cover.deadlines] == sorted([permit_date, JULY_15])
    assert cover.beside == [f"{certificate.building}: {certificate.beside()}"]
    context = {"cover": cover, "permit": permit, "edition": edition_on(TODAY), "title": "x"}
    context |= {"city": {}, "on": TODAY, "reference": "x", "addressee": None, "delivery": ""}
    shown = render_to_string("papers/season_letter.html", context | {"site": permit.site})
    assert escape(certificate.beside()) in shown
    assert "After Thursday, July 15, 2027 the city may draw on the escrow" in shown


def test_without_a_certificate_the_permits_date_is_the_limit() -> None:
    cover = open_cover(permit_until(BETWEEN))
    assert (cover.limit_on, cover.beside) == (BETWEEN, [])


def test_the_page_says_what_each_choice_means_before_it_is_made(clerk) -> None:
    page = send(clerk, permit_until(BETWEEN)).content.decode()
    assert "is enforced as a condition of the permit only" in page
    assert "nothing is enforced before Thursday, July 15, 2027" in page


def test_controls_that_were_due_before_get_no_longer_time(clerk) -> None:
    """LAW (iii): the winter gives July 15 for what has to grow, and erases no breach."""
    page = send(clerk, permit_until(MISSED)).content.decode()
    assert "The permanent cover of this building is due by" in page


# Reminders of the permit's own date -------------------------------------------------------


def reminded(permit, on):
    """The reminders of the permit's own date that go out on a day: subject and text."""
    before = set(OutboxMessage.objects.values_list("pk", flat=True))
    send_reminders(on)
    own = DocketEntry.objects.of(permit).running().get()
    new = OutboxMessage.objects.exclude(pk__in=before)
    for mail in new:
        check_reading(mail)
    return [
        (mail.subject, " ".join(mail.body.split()))
        for mail in new.filter(cause__startswith="reminder", key__contains=f":{own.pk}:")
    ]


@pytest.fixture
def between():
    """A permit whose own date lies between a winter certificate and July 15."""
    permit = permit_until(BETWEEN)
    for count in permit.clocks():
        DocketEntry.objects.start(permit, count, title="Permanent cover due")
    return permit


@pytest.mark.parametrize("on", [date(2027, 5, 26), BETWEEN, date(2027, 6, 2)])
def test_where_nothing_is_enforced_before_july_15_reminders_ask_for_nothing(between, on) -> None:
    certificate = record(between, WINTER, choice="limit", choice_reason="Frozen ground.")
    mails = reminded(between, on)
    assert mails
    for subject, body in mails:
        assert subject.startswith("A date on record: Permanent cover due")
        assert certificate.beside() in body
        assert "nothing is enforced before Thursday, July 15, 2027" in body
        assert "The duty stands" not in body
        assert "must be in place" not in body


@pytest.mark.parametrize("on", [date(2027, 5, 26), BETWEEN, date(2027, 6, 2)])
def test_a_condition_is_reminded_of_with_what_it_puts_at_stake(between, on) -> None:
    certificate = record(between, WINTER, choice="condition", choice_reason="The slope is steep.")
    mails = reminded(between, on)
    assert mails
    for subject, body in mails:
        assert subject.split(":")[0] in ("Due soon", "Due today", "Late")
        assert certificate.beside() in body


def test_after_july_15_and_without_a_certificate_the_date_stands_alone(between) -> None:
    for _, body in reminded(between, date(2027, 6, 2)):
        assert "The duty stands" in body
        assert "nothing is enforced" not in body
    record(between, WINTER, choice="limit", choice_reason="Frozen ground.")
    own = DocketEntry.objects.of(between).running().get()
    assert beside_permit_date(own, JULY_15).enforced is False
    assert beside_permit_date(own, date(2027, 7, 16)) is None
