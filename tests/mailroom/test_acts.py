"""What the record says of letters, whose clocks hear of them, and what follows a return."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from permits import mailroom
from permits.models import CaseEvent, NotNow
from portal import mailroom as floor
from portal.mailroom import Fact
from portal.models import Mailing, MailingEvent, OutboxMessage
from tests import factory
from tests.factory import MONDAY
from tests.mailroom import post

pytestmark = pytest.mark.django_db


def events(kind: str = "mailing") -> list[CaseEvent]:
    return list(CaseEvent.objects.filter(kind__startswith=kind).order_by("pk"))


def test_a_party_without_e_mail_gets_a_letter_with_the_words_of_the_mail() -> None:
    """GL#1612, #1726: no notice is stuck where nobody sees it."""
    case = factory.submitted()
    case.parties.filter(role="contractor").update(email="")
    factory.acts.withdraw(case, by=case.applicant, on=MONDAY, reason="Sold.")
    letter = Mailing.objects.waiting().get(cause="withdrawn")
    assert letter.addressee == "Berg Excavating Inc (Jon Berg)"
    assert letter.go_by.isoformat() == "2026-11-17"
    assert "Hello Berg Excavating Inc (Jon Berg)," in letter.text
    assert "Answer this e-mail" not in letter.text
    assert not OutboxMessage.objects.filter(body=letter.text).exists()


def test_each_case_of_a_batch_gets_exactly_one_event() -> None:
    one, two = factory.submitted(), factory.submitted()
    letters = [post.letter(one), post.letter(one), post.letter(two)]
    mailroom.deposit(letters, on=MONDAY, by=factory.clerk(), today=MONDAY)
    told = events("mailing.deposited")
    assert [event.site for event in told] == [one.site, two.site]
    assert [line["to"] for line in told[0].facts["letters"]] == [
        letter.addressee for letter in letters[:2]
    ]


def test_a_batch_is_recorded_whole_or_not_at_all() -> None:
    good, bad = post.letter(), post.letter(address="")
    with pytest.raises(NotNow) as refused:
        mailroom.deposit([good, bad], on=MONDAY, by=factory.clerk(), today=MONDAY)
    assert len(refused.value.obstacles) == 1
    good.refresh_from_db()
    assert good.deposited_on is None
    assert events() == []


def test_a_fact_is_recorded_once() -> None:
    letter = post.accepted()
    for act in (mailroom.deposit, mailroom.accept):
        with pytest.raises(NotNow):
            act([letter], on=MONDAY, by=factory.clerk(), today=MONDAY)
    assert len(events()) == 2


def test_the_clock_of_a_notice_starts_in_the_same_transaction(told: list[Fact]) -> None:
    letter = post.accepted()
    fact = told[0]
    assert (fact.mailing.pk, fact.kind, fact.on, fact.before) == (
        letter.pk, "accepted", MONDAY, None,
    )  # fmt: skip
    assert events("mailing.accepted")[0].section == "draws"


def test_whoever_listens_may_refuse_and_then_nothing_is_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(fact: Fact) -> None:
        raise NotNow("The order was withdrawn.")

    monkeypatch.setitem(floor._accepted, "test_notice", refuse)
    letter = post.handed_in()
    with pytest.raises(NotNow, match="withdrawn"):
        mailroom.accept([letter], on=MONDAY, by=factory.clerk(), today=MONDAY)
    letter.refresh_from_db()
    assert letter.accepted_on is None
    assert len(events()) == 1


def test_nobody_else_hears_of_a_letter(told: list[Fact]) -> None:
    post.accepted(cause="denied:1")
    assert told == []
    with pytest.raises(ValueError, match="already tells"):
        floor.register_accepted("test_notice", lambda fact: None)


def test_a_letter_that_came_back_waits_for_a_choice_and_the_date_stays(
    told: list[Fact],
) -> None:
    letter = post.returned()
    assert list(Mailing.objects.came_back()) == [letter]
    mailroom.let_stand(
        letter, reason="The owner's address of record.", by=factory.clerk(), on=MONDAY
    )
    letter.refresh_from_db()
    assert (letter.stage, letter.accepted_on) == ("stands", MONDAY)
    assert [fact.kind for fact in told] == ["accepted", "returned", "stands"]
    with pytest.raises(NotNow):
        anew(letter)


def anew(letter: Mailing, **changes: object) -> Mailing:
    answers = {
        "addressee": letter.addressee,
        "address": "9 New Street\nExample, WI 54999",
        "means": "certified",
        "go_by": MONDAY,
        "reason": "The assessor knows another address.",
        **changes,
    }
    return mailroom.serve_anew(letter, by=factory.clerk(), on=MONDAY, **answers)  # type: ignore[arg-type]


def test_a_letter_that_came_back_is_served_anew_as_another_letter(told: list[Fact]) -> None:
    letter = post.returned(requires_us_mail=True)
    again = anew(letter)
    letter.refresh_from_db()
    assert (letter.stage, letter.accepted_on) == ("replaced", MONDAY), "the old facts stay"
    assert (again.stage, again.cause, again.replaces) == ("waiting", letter.cause, letter)
    assert again.requires_us_mail
    assert told[-1].successor == again
    mailroom.deposit([again], on=MONDAY, by=factory.clerk(), today=MONDAY)
    mailroom.accept([again], on=MONDAY, by=factory.clerk(), today=MONDAY)
    assert [fact.mailing.pk for fact in told if fact.kind == "accepted"] == [letter.pk, again.pk]
    with pytest.raises(NotNow):
        anew(letter)


def test_a_letter_without_an_address_is_served_anew_with_one() -> None:
    again = anew(post.letter(address=""))
    assert Mailing.objects.waiting().get() == again
    with pytest.raises(NotNow, match="needs an address"):
        anew(again, address=" ")


def test_a_certificate_needs_its_scan_and_a_number_its_figures() -> None:
    letter = post.accepted(means="certified")
    for kind in ("certificate", "number"):
        with pytest.raises(IntegrityError), transaction.atomic():
            MailingEvent.objects.create(mailing=letter, kind=kind, on=MONDAY)
    mailroom.add_numbers({letter.pk: "70220410"}, by=factory.clerk(), on=MONDAY)
    mailroom.add_certificate([letter], scan=factory.upload(), by=factory.clerk(), on=MONDAY)
    letter.refresh_from_db()
    assert letter.tracking_number == "70220410"
    assert letter.events.get(kind="certificate").scan is not None


def test_one_certificate_may_name_all_letters_of_a_batch() -> None:
    letters, scan = [post.handed_in(), post.handed_in()], factory.upload()
    mailroom.accept(letters, on=MONDAY, by=factory.clerk(), today=MONDAY, scan=scan)
    assert MailingEvent.objects.filter(kind="certificate", scan=scan).count() == 2


def test_a_notice_by_e_mail_is_nothing_for_the_post() -> None:
    letter = post.letter(means="email")
    with pytest.raises(NotNow, match="does not go by mail"):
        mailroom.deposit([letter], on=MONDAY, by=factory.clerk(), today=MONDAY)
    assert not Mailing.objects.by_post().exists()
