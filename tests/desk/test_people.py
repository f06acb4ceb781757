"""The accounts of those who work for the city: made, changed, closed, never deleted."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from portal.models import Role, User
from tests import factory

pytestmark = pytest.mark.django_db(transaction=False)

Enter = Callable[..., Client]
NEW = {"name": "Ana Ruiz", "email": "Ana.Ruiz@City.example", "role": "inspector"}


@pytest.fixture
def administrator(enter: Enter) -> Client:
    return enter(factory.administrator())


def test_a_new_account_gets_a_link_to_set_its_password(
    administrator: Client, enter: Enter, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        assert administrator.post("/people/add/", NEW).url == "/people/"
    made = User.objects.get(email="ana.ruiz@city.example")
    assert (made.role, made.has_usable_password()) == (Role.INSPECTOR, False)
    assert [message.to for message in mail.outbox] == [["ana.ruiz@city.example"]]
    link = re.search(r"https?://[^/]+(/\S+)", str(mail.outbox[0].body))
    assert link is not None
    assert enter(None).get(link[1]).status_code in (200, 302)
    assert "Ana Ruiz" in administrator.get("/people/").content.decode()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"email": "clerk@example.test"}, "has a staff account already"),
        ({"email": "vang@example.test"}, "applicant&#x27;s account"),
        ({"email": "not an address"}, "e-mail address"),
        ({"role": "applicant"}, "Choose one of the answers offered."),
        ({"role": ""}, "Please answer this."),
        ({"role": "superuser"}, "Choose one of the answers offered."),
        ({"name": ""}, "Please answer this."),
    ],
)
def test_an_account_that_cannot_be_is_asked_again(
    administrator: Client, changes: dict[str, str], words: str
) -> None:
    factory.clerk()
    factory.user(email="vang@example.test")
    count = User.objects.count()
    page = administrator.post("/people/add/", {**NEW, **changes}).content.decode()
    assert words in page
    assert User.objects.count() == count


def test_nobody_is_made_a_superuser_by_a_form(administrator: Client) -> None:
    administrator.post("/people/add/", {**NEW, "is_superuser": "1", "is_staff": "1"})
    made = User.objects.get(email="ana.ruiz@city.example")
    assert not made.is_superuser
    assert not made.is_staff


def test_a_new_role_holds_from_the_next_page(
    administrator: Client, enter: Enter, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    somebody = factory.clerk()
    browser = enter(somebody)
    assert browser.get("/money/").status_code == 200
    administrator.post(f"/people/{somebody.pk}/", {"act": "role", "role": "attorney"})
    assert browser.get("/money/").status_code == 404
    assert browser.get("/desk/").status_code == 200
    assert "A role was changed" in caplog.text


def test_a_closed_account_is_out_at_once_and_stays_on_record(
    administrator: Client, enter: Enter, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    application = factory.received()
    somebody = factory.clerk()
    browser = enter(somebody)
    assert browser.get("/desk/").status_code == 200
    administrator.post(f"/people/{somebody.pk}/", {"act": "close"})
    assert browser.get("/desk/").status_code == 302
    assert not somebody.__class__.objects.get(pk=somebody.pk).is_active
    assert application.fee_entries.get().recorded_by == somebody
    assert "An account was closed" in caplog.text
    administrator.post(f"/people/{somebody.pk}/", {"act": "reopen"})
    assert browser.get("/desk/").status_code == 302  # the old session does not come back
    assert mail.outbox[-1].to == [somebody.email]


def test_an_administrator_cannot_lock_themselves_out(administrator: Client) -> None:
    me = factory.administrator()
    for data in ({"act": "close"}, {"act": "role", "role": "clerk"}):
        assert administrator.post(f"/people/{me.pk}/", data).status_code == 404
    me.refresh_from_db()
    assert (me.is_active, me.role) == (True, Role.ADMINISTRATOR)


def test_applicants_are_not_kept_here(administrator: Client) -> None:
    somebody = factory.applicant()
    assert administrator.get(f"/people/{somebody.pk}/").status_code == 404
    assert somebody.email not in administrator.get("/people/").content.decode()


@pytest.mark.parametrize("role", [role for role in Role if role != Role.ADMINISTRATOR])
def test_only_the_administrator_keeps_accounts(enter: Enter, role: str) -> None:
    browser = enter(factory.user(role))
    somebody = factory.clerk()
    for url in ("/people/", "/people/add/", f"/people/{somebody.pk}/"):
        assert browser.get(url).status_code == 404
    assert browser.post(f"/people/{somebody.pk}/", {"act": "close"}).status_code == 404
    somebody.refresh_from_db()
    assert somebody.is_active
