"""Every address for every role: the matrix is complete, and the portal keeps to it."""

from __future__ import annotations

import tomllib
from datetime import datetime, time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.conf import settings
from django.db import transaction
from django.template.backends.django import Template
from django.test import Client, override_settings

from portal import papers
from portal.models import User
from tests import factory, scene

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

MATRIX: dict[str, dict[str, str]] = tomllib.loads(
    (Path(__file__).parent / "authz.toml").read_text(encoding="utf-8")
)
ADMIN = "admin/"
FORM = {"end_of_form": ""}


@pytest.fixture(scope="module")
def built(lasting_database: None, tmp_path_factory) -> tuple[scene.Scene, Path]:
    """The people and the cases, and where their files are: made once, on the factory's Monday."""
    folder = tmp_path_factory.mktemp("files")
    noon = datetime.combine(factory.MONDAY, time(12), ZoneInfo(settings.TIME_ZONE))
    with (
        pytest.MonkeyPatch.context() as patch,
        override_settings(MEDIA_ROOT=folder),
        time_machine.travel(noon),
    ):
        patch.setattr(papers, "render", scene.quick_paper)
        return scene.build(), folder


@pytest.fixture
def on_scene(
    built: tuple[scene.Scene, Path], monkeypatch: pytest.MonkeyPatch, at, settings
) -> scene.Scene:
    """The scene half an hour later: the draft was not begun a moment ago."""
    monkeypatch.setattr(papers, "render", scene.quick_paper)
    at(factory.MONDAY, "12:30")
    made, settings.MEDIA_ROOT = built
    return made


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Render nothing: where only the answer counts, the pages need not be made."""
    monkeypatch.setattr(Template, "render", lambda *args, **kwargs: "")


def browser(person: User | None) -> Client:
    client = Client(raise_request_exception=False)
    if person is not None:
        client.force_login(person)
    return client


def expected(row: dict[str, str], method: str, role: str) -> str:
    answers = row[method].split()
    return answers[scene.ROLES.index(role)] if len(answers) > 1 else answers[0]


def answered(response: Any) -> str:
    """Return the status, or `login` for the way to the sign-in page."""
    if response.status_code == 302 and response.url.startswith("/accounts/login/"):
        return "login"
    return str(response.status_code)


# The matrix itself ------------------------------------------------------------------------


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    found = {address for address in scene.addresses() if not address.startswith(ADMIN)}
    assert found - set(MATRIX) == set(), "addresses without a row in tests/authz.toml"
    assert set(MATRIX) - found == set(), "rows without an address in tests/authz.toml"


def test_each_row_answers_for_every_role() -> None:
    for address, row in MATRIX.items():
        assert set(row) <= {"state", "get", "post"}, address
        for method in ("get", "post"):
            assert len(row[method].split()) in (1, len(scene.ROLES)), (address, method)


def test_strangers_learn_nothing() -> None:
    """What is not theirs does not exist for them: 404, and never 403."""
    for address, row in MATRIX.items():
        if address.startswith("accounts/"):
            continue
        for role in scene.ROLES:
            assert expected(row, "get", role) != "403", address
            assert expected(row, "post", role) != "403", address


def test_whoever_is_not_signed_in_comes_to_no_case() -> None:
    cases = ("applications/", "cases/", "papers/", "files/", "desk/", "home/", "money/", "people/")
    for address, row in MATRIX.items():
        if address.startswith(cases):
            assert expected(row, "get", "anonymous") == "login", address
            assert expected(row, "get", "other") in ("404", "405", "200"), address
            if "<" in address and "recall" not in address:
                assert expected(row, "get", "other") == "404", address


# The portal keeps to it -------------------------------------------------------------------


@pytest.mark.parametrize("role", scene.ROLES)
def test_pages_answer_as_the_matrix_says_and_change_nothing(
    on_scene: scene.Scene, role: str
) -> None:
    client = browser(on_scene.person(role))
    before = scene.fingerprint()
    wrong = {}
    for address, row in MATRIX.items():
        response = client.get(on_scene.path(address, row.get("state", "received")))
        if answered(response) != expected(row, "get", role):
            wrong[address] = answered(response)
        elif role != "anonymous":  # nothing of it stays in a cache or behind the back button
            assert response["Cache-Control"] == "private, no-store", address
    assert wrong == {}
    after = scene.fingerprint()
    assert {table for table in after if after[table] != before[table]} == set()


@pytest.mark.parametrize("role", scene.ROLES)
def test_forms_answer_as_the_matrix_says(on_scene: scene.Scene, bare: None, role: str) -> None:
    wrong = {}
    for address, row in MATRIX.items():
        with transaction.atomic():
            client = browser(on_scene.person(role))
            response = client.post(on_scene.path(address, row.get("state", "received")), FORM)
            transaction.set_rollback(True)
        if answered(response) != expected(row, "post", role):
            wrong[address] = answered(response)
    assert wrong == {}


@pytest.mark.once
@pytest.mark.parametrize("role", ["anonymous", "other", "administrator"])
@pytest.mark.parametrize("method", ["head", "options", "put", "patch", "delete"])
def test_other_methods_change_nothing(
    on_scene: scene.Scene, bare: None, role: str, method: str
) -> None:
    client = browser(on_scene.person(role))
    before = scene.fingerprint()
    for address, row in MATRIX.items():
        path = on_scene.path(address, row.get("state", "received"))
        response = getattr(client, method)(path)
        if method == "head":
            assert answered(response) == expected(row, "get", role), address
        elif address != "healthz":  # 503 there says that no worker runs
            assert response.status_code < 500, address
    assert scene.fingerprint() == before


# Django's admin ---------------------------------------------------------------------------


@pytest.mark.once
@pytest.mark.parametrize("role", scene.ROLES)
def test_the_admin_is_an_unknown_page_to_everybody(
    on_scene: scene.Scene, bare: None, role: str
) -> None:
    client = browser(on_scene.person(role))
    for address in (each for each in scene.addresses() if each.startswith(ADMIN)):
        path = "/" + address.replace("<path:object_id>", "1").replace("<path:content_type_id>", "1")
        path = path.replace("(?P<app_label>portal|permits)", "permits")
        for method in (client.get, client.post):
            assert method(path).status_code == 404, (address, method)


def test_a_superuser_reads_the_tables_and_changes_none(on_scene: scene.Scene) -> None:
    root = User.objects.create_superuser("root@example.test", factory.PASSWORD, name="Root")
    client = browser(root)
    application = on_scene.cases["received"]
    for path in (
        "/admin/",
        "/admin/permits/application/",
        f"/admin/permits/application/{application.pk}/change/",
        "/admin/permits/caseevent/",
        "/admin/portal/user/",
    ):
        assert client.get(path).status_code == 200, path
    page = client.get(f"/admin/portal/user/{root.pk}/change/").content.decode()
    assert root.feed_key not in page
    assert "argon2" not in page
    before = scene.fingerprint()
    for path in (
        "/admin/permits/application/add/",
        f"/admin/permits/application/{application.pk}/change/",
        f"/admin/permits/application/{application.pk}/delete/",
        f"/admin/portal/user/{root.pk}/change/",
        f"/admin/portal/user/{root.pk}/delete/",
    ):
        assert client.post(path, {"post": "yes", "status": "granted"}).status_code == 403, path
    assert scene.fingerprint() == before
