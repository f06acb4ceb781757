"""The headers of every answer, whatever its status; nothing personal stays in a cache."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.test import Client
from django.urls import include, path, reverse

from portal.accounts import mark_verified
from portal.models import User
from tests.conftest import ROOT

pytestmark = pytest.mark.django_db


def broken(request):
    raise RuntimeError("secret detail")


def refused(request):
    raise PermissionDenied("Only the building inspector decides.")


def csv(request):
    return HttpResponse("a,b\r\n", content_type="text/csv")


urlpatterns = [
    path("broken/", broken),
    path("refused/", refused),
    path("csv/", csv),
    path("", include(settings.ROOT_URLCONF)),
]
handler400 = "portal.views.errors.bad_request"
handler403 = "portal.views.errors.forbidden"
handler404 = "portal.views.errors.not_found"
handler500 = "portal.views.errors.server_error"

ANSWERS = [
    pytest.param("/", {}, 200, id="a page"),
    pytest.param("/account/", {}, 302, id="a redirect to sign-in"),
    pytest.param("/account", {}, 301, id="a missing slash"),
    pytest.param("/", {"Host": "evil.example"}, 400, id="another host"),
    pytest.param("/refused/", {}, 403, id="refused"),
    pytest.param("/no/such/page/", {}, 404, id="no such page"),
    pytest.param("/broken/", {}, 500, id="broken"),
    pytest.param("/csv/", {}, 200, id="a table"),
    pytest.param("/static/siltfence.css", {}, 200, id="a static file"),
    pytest.param("/static/none.css", {}, 404, id="no such static file"),
]


@pytest.fixture
def visitor() -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(("address", "headers", "status"), ANSWERS)
def test_every_answer_is_guarded(visitor, address, headers, status):
    response = visitor.get(address, headers=headers)
    assert response.status_code == status
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    policy = response["Content-Security-Policy"]
    for rule in ("default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"):
        assert rule in policy
    assert "unsafe" not in policy
    if response.get("Content-Type", "").startswith("text/"):
        assert "charset=" in response["Content-Type"]


@pytest.mark.urls(__name__)
def test_pages_allow_only_what_is_ours(visitor):
    policy = visitor.get("/")["Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";") if rule.strip())
    assert rules["script-src"] == rules["style-src"] == rules["form-action"] == "'self'"
    assert rules["object-src"] == "'none'"


@pytest.mark.urls(__name__)
def test_an_error_page_tells_what_to_do_and_no_secret(visitor):
    page = visitor.get("/broken/").content.decode()
    assert "Something broke on our side" in page
    assert "secret detail" not in page
    assert "RuntimeError" not in page
    assert "Only the building inspector decides." in visitor.get("/refused/").content.decode()


@pytest.mark.urls(__name__)
def test_the_error_page_needs_no_database(visitor, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert visitor.get("/broken/").status_code == 500


def test_nothing_personal_stays_in_a_cache(client):
    person = User.objects.create_user("mai@people.example", "gravel silt straw 77", name="Mai")
    mark_verified(person)
    client.force_login(person)
    for address in ("/", reverse("account"), reverse("account_email"), "/no/such/page/"):
        response = client.get(address)
        assert response["Cache-Control"] == "private, no-store", address
        assert "Cookie" in response["Vary"], address
    assert client.post(reverse("account_logout"))["Cache-Control"] == "private, no-store"


def test_a_strangers_page_is_asked_for_anew(client):
    response = client.get("/")
    assert response["Cache-Control"] == "private, no-cache"
    assert "Cookie" in response["Vary"]


def test_no_page_is_cached_on_the_server(settings):
    assert not [name for name in settings.MIDDLEWARE if "CacheMiddleware" in name]
    sources = [*ROOT.glob("portal/**/*.py"), *ROOT.glob("permits/**/*.py")]
    assert not [file for file in sources if "cache_page" in file.read_text()]


PRINT_SETTINGS = """
import json
from portal import settings as s
names = [n for n in dir(s) if n.startswith(("SECURE_", "SESSION_COOKIE", "CSRF_COOKIE"))]
print(json.dumps({n: getattr(s, n) for n in names}))
"""


def test_production_cookies_and_https(tmp_path):
    env = os.environ | {
        "SILTFENCE_MODE": "production",
        "SILTFENCE_VAR": str(tmp_path),
        "SECRET_KEY": "k" * 60,
        "RECORD_KEY": "r" * 60,
        "PUBLIC_URL": "https://permits.city.example",
        "ALLOWED_HOSTS": "permits.city.example",
        "MAIL_URL": "smtp://127.0.0.1:25",
    }
    run = [sys.executable, "-c", PRINT_SETTINGS]
    printed = subprocess.run(run, env=env, cwd=ROOT, capture_output=True, text=True, check=True)
    found = json.loads(printed.stdout)
    for cookie in ("SESSION", "CSRF"):
        assert found[f"{cookie}_COOKIE_NAME"].startswith("__Host-")
        assert found[f"{cookie}_COOKIE_SECURE"] is True
    assert found["CSRF_COOKIE_HTTPONLY"] is True
    assert found["SESSION_COOKIE_SAMESITE"] == "Lax"
    assert found["SECURE_HSTS_SECONDS"] >= 365 * 24 * 60 * 60


def test_https_answers_carry_hsts(settings):
    settings.SECURE_HSTS_SECONDS, settings.SECURE_SSL_REDIRECT = 31_536_000, True
    client = Client()
    assert client.get("/").status_code == 301
    secure = client.get("/", secure=True)
    assert secure["Strict-Transport-Security"].startswith("max-age=31536000")


def test_every_cookie_is_closed_to_scripts_and_other_sites(settings, client):
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    settings.SESSION_COOKIE_NAME = "__Host-sessionid"
    person = User.objects.create_user("mai@people.example", "gravel silt straw 77", name="Mai")
    mark_verified(person)
    data = {"login": person.email, "password": "gravel silt straw 77"}
    client.get(reverse("account_login"))
    response = client.post(reverse("account_login"), data, secure=True)
    assert {"__Host-sessionid", "__Host-person"} <= set(response.cookies)
    for cookie in response.cookies.values():
        assert cookie["httponly"], cookie
        assert cookie["secure"], cookie
        assert cookie["samesite"] == "Lax", cookie
        assert not cookie["domain"], cookie


INLINE = re.compile(
    r"<script(?![^>]*\bsrc=)[^>]*>|<style\b|\sstyle\s*=|\son[a-z]+\s*=\s*[\"']|javascript:", re.I
)


def test_no_template_has_anything_inline():
    papers = ROOT / "templates" / "papers"  # paper, not pages: no browser reads them
    found = [
        f"{file.relative_to(ROOT)}: {match.group(0)}"
        for file in (ROOT / "templates").rglob("*.html")
        if papers not in file.parents
        for match in INLINE.finditer(file.read_text())
    ]
    assert not found
