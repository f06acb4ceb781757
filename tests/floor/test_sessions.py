"""Sessions: how they begin and end, and that nothing typed is lost when one does."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from io import BytesIO
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image

from portal.accounts import mark_verified
from portal.models import Role, Upload, User

PASSWORD = "gravel silt straw 77"
NEW_PASSWORD = "willow creek bend 41"
MORNING = datetime(2026, 12, 8, 8, 0, tzinfo=ZoneInfo("America/Chicago"))

pytestmark = pytest.mark.django_db


def a_photo() -> bytes:
    picture = BytesIO()
    Image.new("RGB", (40, 30), "tan").save(picture, "PNG")
    return picture.getvalue()


def account_for(email: str, role: str = Role.APPLICANT) -> User:
    user = User.objects.create_user(email, PASSWORD, name=email.split("@")[0], role=role)
    mark_verified(user)
    return user


@pytest.fixture
def person() -> User:
    return account_for("mai@people.example")


@pytest.fixture
def clock():
    """A clock that stands still until it is moved."""
    with time_machine.travel(MORNING, tick=False) as traveller:
        yield traveller


def sign_in(client: Client, user: User, password: str = PASSWORD, **extra: str):
    data = {"login": user.email, "password": password, **extra}
    return client.post(reverse("account_login"), data)


def is_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


# Beginning and ending -----------------------------------------------------------------------


def test_signing_in_gives_a_new_session(client, person):
    client.cookies["sessionid"] = "chosenbysomebodyelse00000000000a"
    sign_in(client, person)
    first = client.cookies["sessionid"].value
    assert first != "chosenbysomebodyelse00000000000a"

    before = Client()
    before.get(reverse("account"))
    session = before.session
    session["something"] = "from before"
    session.save()
    before.cookies["sessionid"] = session.session_key
    sign_in(before, person)
    assert before.cookies["sessionid"].value != session.session_key


def test_a_session_that_was_signed_out_cannot_be_played_again(client, person):
    sign_in(client, person)
    key = client.cookies["sessionid"].value
    assert is_in(client)
    client.post(reverse("account_logout"))
    client.cookies["sessionid"] = key
    assert not is_in(client)


def test_signing_out_by_a_link_does_nothing(client, person):
    sign_in(client, person)
    client.get(reverse("account_logout"))
    assert is_in(client)


def test_a_new_password_ends_the_other_sessions(person):
    here, elsewhere = Client(), Client()
    sign_in(here, person)
    sign_in(elsewhere, person)
    new = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    here.post(reverse("account_change_password"), new)
    assert is_in(here)
    assert not is_in(elsewhere)


def test_a_closed_account_is_out_at_once_and_stays_out(client, person):
    sign_in(client, person)
    User.objects.filter(pk=person.pk).update(is_active=False)
    assert not is_in(client)
    response = sign_in(client, person)
    assert response.url == reverse("account_inactive")
    assert not is_in(client)


def test_a_change_of_role_counts_from_the_next_page(client, person):
    sign_in(client, person)
    assert b"applicant" in client.get(reverse("account")).content
    User.objects.filter(pk=person.pk).update(role=Role.CLERK)
    assert b"city clerk" in client.get(reverse("account")).content


# Limits -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "minutes"), [(Role.INSPECTOR, 30), (Role.CLERK, 30), (Role.APPLICANT, 60)]
)
def test_a_session_ends_after_an_idle_time(client, clock, role, minutes):
    sign_in(client, account_for("somebody@people.example", role))
    assert is_in(client)
    clock.shift(timedelta(minutes=minutes - 1))
    assert is_in(client), "a page opened in time"
    clock.shift(timedelta(minutes=minutes))
    response = client.get(reverse("account"), follow=True)
    assert response.redirect_chain[0][0].startswith(reverse("account_login"))
    assert f"no page was opened for {minutes} minutes" in response.content.decode()


def test_a_session_ends_twelve_hours_after_sign_in_however_busy(client, clock, person):
    sign_in(client, person)
    for _ in range(12 * 2 - 1):
        clock.shift(timedelta(minutes=30))
        assert is_in(client)
    clock.shift(timedelta(minutes=30))
    assert not is_in(client)


def test_the_twelve_hours_begin_again_with_each_sign_in(client, clock, person):
    sign_in(client, person)
    clock.shift(timedelta(hours=11))
    sign_in(client, person)
    clock.shift(timedelta(minutes=59))
    assert is_in(client)


def test_an_idle_session_is_written_at_most_once_a_minute(client, clock, person):
    sign_in(client, person)
    is_in(client)
    clock.shift(timedelta(seconds=20))
    assert not client.get(reverse("account")).cookies.get("sessionid")
    assert "seen_at" in client.session


# A form that came too late ------------------------------------------------------------------


def test_what_was_typed_is_there_after_signing_in_again(client, clock, person):
    sign_in(client, person)
    page = reverse("account")
    client.get(page)
    clock.shift(timedelta(hours=2))
    late = client.post(page, {"name": "Mai <Vang> & Söhne", "telephone": "555 010 0100"})
    assert late.status_code == 302
    assert late.url == f"{reverse('account_login')}?next=%2Faccount%2F"
    assert b"What you typed is kept." in client.get(late.url).content
    person.refresh_from_db()
    assert person.name == "mai", "nothing is done without a session"

    response = sign_in(client, person, next=page)
    shown = client.get(response.url)
    assert b'value="Mai &lt;Vang&gt; &amp; S\xc3\xb6hne"' in shown.content
    assert b'value="555 010 0100"' in shown.content
    assert b"Nothing was sent yet" in shown.content
    assert b"Nothing was sent yet" in client.get(page).content, "opening it twice loses nothing"

    client.post(page, {"name": "Mai Vang", "telephone": "555 010 0100"})
    after = client.get(page)
    assert b'value="Mai Vang"' in after.content
    assert b"Nothing was sent yet" not in after.content


def test_a_session_that_is_gone_altogether_loses_nothing_either(client, person):
    sign_in(client, person)
    page = reverse("account")
    client.get(page)
    del client.cookies["sessionid"]
    client.post(page, {"name": "Mai Overnight", "telephone": ""})
    sign_in(client, person)
    assert b'value="Mai Overnight"' in client.get(page).content


def test_somebody_else_does_not_see_it(client, clock, person):
    other = account_for("tom@people.example")
    sign_in(client, person)
    client.get(reverse("account"))
    clock.shift(timedelta(hours=2))
    client.post(reverse("account"), {"name": "Secret Name", "telephone": ""})
    sign_in(client, other)
    assert b"Secret Name" not in client.get(reverse("account")).content
    client.post(reverse("account_logout"))
    sign_in(client, person)
    assert b"Secret Name" not in client.get(reverse("account")).content, "dropped, not passed on"


def test_a_stranger_can_leave_nothing_on_the_server(client):
    response = client.post(reverse("account"), {"name": "x" * 1000})
    assert response.status_code == 302
    assert "kept_forms" not in client.session


def test_passwords_and_codes_are_kept_nowhere(client, clock, person):
    sign_in(client, person)
    client.get(reverse("account"))
    clock.shift(timedelta(hours=2))
    client.post(
        reverse("account_change_password"),
        {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD},
    )
    client.post(reverse("account"), {"name": "Mai", "code": "123456", "csrfmiddlewaretoken": "t"})
    kept = str(client.session.get("kept_forms"))
    assert "Mai" in kept
    assert not re.search(f"{PASSWORD}|{NEW_PASSWORD}|123456|csrf", kept)


def test_kept_answers_are_dropped_after_a_day(client, clock, person):
    sign_in(client, person)
    client.get(reverse("account"))
    clock.shift(timedelta(hours=2))
    client.post(reverse("account"), {"name": "Mai Late", "telephone": ""})
    session = client.session
    session["kept_forms"]["/account/"]["at"] -= 25 * 60 * 60
    session.save()
    sign_in(client, person)
    assert b"Mai Late" not in client.get(reverse("account")).content


def test_one_comes_back_to_the_page_that_showed_the_form(client, clock, person):
    sign_in(client, person)
    clock.shift(timedelta(hours=2))
    response = client.post(
        reverse("account"), {"name": "Mai"}, headers={"Referer": "http://testserver/cases/7/?a=b"}
    )
    assert response.url.endswith("?next=%2Fcases%2F7%2F%3Fa%3Db")
    foreign = client.post(
        reverse("account"), {"name": "Mai"}, headers={"Referer": "http://evil.example/x"}
    )
    assert foreign.url.endswith("?next=%2Faccount%2F")


def test_files_that_came_with_it_are_stored_for_their_owner(client, clock, person):
    sign_in(client, person)
    client.get(reverse("account"))
    clock.shift(timedelta(hours=2))
    good = SimpleUploadedFile("photo.png", a_photo(), content_type="image/png")
    bad = SimpleUploadedFile("plan.pdf", b"", content_type="application/pdf")
    data = {"name": "Mai", "files": [good, bad], "end_of_form": "1"}
    answer = client.post(reverse("account"), data, follow=True)
    upload = Upload.objects.get()
    assert (upload.original_name, upload.uploaded_by) == ("photo.png", person)
    assert "plan.pdf" in answer.content.decode(), "the one that was refused is named"
    assert client.session["kept_forms"]["/account/"]["uploads"] == {"files": [upload.pk]}


def test_kept_files_are_given_to_their_owner_once(rf, person, client):
    from portal import drafts

    sign_in(client, person)
    upload = Upload.objects.create(
        original_name="a.pdf",
        family="pdf",
        content_type="application/pdf",
        size=1,
        sha256="0",
        uploaded_by=person,
    )
    request = rf.get("/account/")
    request.user, request.session = person, client.session
    entry = {"owner": person.pk, "at": 9e12, "fields": [], "uploads": {"files": [upload.pk]}}
    request.session[drafts.KEPT] = {"/account/": entry}
    assert drafts.kept_uploads(request) == [upload]
    assert drafts.kept_uploads(request) == []


def test_a_part_of_a_page_leads_to_sign_in_as_a_whole_page(client):
    response = client.get(reverse("account"), headers={"HX-Request": "true"})
    assert response.headers["HX-Redirect"].startswith(reverse("account_login"))


# A form that is not surely from this person -------------------------------------------------


def post_without_token(client: Client, data: dict, **headers: str):
    return client.post(reverse("account"), data, headers=headers)


@pytest.fixture
def strict(person) -> Client:
    """Somebody signed in, whose forms are checked as in the portal itself."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(person)
    return client


