"""Reports by anybody: sent without an account, confirmed with a number, read by nobody else."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from inspections.models import Complaint
from portal.models import OutboxMessage, Upload
from tests.floor.sample_files import MADISON, heic, jpeg, pdf, sent
from tests.inspections import factory

pytestmark = pytest.mark.django_db

PARIS = (48.85661, 2.35222)


@pytest.fixture(autouse=True)
def _today(at: Callable[..., object]) -> None:
    at("2026-11-23")


def answers(**fields: Any) -> dict[str, Any]:
    return {
        "what": "mud",
        "place": "Corner of Prairie Road and Mill Street",
        "text": "Mud since this morning.",
        "end_of_form": "",
        **fields,
    }


def send(client: Client, **fields: Any) -> Any:
    return client.post(reverse("report"), answers(**fields))


def text_of(response: Any) -> str:
    body = re.sub(r"<[^>]+>", " ", response.content.decode())
    return html.unescape(re.sub(r"\s+", " ", body))


def hidden_of(response: Any) -> dict[str, str]:
    page = response.content.decode()
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page)
    return {name: html.unescape(value) for name, value in found}


# Sent -------------------------------------------------------------------------------------


def test_anybody_reports_without_an_account_and_gets_a_number(client: Client) -> None:
    response = send(client)
    complaint = Complaint.objects.get()
    assert response.status_code == 303
    assert response.headers["Location"] == reverse("report_received", args=[complaint.key])
    page = text_of(client.get(response.headers["Location"]))
    assert complaint.number == "RP-2026-0001"
    assert "RP-2026-0001" in page
    assert "Monday, November 23, 2026" in page


def test_the_inspectors_are_told_once_by_mail_without_what_was_written(client: Client) -> None:
    ana = factory.inspector()
    send(client, name="Mai Vang", contact="mai@people.test")
    message = OutboxMessage.objects.get(cause="report-by-public", recipient=ana.email)
    complaint = Complaint.objects.get()
    assert message.subject == "Report RP-2026-0001: mud on the road"
    assert "Corner of Prairie Road and Mill Street" in message.body
    assert reverse("report_case", args=[complaint.key]) in message.body
    for written in ("Mai Vang", "mai@people.test", "Mud since this morning"):
        assert written not in message.body


def test_what_is_shown_afterwards_is_the_number_and_nothing_that_was_sent(client: Client) -> None:
    response = send(client, name="Mai Vang", contact="mai@people.test", photos=[sent_photo()])
    page = Client().get(response.headers["Location"]).content.decode()
    for secret in ["Mai Vang", "mai@people.test", "Prairie Road", "Mud since", "43.07", "photo"]:
        assert secret not in page.replace("with a photo", "")


def sent_photo(name: str = "mud.jpg", at: tuple[float, float] | None = MADISON) -> Any:
    return sent(name, jpeg(at=at))


def test_photos_come_with_it_and_their_place_is_kept_for_the_city(client: Client) -> None:
    send(client, photos=[sent_photo(), sent("other.heic", heic())])
    complaint = Complaint.objects.get()
    assert sorted(p.original_name for p in complaint.photos.all()) == ["mud.jpg", "other.heic"]
    assert (complaint.latitude, complaint.longitude) == (
        Decimal("43.073052"),
        Decimal("-89.401230"),
    )


def test_the_position_of_a_photo_can_stand_for_the_place(client: Client) -> None:
    send(client, place="", photos=[sent_photo()])
    assert Complaint.objects.get().place == "At 43.073052, -89.401230"


def test_a_photo_from_another_continent_is_kept_and_stands_for_no_place(client: Client) -> None:
    response = send(client, place="", photos=[sent_photo(at=PARIS)])
    assert "Say where it is" in text_of(response)
    assert send(client, photos=[sent_photo(at=PARIS)]).status_code == 303
    complaint = Complaint.objects.get()
    assert complaint.latitude is None
    assert complaint.photos.count() == 1


@pytest.mark.parametrize(
    "typed",
    [
        "43.073052, -89.401230",
        "43.073052 -89.40123",
        "43.073052,-89.401230",
        "43.073052 N, 89.40123 W",
    ],
)
def test_a_position_is_typed_as_maps_show_it(client: Client, typed: str) -> None:
    assert send(client, place="", position=typed).status_code == 303
    complaint = Complaint.objects.get()
    assert complaint.latitude == Decimal("43.073052")
    assert complaint.longitude == Decimal("-89.40123")


def test_a_photo_that_was_taken_is_kept_while_another_answer_is_amiss(client: Client) -> None:
    first = send(client, what="", photos=[sent_photo()])
    assert "Choose what you saw" in text_of(first)
    assert "mud.jpg" in text_of(first)
    hidden = hidden_of(first)
    assert send(client, kept=hidden["kept"], operation=hidden["operation"]).status_code == 303
    assert Complaint.objects.get().photos.get().original_name == "mud.jpg"


def test_nobody_adds_the_photos_of_others_to_a_report(client: Client) -> None:
    other = send(client, photos=[sent_photo()])
    assert other.status_code == 303
    photo = Upload.objects.get()
    from django.core import signing

    for kept in (
        signing.dumps([photo.pk], salt="report photos"),  # belongs to a report already
        signing.dumps([photo.pk], salt="else"),
        "nonsense",
    ):
        assert send(client, kept=kept).status_code == 303
        assert not Complaint.objects.latest("pk").photos.exists()


def test_a_form_sent_twice_is_one_report(client: Client) -> None:
    token = hidden_of(client.get(reverse("report")))["operation"]
    one, other = send(client, operation=token), send(client, operation=token)
    assert one.headers["Location"] == other.headers["Location"]
    assert Complaint.objects.count() == 1


def test_a_place_can_be_handed_over_in_the_address(client: Client) -> None:
    page = client.get(reverse("report"), {"place": "105 Prairie Road"}).content.decode()
    assert 'value="105 Prairie Road"' in page


# Not taken --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"what": ""}, "Choose what you saw"),
        ({"what": "x"}, "Select a valid choice"),
        ({"place": ""}, "Say where it is"),
        ({"place": "x" * 301}, "at most 300 characters"),
        ({"what": "other", "text": ""}, "Say what you saw"),
        ({"position": "somewhere"}, "Write latitude and longitude"),
        ({"position": "-89.401230, 43.073052"}, "not in Wisconsin"),
        ({"position": "48.85, 2.35"}, "not in Wisconsin"),
        ({"text": "a\x00b"}, "cannot be kept"),
        ({"website": "https://cheap.example"}, "Leave this field empty"),
    ],
)
def test_what_is_amiss_is_told_and_what_was_typed_is_kept(
    client: Client, fields: dict[str, str], why: str
) -> None:
    response = send(client, **{"name": "Mai Vang", **fields})
    assert response.status_code == 200
    assert "<title>Error: " in response.content.decode()
    assert "Mai Vang" in response.content.decode()
    assert why in text_of(response) or "valid choice" in why
    assert not Complaint.objects.exists()


def test_only_photos_are_taken_and_each_refusal_has_its_name(client: Client) -> None:
    files = [sent("plan.pdf", pdf()), sent("bad.jpg", b"no photo"), sent_photo()]
    page = text_of(send(client, photos=files))
    assert "plan.pdf: only photos can be sent with a report" in page
    assert "bad.jpg:" in page
    assert "Here already, and sent with the report: mud.jpg" in page
    assert not Complaint.objects.exists()


def test_no_more_than_six_photos(client: Client) -> None:
    files = [sent(f"{n}.jpg", jpeg((40 + n, 30))) for n in range(8)]
    page = text_of(send(client, photos=files))
    assert "7.jpg: at most 6 photos" in page
    assert Upload.objects.count() == 6


def test_a_form_that_was_cut_off_is_not_acted_upon(client: Client) -> None:
    fields = answers()
    del fields["end_of_form"]
    assert client.post(reverse("report"), fields).status_code == 400
    assert not Complaint.objects.exists()


def test_too_many_reports_from_one_connection_wait(client: Client, settings: Any) -> None:
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"report": "3/h/ip"}
    assert [send(client).status_code for _ in range(3)] == [303, 303, 303]
    response = send(client, text="The fourth one.", photos=[sent_photo()])
    assert response.status_code == 429
    assert "The fourth one." in text_of(response)
    assert "Too many reports came from your connection" in text_of(response)
    assert (Complaint.objects.count(), Upload.objects.count()) == (3, 0)
    assert client.get(reverse("report")).status_code == 200
    cache.clear()


def test_an_unknown_report_is_no_page(client: Client) -> None:
    key = "00000000-0000-4000-8000-000000000000"
    assert client.get(reverse("report_received", args=[key])).status_code == 404


def test_strings_that_break_software_stay_text(client: Client, cases: Any) -> None:
    import json

    strings = json.loads((cases / "strings.json").read_text())
    strings = strings if isinstance(strings, list) else [s for v in strings.values() for s in v]
    for text in strings[::5]:
        fields = dict.fromkeys(("place", "text", "name", "contact"), str(text)[:200])
        assert send(client, **fields).status_code in (200, 303)
    client.force_login(factory.inspector())
    assert client.get(reverse("reports")).status_code == 200
    for complaint in Complaint.objects.order_by("-pk")[:40]:
        assert client.get(reverse("report_case", args=[complaint.key])).status_code == 200
