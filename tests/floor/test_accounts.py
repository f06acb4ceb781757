"""Accounts: who may have one, what signing in tells strangers, and what mails say."""

from __future__ import annotations

import re
import smtplib

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from portal.accounts import DEMO_PASSWORD, DEMO_PEOPLE, mark_verified
from portal.models import OutboxMessage, Role, User

PASSWORD = "gravel silt straw 77"
NEW_PASSWORD = "willow creek bend 41"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_tries_yet():
    cache.clear()


@pytest.fixture
def person() -> User:
    """An applicant with a confirmed address."""
    user = User.objects.create_user("mai@people.example", PASSWORD, name="Mai Vang")
    mark_verified(user)
    return user


def sign_in(client: Client, email: str, password: str = PASSWORD, **extra: str):
    return client.post(reverse("account_login"), {"login": email, "password": password, **extra})


def sign_up(client: Client, **changed: str):
    details = {
        "name": "Tom Reyes",
        "email": "tom@people.example",
        "telephone": "",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    return client.post(reverse("account_signup"), details | changed)


def link_in(message: mail.EmailMessage) -> str:
    return re.search(r"https?://\S+", str(message.body)).group(0)


def path_of(link: str, settings) -> str:
    assert link.startswith(settings.PUBLIC_URL + "/")
    return link.removeprefix(settings.PUBLIC_URL)


def text_of(response) -> str:
    """The page without what differs by chance or repeats what was typed."""
    page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.content.decode())
    return re.sub(r"\w+@people\.example", "ADDRESS", page)


# Making an account --------------------------------------------------------------------------


def test_a_new_person_is_an_applicant_and_confirms_the_address_first(client, settings):
    assert sign_up(client).status_code == 302
    user = User.objects.get(email="tom@people.example")
    assert (user.name, user.role, user.is_staff) == ("Tom Reyes", Role.APPLICANT, False)
    assert not client.get(reverse("account")).wsgi_request.user.is_authenticated

    path = path_of(link_in(mail.outbox[-1]), settings)
    client.get(path)
    assert not user.emailaddress_set.get().verified, "looking at the link confirms nothing"
    client.post(path)
    assert user.emailaddress_set.get().verified
    assert sign_in(client, user.email).status_code == 302


def test_nobody_gives_themselves_a_role(client):
    sign_up(client, role="inspector", is_staff="on", is_superuser="on", is_active="")
    user = User.objects.get(email="tom@people.example")
    assert (user.role, user.is_staff, user.is_superuser) == (Role.APPLICANT, False, False)


def test_nobody_changes_their_own_role_or_address_with_their_name(client, person):
    client.force_login(person)
    client.post(reverse("account"), {"name": "Mai", "role": "clerk", "email": "x@people.example"})
    person.refresh_from_db()
    assert (person.name, person.role, person.email) == ("Mai", "applicant", "mai@people.example")


@pytest.mark.parametrize(
    "name", ["Tom\r\nBcc: all@evil.example", "Tom\nSubject: x", "Tom\x00", "Tom\u2028Bcc: x"]
)
def test_a_name_starts_no_header(client, name):
    sign_up(client, name=name)
    for user in User.objects.all():
        assert not re.search(r"[\r\n\x00\u2028]", user.name)
    for message in mail.outbox:
        assert message.recipients() == ["tom@people.example"]
        assert "\n" not in message.subject


@pytest.mark.parametrize(
    "address", ["tom@people.example\nBcc: x@evil.example", "a@b.example,c@d.example", "tom"]
)
def test_an_address_is_one_address(client, address):
    response = sign_up(client, email=address)
    assert response.status_code == 200
    assert not User.objects.exists()
    assert not mail.outbox
    assert b"Write an e-mail address, such as name@example.com." in response.content


@pytest.mark.parametrize("page", ["account_signup", "account_email", "account_reset_password"])
def test_a_long_address_is_refused_and_never_cut(client, person, page):
    client.force_login(person) if page == "account_email" else None
    address = "@".join(["t" * 60, ".".join(["people"] * 40) + ".example"])
    details = {"name": "Tom", "email": address, "password1": PASSWORD, "password2": PASSWORD}
    response = client.post(reverse(page), {**details, "action_add": ""})
    assert f"Write at most 254 characters; there are {len(address)}." in response.content.decode()
    assert User.objects.get() == person
    assert not mail.outbox


@pytest.mark.parametrize(
    ("password", "taken"),
    [
        pytest.param("short words", False, id="eleven characters"),
        pytest.param("password1234", False, id="very common"),
        pytest.param("a b c d e f ", True, id="twelve, kept exactly as typed"),
        pytest.param("long " * 20, True, id="a hundred characters"),
    ],
)
def test_twelve_uncommon_characters_without_other_rules(client, password, taken):
    sign_up(client, password1=password, password2=password)
    assert User.objects.exists() == taken
    assert not taken or User.objects.get().check_password(password)