def test_a_stale_form_is_refused_and_offered_again_with_what_was_typed(strict, person):
    response = post_without_token(
        strict,
        {"name": "Mai <b>New</b>", "telephone": "555 010 0100"},
        Origin="http://testserver",
    )
    page = response.content.decode()
    assert response.status_code == 403
    assert "Please send this again" in page
    assert "Mai &lt;b&gt;New&lt;/b&gt;" in page
    person.refresh_from_db()
    assert person.name == "mai"
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    again = {
        "name": "Mai New",
        "telephone": fields["telephone"],
        "csrfmiddlewaretoken": fields["csrfmiddlewaretoken"],
    }
    assert post_without_token(strict, again, Origin="http://testserver").status_code == 302
    person.refresh_from_db()
    assert (person.name, person.telephone) == ("Mai New", "555 010 0100")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Referer": "https://evil.example/page"},
        {},
    ],
)
def test_a_form_from_elsewhere_is_refused_and_not_offered(strict, headers):
    response = post_without_token(strict, {"name": "Planted words"}, **headers)
    assert response.status_code == 403
    assert b"Planted words" not in response.content


def test_another_persons_token_is_refused(strict):
    token = "a" * 64
    response = post_without_token(strict, {"name": "Mai", "csrfmiddlewaretoken": token})
    assert response.status_code == 403


def test_a_stale_password_form_repeats_no_password(strict):
    response = strict.post(
        reverse("account_change_password"),
        {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD},
        headers={"Origin": "http://testserver"},
    )
    assert response.status_code == 403
    assert PASSWORD.encode() not in response.content
    assert NEW_PASSWORD.encode() not in response.content
