"""Former § 17.19(4)(e) The day on which the post accepted a letter; ten days run from it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

import pytest
from django.db import IntegrityError, connection, transaction

from permits import mailroom
from permits.models import NotNow
from portal.mailroom import Fact, next_mail_day
from portal.models import Mailing, MailingEvent
from portal.ordinance import Calendar, mailed_notice
from tests import factory
from tests.factory import MONDAY
from tests.mailroom import post

pytestmark = pytest.mark.django_db


def why(refused: pytest.ExceptionInfo[NotNow]) -> str:
    return " ".join(obstacle.text for obstacle in refused.value.obstacles)


@pytest.mark.parametrize(
    ("written", "accepted", "draws_from", "safely"),
    [
        ("2026-05-04", "2026-05-04", "2026-05-15", "2026-05-18"),
        ("2026-07-04", "2026-07-06", "2026-07-17", "2026-07-20"),
        ("2026-07-05", "2026-07-06", "2026-07-17", "2026-07-20"),
        ("2026-12-15", "2026-12-15", "2026-12-26", "2026-12-29"),
        ("2028-02-20", "2028-02-22", "2028-03-04", "2028-03-07"),
        ("2026-10-09", "2026-10-09", "2026-10-20", "2026-10-23"),
    ],
)
def test_only_the_day_on_which_the_post_takes_mail_starts_the_notice(
    at: Callable[..., datetime], written: str, accepted: str, draws_from: str, safely: str
) -> None:
    """Handed in on a Sunday or a postal holiday, a letter is accepted on the next day."""
    at(written)
    letter = post.handed_in(date.fromisoformat(written))
    at("2028-12-29")
    first = date.fromisoformat(accepted)
    by = factory.clerk()
    if written != accepted:
        with pytest.raises(NotNow) as refused:
            mailroom.accept(
                [letter], on=date.fromisoformat(written), by=by, today=date(2028, 12, 29)
            )
        assert f"{first:%B} {first.day}, {first.year}" in why(refused), "the next possible day"
    done = mailroom.accept([letter], on=first, by=by, today=date(2028, 12, 29))[0]
    assert done.accepted_on == first
    opens = mailed_notice.draw_opens(done.accepted_on, calendar=Calendar())
    assert opens.on == date.fromisoformat(draws_from)
    assert opens.safe_on == date.fromisoformat(safely)


@pytest.mark.parametrize(
    ("day", "sentence"),
    [
        ("2026-11-17", "is still to come. Today is Monday, November 16, 2026."),
        ("2026-11-15", "The first day on which the post can have accepted it is Monday, Nov"),
    ],
)
def test_the_post_accepted_nothing_tomorrow_or_before_the_deposit(day: str, sentence: str) -> None:
    letter = post.handed_in()
    with pytest.raises(NotNow) as refused:
        mailroom.accept([letter], on=date.fromisoformat(day), by=factory.clerk(), today=MONDAY)
    assert sentence in why(refused)
    letter.refresh_from_db()
    assert (letter.accepted_on, letter.stage) == (None, "handed_in")


def test_a_letter_is_not_handed_in_before_it_was_written() -> None:
    with pytest.raises(NotNow) as refused:
        mailroom.deposit([post.letter()], on=date(2026, 11, 14), by=factory.clerk(), today=MONDAY)
    assert "was written on Monday, November 16, 2026" in why(refused)


def test_a_mailing_without_an_address_is_not_handed_in() -> None:
    with pytest.raises(NotNow) as refused:
        mailroom.deposit([post.letter(address="")], on=MONDAY, by=factory.clerk(), today=MONDAY)
    assert "has no address" in why(refused)


def test_nothing_is_accepted_that_was_not_handed_in() -> None:
    with pytest.raises(NotNow) as refused:
        mailroom.accept([post.letter()], on=MONDAY, by=factory.clerk(), today=MONDAY)
    assert "Record first on which day" in why(refused)


def test_a_letter_goes_by_the_next_day_on_which_city_and_post_work() -> None:
    calendar = Calendar()
    assert next_mail_day(date(2026, 11, 25), calendar=calendar) == date(2026, 11, 27)
    assert next_mail_day(date(2026, 12, 24), calendar=calendar) == date(2026, 12, 28)


# By SQL -----------------------------------------------------------------------------------


def refused_by_the_database(statement: str, *values: object) -> None:
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)


@pytest.mark.parametrize(
    "change",
    [
        "accepted_on = '2026-11-17'",
        "accepted_on = NULL, stage = 'handed_in'",
        "deposited_on = '2026-11-13'",
        "returned_on = '2026-11-18', stage = 'returned'",
        "tracking_number = '7022'",
        "stage = 'waiting'",
    ],
)
def test_no_statement_moves_a_day_without_its_fact(change: str) -> None:
    letter = post.accepted()
    refused_by_the_database(f"UPDATE portal_mailing SET {change} WHERE id = %s", letter.pk)


def test_a_letter_is_not_born_with_a_day() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        post.letter(deposited_on=MONDAY, accepted_on=MONDAY, stage="accepted")


def test_the_database_knows_sundays() -> None:
    letter = post.handed_in()
    with pytest.raises(IntegrityError), transaction.atomic():
        MailingEvent.objects.create(mailing=letter, kind="accepted", on=date(2026, 11, 22))


def test_facts_are_neither_changed_nor_removed() -> None:
    fact = post.accepted().events.get(kind="accepted")
    refused_by_the_database("UPDATE portal_mailingevent SET kind = 'number' WHERE id=%s", fact.pk)
    refused_by_the_database("DELETE FROM portal_mailingevent WHERE id = %s", fact.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        MailingEvent.objects.create(mailing=fact.mailing, kind="accepted", on=date(2026, 11, 17))


@pytest.mark.parametrize("means", ["email", "personal", "posted"])
def test_what_must_go_by_us_mail_goes_in_no_other_way(means: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        post.letter(requires_us_mail=True, means=means)
    letter = post.letter(requires_us_mail=True)
    refused_by_the_database("UPDATE portal_mailing SET means = %s WHERE id = %s", means, letter.pk)
    with pytest.raises(NotNow):
        mailroom.serve_anew(
            letter,
            addressee="Ann",
            address=post.ADDRESS,
            means=means,
            go_by=MONDAY,
            reason="Wanted it so.",
            by=factory.clerk(),
            on=MONDAY,
        )


# Corrections ------------------------------------------------------------------------------


def test_a_wrong_day_is_corrected_by_another_fact_and_the_clock_hears_it(
    at: Callable[..., datetime], told: list[Fact]
) -> None:
    letter = post.accepted()
    tuesday = date(2026, 11, 17)
    at(tuesday)
    by = factory.clerk()
    mailroom.correct(
        letter, MailingEvent.Kind.ACCEPTED, on=tuesday, reason="Late", by=by, today=tuesday
    )
    assert [(fact.on, fact.before) for fact in told] == [(MONDAY, None), (tuesday, MONDAY)]
    days = letter.events.filter(kind="accepted").values_list("on", "reason")
    assert list(days) == [(MONDAY, ""), (tuesday, "Late")]
    assert Mailing.objects.get(pk=letter.pk).accepted_on == tuesday


def test_what_did_not_happen_is_taken_back_and_recorded_again(told: list[Fact]) -> None:
    letter, by = post.accepted(), factory.clerk()
    kinds = MailingEvent.Kind
    with pytest.raises(NotNow, match="Take back first"):
        mailroom.correct(letter, kinds.DEPOSITED, on=None, reason="No", by=by, today=MONDAY)
    for kind in (kinds.ACCEPTED, kinds.DEPOSITED):
        mailroom.correct(letter, kind, on=None, reason="Wrong one", by=by, today=MONDAY)
    letter.refresh_from_db()
    assert (letter.stage, letter.deposited_on, letter.accepted_on) == ("waiting", None, None)
    assert told[-1].on is None
    assert told[-1].before == MONDAY
    mailroom.deposit([letter], on=MONDAY, by=by, today=MONDAY)
    mailroom.accept([letter], on=MONDAY, by=by, today=MONDAY)
    assert [fact.on for fact in told] == [MONDAY, None, MONDAY]
