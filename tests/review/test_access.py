"""Who may open and do what: strangers get the page of an unknown address, never a hint."""

from __future__ import annotations

import uuid

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from permits.models import Application
from portal.models import Role
from tests import factory

from .pages import FEE, TERMS, fields_of, fill, signed_in, url

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("monday")]

HOLDER = "holder"
EVERYBODY = {HOLDER, *Role.values} - {Role.APPLICANT}
MATRIX: dict[str, set[str]] = {
    "review": {Role.INSPECTOR, Role.ADMINISTRATOR, Role.ATTORNEY, Role.BOARD},
    "compare": {Role.INSPECTOR, Role.ADMINISTRATOR, Role.ATTORNEY, Role.BOARD},
    "grant": {Role.INSPECTOR},
    "deny": {Role.INSPECTOR},
    "fee": {Role.CLERK},
    "fee_reverse": {Role.CLERK},
    "issue": {Role.INSPECTOR, Role.CLERK},
    "escrow_post": {Role.CLERK},
    "escrow_reverse": {Role.CLERK},
    "receipt": EVERYBODY,
    "receipt_calendar": EVERYBODY,
}
"""Page by role; `holder` is the applicant whose case it is, `applicant` another one."""

ACTS = ("grant", "deny", "fee", "fee_reverse", "issue", "escrow_post", "escrow_reverse")


def browser(role: str, application: Application) -> Client:
    user = application.applicant if role == HOLDER else factory.user(role)
    return signed_in(user)


@pytest.mark.parametrize("name", MATRIX)
def test_each_page_opens_for_its_roles_and_nobody_else(name: str) -> None:
    application = factory.received()
    for role in (HOLDER, *Role.values):
        status = browser(role, application).get(url(name, application)).status_code
        assert status == (200 if role in MATRIX[name] else 404), role


@pytest.mark.parametrize("name", MATRIX)
def test_whoever_is_not_signed_in_is_led_to_sign_in(name: str) -> None:
    response = Client().get(url(name, factory.received()))
    assert response.status_code == 302
    assert response.headers["Location"].startswith(reverse("account_login"))


@pytest.mark.parametrize("name", ACTS)
def test_an_act_is_refused_to_whoever_may_not_do_it(name: str) -> None:
    application = factory.received()
    events = application.site.events.count()
    for role in (HOLDER, *Role.values):
        if role not in MATRIX[name]:
            sent = browser(role, application).post(
                url(name, application), {**TERMS, **FEE, "step": "confirm", "end_of_form": ""}
            )
            assert sent.status_code == 404, role
    anonymous = Client().post(url(name, application), {"step": "confirm", "end_of_form": ""})
    assert anonymous.status_code == 302
    assert application.site.events.count() == events


@pytest.mark.parametrize("name", MATRIX)
def test_an_unknown_case_is_unknown(name: str) -> None:
    for role in Role.values:
        response = signed_in(factory.user(role)).get(reverse(name, args=[uuid.uuid4()]))
        assert response.status_code == 404, role


def test_a_paper_is_for_whoever_may_see_the_case() -> None:
    application = factory.denied()
    paper = application.papers.get(kind="denial")
    address = paper.get_absolute_url()
    for role in (HOLDER, *Role.values):
        status = browser(role, application).get(address).status_code
        assert status == (404 if role == Role.APPLICANT else 200), role
    assert Client().get(address).status_code == 302
    assert signed_in(factory.clerk()).get(reverse("paper", args=[uuid.uuid4()])).status_code == 404


def test_a_paper_is_shown_or_saved() -> None:
    application = factory.denied()
    address = application.papers.get(kind="denial").get_absolute_url()
    client = signed_in(application.applicant)
    shown = client.get(address)
    assert shown.headers["Content-Type"] == "application/pdf"
    assert shown.headers["Content-Disposition"].startswith("inline")
    assert shown.headers["X-Content-Type-Options"] == "nosniff"
    saved = client.get(address, {"download": ""})
    assert saved.headers["Content-Disposition"].startswith("attachment")


def test_an_account_that_is_closed_opens_nothing() -> None:
    application = factory.received()
    inspector = factory.inspector()
    client = signed_in(inspector)
    inspector.is_active = False
    inspector.save()
    assert client.get(url("review", application)).status_code == 302


def test_a_role_that_is_taken_away_is_gone_at_once() -> None:
    application = factory.received()
    inspector = factory.inspector()
    client = signed_in(inspector)
    assert client.get(url("grant", application)).status_code == 200
    inspector.role = Role.ATTORNEY
    inspector.save()
    assert client.get(url("grant", application)).status_code == 404


def _rows() -> dict[str, int]:
    models = [
        m for app in ("permits", "escrow", "portal") for m in apps.get_app_config(app).get_models()
    ]
    return {model._meta.label: model._default_manager.count() for model in models}


@pytest.mark.parametrize("state", ["submitted", "received", "granted", "posted", "issued"])
def test_looking_never_changes_anything(state: str) -> None:
    application = factory.STATES[state]()
    clients = [signed_in(factory.user(role)) for role in (Role.INSPECTOR, Role.CLERK)]
    before = _rows()
    for name in MATRIX:
        for client in clients:
            for method in (client.get, client.head, client.options):
                method(url(name, application), {"step": "confirm", **TERMS})
    assert _rows() == before
    application.refresh_from_db()
    expected = {"posted": "granted", "issued": "granted", "received": "under_review"}
    assert application.status == expected.get(state, state)


@pytest.mark.parametrize("name", ACTS)
def test_a_form_of_another_site_does_nothing(name: str) -> None:
    application = factory.received()
    client = Client(enforce_csrf_checks=True)
    role = Role.INSPECTOR if Role.INSPECTOR in MATRIX[name] else Role.CLERK
    client.force_login(factory.user(role))
    events = application.site.events.count()
    sent = client.post(
        url(name, application),
        {**TERMS, "step": "confirm", "end_of_form": ""},
        headers={"origin": "https://elsewhere.example"},
    )
    assert sent.status_code == 403
    assert application.site.events.count() == events


def test_what_was_typed_waits_when_the_session_ended() -> None:
    """The session ends mid-form: sign in again, and the terms are there."""
    application = factory.received()
    client = signed_in(factory.inspector())
    address = url("grant", application)
    shown = fill(client, address, **TERMS)
    client.get(address)  # marks the browser as this person's
    del client.cookies["sessionid"]
    lost = client.post(address, {**fields_of(shown), "step": "confirm"})
    assert lost.status_code == 302
    assert not application.decisions.exists()
    client.force_login(factory.inspector())
    kept = fields_of(client.get(address))
    assert kept["escrow_basis"] == TERMS["escrow_basis"]
    assert kept["permanent_controls_by"] == "2027-07-14"