# What strangers learn -----------------------------------------------------------------------


def test_sign_in_does_not_tell_whether_an_account_exists(person):
    known = sign_in(Client(), person.email, "not the password 1")
    unknown = sign_in(Client(), "nobody@people.example", "not the password 1")
    assert (known.status_code, unknown.status_code) == (200, 200)
    assert text_of(known) == text_of(unknown)
    assert "The e-mail address or the password is not right." in text_of(known)


def test_a_wrong_sign_in_takes_as_long_with_an_account_as_without(person, monkeypatch):
    hashed = []
    encode = MD5PasswordHasher.encode
    counting = lambda self, *args: hashed.append(1) or encode(self, *args)  # noqa: E731
    monkeypatch.setattr(MD5PasswordHasher, "encode", counting)
    counts = []
    for email in (person.email, "nobody@people.example"):
        hashed.clear()
        sign_in(Client(), email, "not the password 1")
        counts.append(len(hashed))
    assert counts[0] == counts[1] > 0


def test_password_reset_does_not_tell_whether_an_account_exists(person):
    pages = [
        Client().post(reverse("account_reset_password"), {"email": email}, follow=True)
        for email in (person.email, "nobody@people.example")
    ]
    assert text_of(pages[0]) == text_of(pages[1])
    assert pages[0].redirect_chain == pages[1].redirect_chain
    assert [message.to for message in mail.outbox] == [[person.email], ["nobody@people.example"]]


def test_sign_up_does_not_tell_whether_an_account_exists(person):
    pages = []
    for email in (person.email, "new@people.example"):
        client = Client()
        response = sign_up(client, email=email)
        pages.append((response.status_code, response.url, text_of(client.get(response.url))))
    assert pages[0] == pages[1]
    assert User.objects.filter(email=person.email).count() == 1
    assert person.check_password(PASSWORD)
    assert "There is one already" in str(mail.outbox[0].body)


# Links in mails -----------------------------------------------------------------------------


def test_the_reset_link_is_built_from_the_configured_address(person, settings):
    settings.PUBLIC_URL = "https://permits.city.example"
    Client().post(
        reverse("account_reset_password"),
        {"email": person.email},
        headers={"X-Forwarded-Host": "evil.example"},
    )
    assert link_in(mail.outbox[-1]).startswith("https://permits.city.example/accounts/password/")
    assert "evil.example" not in mail.outbox[-1].message().as_string()


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "testserver@evil.example"])
def test_another_host_is_refused(person, host):
    response = Client().post(
        reverse("account_reset_password"), {"email": person.email}, headers={"Host": host}
    )
    assert response.status_code == 400
    assert not mail.outbox
    assert b"This could not be read" in response.content


def test_a_reset_link_works_once_and_for_an_hour(person, settings, at):
    at("2026-12-08", "09:00")
    paths = []
    for _ in range(2):
        Client().post(reverse("account_reset_password"), {"email": person.email})
        paths.append(path_of(link_in(mail.outbox[-1]), settings))

    def choose(path: str) -> bool:
        client = Client()
        page = client.get(path, follow=True)
        action = page.request["PATH_INFO"]
        client.post(action, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})
        person.refresh_from_db()
        return person.check_password(NEW_PASSWORD)

    at("2026-12-08", "10:01")
    assert not choose(paths[0]), "older than an hour"
    at("2026-12-08", "09:59")
    assert choose(paths[0])
    person.set_password(PASSWORD)
    person.save()
    assert not choose(paths[0]), "used before"
    assert not choose(paths[1]), "the password changed since"


def test_a_mail_server_that_is_down_disturbs_nobody(client, monkeypatch):
    def fail(*args, **kwargs):
        raise smtplib.SMTPServerDisconnected

    monkeypatch.setattr("django.core.mail.EmailMessage.send", fail)
    assert sign_up(client).status_code == 302
    waiting = OutboxMessage.objects.get()
    assert waiting.recipient == "tom@people.example"
    assert "press the button" in waiting.body


@pytest.mark.parametrize(
    "target",
    [
        "//evil.example",
        "/\\evil.example",
        "https:evil.example",
        "https://evil.example/",
        "javascript:alert(1)",
        "\x00//evil.example",
        "/%0d%0aLocation:%20//evil.example",
        "http://testserver.evil.example/",
        "///evil.example",
    ],
)
def test_signing_in_leads_only_into_the_portal(client, person, target):
    response = sign_in(client, person.email, next=target)
    assert response.status_code == 302
    assert response.url.startswith("/")
    assert not response.url.startswith(("//", "/\\"))
    assert "\r" not in response.url


