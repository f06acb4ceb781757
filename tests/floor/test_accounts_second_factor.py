"""The second factor: for all who want it, and not to be avoided by staff."""

from __future__ import annotations

import re
import time

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from portal.accounts import mark_verified
from portal.models import Role, User

PASSWORD = "gravel silt straw 77"
NEW_PASSWORD = "willow creek bend 41"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _required(settings):
    cache.clear()
    settings.STAFF_SECOND_FACTOR = True


def account_for(role: str) -> User:
    user = User.objects.create_user(f"{role}@city.example", PASSWORD, name=role, role=role)
    mark_verified(user)
    return user


def sign_in(client: Client, user: User, password: str = PASSWORD):
    return client.post(reverse("account_login"), {"login": user.email, "password": password})


def code_for(secret: str, ahead: int = 0) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + ahead))


def give_code(client: Client, code: str):
    return client.post(reverse("mfa_authenticate"), {"code": code})


def is_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def set_up(client: Client) -> str:
    """Set the app up and return its secret."""
    page = client.get(reverse("mfa_activate_totp")).content.decode()
    secret = re.search(r'<strong class="code">(\w+)</strong>', page).group(1)
    done = client.post(reverse("mfa_activate_totp"), {"code": code_for(secret)})
    assert done.status_code == 302, done.content
    cache.clear()  # the code was used a moment ago; the tests go on at once
    return secret


@pytest.mark.parametrize("role", [role for role in Role if role != Role.APPLICANT])
def test_staff_without_one_are_led_to_its_set_up_from_everywhere(client, role):
    sign_in(client, account_for(role))
    for url in (reverse("account"), reverse("front"), "/no/such/page/"):
        response = client.get(url)
        assert (response.status_code, response.url) == (302, reverse("mfa_activate_totp"))
    page = client.get(reverse("mfa_activate_totp"))
    assert b"signs in with a second factor" in page.content
    assert client.post(reverse("account_logout")).status_code == 302


def test_an_applicant_may_do_without(client):
    sign_in(client, account_for(Role.APPLICANT))
    assert is_in(client)


def test_with_it_the_password_alone_opens_nothing(client):
    inspector = account_for(Role.INSPECTOR)
    sign_in(client, inspector)
    secret = set_up(client)
    assert is_in(client)
    client.post(reverse("account_logout"))

    assert sign_in(client, inspector).url.startswith(reverse("mfa_authenticate"))
    assert not is_in(client), "the second step cannot be skipped by its address"
    assert b"This code is not right" in give_code(client, "000000").content
    assert give_code(client, code_for(secret)).status_code == 302
    assert is_in(client)


def test_a_code_opens_once(client):
    inspector = account_for(Role.INSPECTOR)
    sign_in(client, inspector)
    code = code_for(set_up(client))
    first, second = Client(), Client()
    for other in (first, second):
        sign_in(other, inspector)
        give_code(other, code)
    assert (is_in(first), is_in(second)) == (True, False)


def test_six_digits_cannot_be_tried_through(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "10/15m/key,100/15m/ip"}
    inspector = account_for(Role.INSPECTOR)
    sign_in(client, inspector)
    secret = set_up(client)
    attacker = Client()
    sign_in(attacker, inspector)
    for number in range(20):
        give_code(attacker, f"{number:06d}")
    give_code(attacker, code_for(secret))
    assert not is_in(attacker)


def test_a_new_password_by_mail_does_not_go_around_it(client, settings):
    inspector = account_for(Role.INSPECTOR)
    sign_in(client, inspector)
    set_up(client)
    other = Client()
    other.post(reverse("account_reset_password"), {"email": inspector.email})
    link = re.search(rf"{settings.PUBLIC_URL}(\S+)", str(mail.outbox[-1].body)).group(1)
    action = other.get(link, follow=True).request["PATH_INFO"]
    other.post(action, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
    assert not is_in(other)
    assert sign_in(other, inspector, NEW_PASSWORD).url.startswith(reverse("mfa_authenticate"))
    assert not is_in(other)


def test_a_recovery_code_opens_once(client):
    inspector = account_for(Role.INSPECTOR)
    sign_in(client, inspector)
    set_up(client)
    page = client.get(reverse("mfa_view_recovery_codes")).content.decode()
    code = re.findall(r"<li>(\d{8})</li>", page)[0]
    first, second = Client(), Client()
    for other in (first, second):
        sign_in(other, inspector)
        give_code(other, code)
    assert (is_in(first), is_in(second)) == (True, False)


def test_taking_it_away_asks_who_you_are_and_leads_staff_back(client):
    inspector = account_for(Role.INSPECTOR)
    sign_in(client, inspector)
    set_up(client)
    session = client.session
    session["signed_in_at"] -= 6 * 60
    session["account_authentication_methods"] = []
    session.save()
    away = client.post(reverse("mfa_deactivate_totp"))
    assert away.url.startswith(reverse("account_reauthenticate"))
    client.post(away.url, {"password": PASSWORD})
    client.post(reverse("mfa_deactivate_totp"))
    assert client.get(reverse("account")).url == reverse("mfa_activate_totp")
    assert mail.outbox[-1].subject == "The second factor was taken away"


def test_every_page_of_it_is_ours(client):
    sign_in(client, account_for(Role.INSPECTOR))
    set_up(client)
    names = ["mfa_index", "mfa_view_recovery_codes", "mfa_generate_recovery_codes"]
    names += ["mfa_deactivate_totp", "mfa_reauthenticate", "account_reauthenticate"]
    for name in [*names, "account_email", "account_change_password", "account_logout"]:
        page = client.get(reverse(name)).content.decode()
        assert page.count("<h1>") == 1, name
        assert 'class="masthead"' in page, name
        assert "<title>" in page.split("</title>")[0], name
