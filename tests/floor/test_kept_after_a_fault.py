"""After a fault of ours the form is there again with all that was typed. RELIABILITY 5, 6, 36"""

from __future__ import annotations

import pytest
from django.db import OperationalError
from django.test import Client
from django.urls import reverse

from permits import acts
from permits.models import Application
from portal import operations
from portal.models import Operation
from tests import factory
from tests.apply.page import fields_of, fill, send

pytestmark = pytest.mark.django_db
SAID = "This was not saved: something broke on our side."


@pytest.fixture
def case(at) -> Application:
    at(factory.MONDAY)
    return factory.issued()


@pytest.fixture
def browser(case: Application) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(case.applicant)
    return client


def broken(monkeypatch, trouble: Exception) -> None:
    def fail(*args, **kwargs):
        raise trouble

    monkeypatch.setattr(acts, "correct", fail)


def typed(client: Client, case: Application):
    url = reverse("correct_contacts", args=[case.key])
    sent = {"emergency-telephone": "(555) 010-0142", "reason": "He left the company."}
    return url, fill(client, url, step="check", **sent)


@pytest.mark.parametrize("trouble", [ValueError("a fault"), OperationalError("no connection")])
def test_back_and_reload_show_all_that_was_typed(monkeypatch, browser, case, trouble) -> None:
    url, page = typed(browser, case)
    with monkeypatch.context() as patch:
        broken(patch, trouble)
        assert send(browser, url, page, step="confirm").status_code >= 500
    again = browser.get(url)
    fields = fields_of(again)
    assert fields["emergency-telephone"] == ["(555) 010-0142"]
    assert fields["reason"] == ["He left the company."]
    done = send(browser, url, again, step="confirm")
    assert done.status_code == 302
    assert case.parties.get(role="emergency").telephone == "(555) 010-0142"
    assert SAID not in browser.get(url).content.decode()


def test_the_page_says_why_it_shows_them(monkeypatch, browser, case) -> None:
    url, page = typed(browser, case)
    broken(monkeypatch, ValueError("a fault"))
    assert send(browser, url, page, step="confirm").status_code == 500
    assert SAID in browser.get(url).content.decode()


def test_an_act_that_was_done_before_the_fault_is_not_offered_again(
    monkeypatch, browser, case
) -> None:
    url, page = typed(browser, case)
    perform = operations.perform

    def and_then_fail(*args):
        perform(*args)
        raise ValueError("a fault after the act")

    monkeypatch.setattr(operations, "perform", and_then_fail)
    assert send(browser, url, page, step="confirm").status_code == 500
    assert Operation.objects.filter(token=fields_of(page)["operation"][0]).exists()
    assert SAID not in browser.get(url).content.decode()


def test_nobody_else_sees_them_and_a_password_is_not_kept(monkeypatch, browser, case) -> None:
    url, page = typed(browser, case)
    broken(monkeypatch, ValueError("a fault"))
    send(browser, url, page, step="confirm")
    assert "kept_forms" in browser.session
    monkeypatch.setattr("allauth.account.views.PasswordChangeView.form_valid", None)
    change = reverse("account_change_password")
    secret = {"oldpassword": "x", "password1": "a long pass phrase", "password2": "y"}
    browser.post(change, secret)
    assert change not in browser.session["kept_forms"]
