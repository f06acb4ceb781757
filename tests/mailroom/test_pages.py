"""The clerk's pages of the mail room."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from portal import letters, papers
from portal.models import Mailing, MailingEvent, Role
from tests import factory, scene
from tests.factory import MONDAY
from tests.floor.sample_files import pdf
from tests.mailroom import post
from tests.review.pages import confirm, fields_of, fill, signed_in, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _quick_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(papers, "render", scene.quick_paper)


@pytest.fixture
def clerk() -> Client:
    return signed_in(factory.clerk())


def page(name: str, letter: Mailing) -> str:
    return reverse(name, args=[letter.pk])


def choose(clerk: Client, name: str, *letters: Mailing, **more: str) -> Any:
    marked = {
        "letter": [letter.pk for letter in letters],
        "step": "choose",
        "end_of_form": "",
        **more,
    }
    return clerk.post(reverse(name), marked)


def send(
    clerk: Client, name: str, letters: list[Mailing], shown: Any, step: str, **more: str
) -> Any:
    fields = {**fields_of(shown), **more, "letter": [letter.pk for letter in letters]}
    return clerk.post(reverse(name), {**fields, "step": step})


def test_the_most_urgent_letter_comes_first_and_a_late_one_says_so(clerk: Client) -> None:
    post.letter(addressee="Later", go_by=date(2026, 11, 20))
    post.letter(addressee="Late", go_by=date(2026, 11, 13))
    post.letter(addressee="By e-mail", means="email")
    post.accepted(addressee="Gone")
    words = text_of(clerk.get(reverse("mailroom")))
    assert words.index("Late U.S. mail") < words.index("Later U.S. mail")
    assert "late" in words
    assert "By e-mail" not in words
    assert "Gone" not in words
    assert "Gone" in text_of(clerk.get(reverse("mailroom") + "?stage=accepted"))


def test_letters_are_found_by_name_case_and_number(clerk: Client) -> None:
    one = post.letter(addressee="Ann Meyer")
    post.letter(addressee="Tom Reyes")
    for asked in ("meyer", one.reference):
        words = text_of(clerk.get(reverse("mailroom"), {"q": asked, "stage": "any"}))
        assert "Ann Meyer" in words
        assert "Tom Reyes" not in words
    assert "No letter fits." in text_of(clerk.get(reverse("mailroom"), {"q": "nobody\x00"}))


def test_many_letters_are_handed_in_at_once_and_accepted_at_once(clerk: Client) -> None:
    letters = [post.letter(), post.letter(means="certified")]
    shown = choose(clerk, "mail_deposit", *letters)
    assert "Number of the certified letter to" in text_of(shown)
    number = {f"number_{letters[1].pk}": "7022 0410 0001 2345 6789"}
    checked = send(clerk, "mail_deposit", letters, shown, "check", **number)
    assert "Were these letters handed to the post?" in text_of(checked)
    assert Mailing.objects.waiting().count() == 2
    done = send(clerk, "mail_deposit", letters, checked, "confirm")
    assert done.headers["Location"] == reverse("mailroom")
    assert Mailing.objects.get(pk=letters[1].pk).tracking_number == "70220410000123456789"
    shown = choose(clerk, "mail_accept", *letters)
    wrong = send(clerk, "mail_accept", letters, shown, "check", on="2026-11-15")
    assert "The first day on which the post can have accepted it is Monday" in text_of(wrong)
    assert fields_of(wrong)["on"] == "2026-11-15", "what was typed is still there"
    checked = send(clerk, "mail_accept", letters, shown, "check", on="2026-11-16")
    send(clerk, "mail_accept", letters, checked, "confirm")
    assert Mailing.objects.filter(accepted_on=MONDAY, stage="accepted").count() == 2


def test_a_second_click_records_nothing_twice(clerk: Client) -> None:
    letter = post.letter()
    address = page("mailing_deposit", letter)
    shown = fill(clerk, address)
    first, second = confirm(clerk, address, shown), confirm(clerk, address, shown)
    assert first.headers["Location"] == second.headers["Location"] == letter.get_absolute_url()
    assert letter.events.count() == 1
    again = clerk.post(address, {**fields_of(shown), "operation": "", "step": "confirm"})
    assert again.status_code == 409


def test_a_day_is_refused_by_direct_post_too(clerk: Client) -> None:
    letter = post.handed_in()
    address = page("mailing_accept", letter)
    for day in ("2026-11-15", "2026-11-17", "not a day", ""):
        sent = {"on": day, "step": "confirm", "end_of_form": ""}
        assert clerk.post(address, sent).status_code == 409
    letter.refresh_from_db()
    assert letter.accepted_on is None


def test_what_was_recorded_already_is_left_out_and_named(clerk: Client) -> None:
    fresh, gone = post.letter(), post.handed_in(addressee="Gone Already")
    words = text_of(choose(clerk, "mail_deposit", fresh, gone))
    assert "Left out" in words
    assert "Gone Already (handed to the post)" in words
    assert "No letter is chosen." in text_of(choose(clerk, "mail_deposit"))


def test_the_whole_page_is_marked_with_one_box(clerk: Client) -> None:
    letters = [post.letter() for _ in range(3)]
    listed = {"listed": [letter.pk for letter in letters], "all_listed": "1"}
    shown = clerk.post(reverse("mail_deposit"), {**listed, "step": "choose", "end_of_form": ""})
    assert [letter.pk for letter in shown.context["letters"]] == listed["listed"]


def test_without_a_mark_nothing_is_printed_and_a_cover_letter_can_be_read(
    clerk: Client,
) -> None:
    nothing = clerk.post(reverse("mail_print"))
    assert nothing.headers["Location"] == reverse("mailroom")
    letter = post.letter()
    letters.cover_letter(letter, on=MONDAY)
    assert clerk.get(page("mailing_letter", letter)).status_code == 200


def test_a_certificate_survives_a_wrong_day_and_is_shown_to_the_city_only(clerk: Client) -> None:
    letter = post.handed_in()
    address = page("mailing_accept", letter)
    scan = SimpleUploadedFile("certificate.pdf", pdf(), "application/pdf")
    fields = {**fields_of(clerk.get(address)), "on": "2026-11-15", "step": "check"}
    wrong = clerk.post(address, {**fields, "scan": scan})
    assert "certificate.pdf" in text_of(wrong)
    checked = clerk.post(address, {**fields_of(wrong), "on": "2026-11-16", "step": "check"})
    confirm(clerk, address, checked)
    assert MailingEvent.objects.get(kind="certificate").scan.original_name == "certificate.pdf"
    proof = page("mailing_certificate", letter)
    assert clerk.get(proof).status_code == 200
    holder = letter.events.first()
    assert holder is not None
    assert signed_in(factory.applicant()).get(proof).status_code == 404


def test_a_letter_that_came_back_is_a_task_until_it_is_decided(clerk: Client) -> None:
    letter = post.accepted()
    address = page("mailing_returned", letter)
    confirm(clerk, address, fill(clerk, address, reason="Unclaimed"))
    desk = text_of(clerk.get(reverse("desk")))
    assert "Came back, to be decided 1" in desk
    assert "Decide what follows" in text_of(clerk.get(letter.get_absolute_url()))
    address = page("mailing_anew", letter)
    fields = {**fields_of(clerk.get(address)), "means": "us_mail", "reason": "Moved."}
    shown = clerk.post(address, {**fields, "address": "9 New Street", "step": "check"})
    assert "A new letter to" in text_of(shown)
    done = confirm(clerk, address, shown)
    again = Mailing.objects.get(replaces=letter)
    assert done.headers["Location"] == again.get_absolute_url()
    assert "Came back, to be decided 0" in text_of(clerk.get(reverse("desk")))
    assert "9 New Street" in text_of(clerk.get(again.get_absolute_url()))


def test_the_date_stays_by_a_recorded_choice(clerk: Client) -> None:
    letter = post.returned()
    address = page("mailing_stands", letter)
    assert "Does the legal date stay?" not in text_of(fill(clerk, address)), "a reason is needed"
    confirm(clerk, address, fill(clerk, address, reason="The owner's address of record."))
    letter.refresh_from_db()
    assert letter.stage == "stands"
    case = text_of(clerk.get(reverse("case", args=[letter.reference])))
    assert "A letter came back, and the legal date stays" in case


def test_an_affidavit_is_made_once(clerk: Client) -> None:
    letter = post.accepted()
    address = page("mailing_affidavit", letter)
    shown = fill(clerk, address, place="Example post office", county="Sample")
    assert "Pat Keller" in text_of(shown)
    confirm(clerk, address, shown)
    assert "Affidavit of mailing to" in text_of(clerk.get(letter.get_absolute_url()))
    second = fill(clerk, address, place="Example post office", county="Sample")
    assert confirm(clerk, address, second).status_code == 409
    assert letter.events.filter(kind="affidavit").count() == 1


def test_a_wrong_day_is_corrected_on_its_page(clerk: Client) -> None:
    letter = post.accepted()
    address = page("mailing_correct", letter)
    shown = fill(clerk, address, fact="accepted", on="", reason="The wrong letter.")
    confirm(clerk, address, shown)
    letter.refresh_from_db()
    assert letter.stage == "handed_in"
    assert "did not happen" in text_of(clerk.get(letter.get_absolute_url()))


def test_two_letters_have_no_number_in_common(clerk: Client) -> None:
    first, second = post.handed_in(means="certified"), post.handed_in(means="certified")
    for letter, answer in ((first, 302), (second, 409)):
        address = page("mailing_number", letter)
        shown = fill(clerk, address, number="7022 0410 0001 2345 6789")
        done = clerk.post(address, {**fields_of(shown), "step": "confirm"})
        assert done.status_code == answer
    assert "Another letter has this number already." in text_of(done)


def test_the_administrator_looks_and_changes_nothing() -> None:
    looker, letter = signed_in(factory.user(Role.ADMINISTRATOR)), post.letter()
    words = text_of(looker.get(reverse("mailroom")))
    assert letter.addressee in words
    assert "Record the deposit" not in words
    assert looker.get(page("mailing_deposit", letter)).status_code == 404
    assert looker.post(reverse("mail_print"), {"letter": letter.pk}).status_code == 404


@pytest.mark.parametrize("address", ["", "?stage=any", "?many=1", "?q=Owner&stage=any"])
def test_the_queue_asks_little_however_long_it_is(clerk: Client, address: str) -> None:
    case = factory.submitted()
    paper = post.paper("Ann")
    for _ in range(40):
        post.letter(case, document=paper)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert clerk.get(reverse("mailroom") + address).status_code == 200
    assert len(asked) <= 25


@pytest.mark.usefixtures("unmeasured")
def test_twenty_thousand_waiting_letters_are_listed_by_the_index() -> None:
    rows = Mailing.objects.waiting()[:25]
    plan = rows.explain()
    if connection.vendor == "sqlite":
        assert "mailing_by_post" in plan
        assert "TEMP B-TREE" not in plan


def test_a_form_that_was_cut_off_is_an_unknown_page_to_strangers_and_told_to_the_clerk(
    clerk: Client,
) -> None:
    letter = post.letter()
    pages = [page(name, letter) for name in ("mailing_deposit", "mailing_certificate_add")]
    stranger = signed_in(factory.applicant())
    for url in [reverse("mail_deposit"), *pages]:
        assert stranger.post(url, {"step": "confirm"}).status_code == 404
        assert Client().post(url, {"step": "confirm"}).status_code == 302
        assert clerk.post(url, {"step": "confirm"}).status_code == 400
    assert not MailingEvent.objects.exists()
