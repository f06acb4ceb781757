"""The season letter: shown first, written once a day, sent to the parties."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from inspections.acts import season
from permits.models import CasePaper, DocketEntry, Permit
from portal.models import Mailing
from portal.operations import FIELD

from .factory import MONDAY, active_permit, inspector, user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("monday")]


@pytest.fixture
def blank_papers() -> None:
    """Here the papers are real."""


def test_the_letter_is_one_page_and_written_once_a_day() -> None:
    permit = active_permit(issued_on=MONDAY)
    assert season.write(permit, by=inspector(), on=MONDAY)
    assert not season.write(permit, by=inspector(), on=MONDAY)
    letter = CasePaper.objects.get(kind="season_letter")
    assert letter.document.pages == 1
    assert Mailing.objects.filter(document=letter.document).exists()


def test_no_letter_where_nothing_is_due() -> None:
    permit = active_permit(issued_on=MONDAY, final_inspection_passed_on=MONDAY)
    assert not season.write(permit, by=inspector(), on=MONDAY)


def test_it_is_shown_before_it_is_sent(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    permit: Permit = active_permit(issued_on=MONDAY)
    for count in permit.clocks():
        DocketEntry.objects.start(permit, count, title="Permanent cover due")
    ordered: list[Permit] = []
    monkeypatch.setattr(
        season, "order", lambda permits, **more: ordered.extend(permits) or len(ordered)
    )
    client.force_login(inspector())
    address = reverse("season_letters")
    assert address in client.get(reverse("season")).content.decode()
    shown = client.post(address, {"permit": [permit.pk, "x", "9" * 30]})
    assert permit.site.place in shown.content.decode()
    assert not ordered
    sent = {"permit": permit.pk, "step": "send", FIELD: shown.context["operation"]}
    assert client.post(address, sent).status_code == 303
    assert client.post(address, sent).status_code in (303, 409)
    assert ordered == [permit]


def test_only_the_inspector_sends_it(client: Client) -> None:
    client.force_login(user())
    assert client.post(reverse("season_letters")).status_code == 404