def test_signing_in_leads_to_the_page_that_was_asked_for(client, person):
    assert sign_in(client, person.email, next="/account/").url == "/account/"


# Many tries ---------------------------------------------------------------------------------

LIMITS = {"login_failed": "10/15m/key,100/15m/ip"}


def test_ten_failed_tries_pause_one_place_and_lock_nobody_out(person, settings, at):
    settings.ACCOUNT_RATE_LIMITS = LIMITS
    at("2026-12-08", "09:00")
    attacker, owner = Client(REMOTE_ADDR="192.0.2.1"), Client(REMOTE_ADDR="192.0.2.2")
    for number in range(10):
        assert b"is not right" in sign_in(attacker, person.email, f"guess number {number}").content
    paused = sign_in(attacker, person.email)
    assert b"Too many tries" in paused.content, "even with the right password"
    assert sign_in(owner, person.email).status_code == 302, "the owner, elsewhere, gets in"
    at("2026-12-08", "09:16")
    assert sign_in(attacker, person.email).status_code == 302, "nothing is locked for good"


def test_a_forged_forwarding_header_gives_no_fresh_tries(person, settings):
    settings.ACCOUNT_RATE_LIMITS = LIMITS
    client = Client(REMOTE_ADDR="192.0.2.1")
    answers = [
        client.post(
            reverse("account_login"),
            {"login": person.email, "password": f"guess number {n}"},
            headers={"X-Forwarded-For": f"198.51.100.{n}"},
        ).content
        for n in range(12)
    ]
    assert [b"Too many tries" in answer for answer in answers] == [False] * 10 + [True] * 2


def test_thirty_sign_ins_a_minute_from_one_place_then_a_pause_in_words(person, settings, at):
    settings.ACCOUNT_RATE_LIMITS = LIMITS
    at("2026-12-08", "09:00")
    client = Client(REMOTE_ADDR="192.0.2.1")
    for number in range(30):
        sign_in(client, f"person{number}@people.example", "a guess for all")
    refused = sign_in(client, person.email)
    assert refused.status_code == 429
    assert b"Your account is not locked" in refused.content
    at("2026-12-08", "09:02")
    assert sign_in(client, person.email).status_code == 302


def test_one_place_tries_many_people_a_hundred_times_at_most(settings):
    settings.ACCOUNT_RATE_LIMITS = LIMITS | {"login": None}
    client = Client(REMOTE_ADDR="192.0.2.1")
    answers = [
        sign_in(client, f"person{n}@people.example", "a guess for all").content for n in range(102)
    ]
    assert [b"Too many tries" in answer for answer in answers].count(True) == 2


# Changing the password ----------------------------------------------------------------------


def test_a_change_needs_the_present_password_and_is_told_by_mail(client, person):
    client.force_login(person)
    url = reverse("account_change_password")
    new = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    assert client.post(url, {"oldpassword": "something else 1"} | new).status_code == 200
    assert client.post(url, {"oldpassword": PASSWORD} | new).status_code == 302
    person.refresh_from_db()
    assert person.check_password(NEW_PASSWORD)
    assert mail.outbox[-1].subject == "Your password was changed"
    assert mail.outbox[-1].to == [person.email]


# The demo -----------------------------------------------------------------------------------


@pytest.fixture
def demo_city(db):
    for email, name, role in DEMO_PEOPLE:
        mark_verified(User.objects.create_user(email, DEMO_PASSWORD, name=name, role=role))


def test_demo_accounts_are_shown_in_the_demo_only(client, demo_city, settings):
    assert DEMO_PASSWORD.encode() not in client.get(reverse("account_login")).content
    settings.DEMO = True
    page = client.get(reverse("account_login")).content.decode()
    assert all(email in page for email, _name, _role in DEMO_PEOPLE)
    assert DEMO_PASSWORD in page


def test_the_demos_mail_can_be_read_in_the_demo_only(client, settings, tmp_path):
    assert client.get(reverse("demo_mail")).status_code == 404
    settings.DEMO = True
    settings.EMAIL_FILE_PATH = tmp_path
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    assert b"No mail yet." in client.get(reverse("demo_mail")).content
    mail.send_mail("First", "See http://127.0.0.1:8000/x/", "city@city.example", ["a@b.example"])
    mail.send_mail("Äpfel", "Second", "city@city.example", ["c@d.example"])
    page = client.get(reverse("demo_mail")).content.decode()
    assert "First" in page
    assert "Äpfel" in page
    assert '<a href="http://127.0.0.1:8000/x/"' in page
