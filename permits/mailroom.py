"""The acts of the mail room as the clerk does them, each with its event in the case record.

A batch is one act: all of its letters or none, and one event for each case among them.
Whoever's clock hangs on a letter is told in the same transaction (`portal.mailroom`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django.db import transaction

from permits.models import CasePaper, NotNow, Site
from portal import city, city_calendar, mailroom
from portal.mailroom import NotPossible
from portal.models import Mailing, MailingEvent, Upload, User
from portal.ordinance import Obstacle

from . import mail_papers

__all__ = [
    "accept",
    "add_certificate",
    "add_numbers",
    "bring_back",
    "correct",
    "deposit",
    "let_stand",
    "make_affidavit",
    "obstacles_to_accept",
    "obstacles_to_bring_back",
    "obstacles_to_deposit",
    "serve_anew",
]

Kind = MailingEvent.Kind
Letters = Sequence[Mailing]
REFUSED = "This was not recorded of any letter."


# Why not ----------------------------------------------------------------------------------


def obstacles_to_deposit(letters: Letters, *, on: date, today: date) -> list[Obstacle]:
    """Return why the letters cannot have been handed to the post on a day."""
    return _obstacles(
        letters, lambda letter: mailroom.why_not_deposited(letter, on, today=today), on=today
    )


def obstacles_to_accept(letters: Letters, *, on: date, today: date) -> list[Obstacle]:
    """Return why the post cannot have accepted the letters on a day. Former § 17.19(4)(e)"""
    calendar = city_calendar.current_calendar()

    def why(letter: Mailing) -> str:
        return mailroom.why_not_accepted(letter, on, today=today, calendar=calendar)

    return _obstacles(letters, why, on=today)


def obstacles_to_bring_back(letters: Letters, *, on: date, today: date) -> list[Obstacle]:
    """Return why the letters cannot have come back on a day."""
    return _obstacles(
        letters, lambda letter: mailroom.why_not_returned(letter, on, today=today), on=today
    )


def _obstacles(letters: Letters, why: Callable[[Mailing], str], *, on: date) -> list[Obstacle]:
    # The only place where the ordinance speaks of mail is the ten days' notice.
    citation = city.edition_on(on).citation("draws")
    sentences = dict.fromkeys(filter(None, map(why, letters)))
    return [Obstacle("mail", sentence, citation, "mail room") for sentence in sentences]


# Acts on many letters ---------------------------------------------------------------------


@transaction.atomic
def deposit(
    letters: Letters,
    *,
    on: date,
    by: User,
    today: date,
    numbers: Mapping[int, str] | None = None,
) -> list[Mailing]:
    """Record the day on which letters were handed to the post, with their certified numbers."""
    held = _hold(letters)
    _refuse(obstacles_to_deposit(held, on=on, today=today))
    known = numbers or {}
    _tell(held, "mailing.deposited", by=by, on=on, what="deposited", numbers=known)
    for letter in held:
        _record(letter, Kind.DEPOSITED, on=on, by=by)
        if number := known.get(letter.pk):
            _record(letter, Kind.NUMBER, on=on, by=by, number=number)
    return held


@transaction.atomic
def accept(
    letters: Letters, *, on: date, by: User, today: date, scan: Upload | None = None
) -> list[Mailing]:
    """Record the day on which the post accepted letters; clocks that hang on them start.

    One certificate of mailing may name them all.
    """
    held = _hold(letters)
    _refuse(obstacles_to_accept(held, on=on, today=today))
    certificate: dict[str, Any] = {"certificate": scan.sha256} if scan else {}
    _tell(held, "mailing.accepted", by=by, on=on, what="accepted", **certificate)
    for letter in held:
        _record(letter, Kind.ACCEPTED, on=on, by=by)
        if scan is not None:
            _record(letter, Kind.CERTIFICATE, on=on, by=by, scan=scan)
    return held


@transaction.atomic
def add_numbers(numbers: Mapping[int, str], *, by: User, on: date) -> list[Mailing]:
    """Record the numbers of certified letters that were handed in; a second one corrects."""
    held = _hold(list(Mailing.objects.filter(pk__in=numbers)))
    _tell(held, "mailing.deposited", by=by, on=on, what="number", numbers=numbers)
    for letter in held:
        _record(letter, Kind.NUMBER, on=on, by=by, number=numbers[letter.pk])
    return held


@transaction.atomic
def add_certificate(letters: Letters, *, scan: Upload, by: User, on: date) -> list[Mailing]:
    """Record the post's certificate of mailing; a further scan takes the place of the first."""
    held = _hold(letters)
    _tell(held, "mailing.accepted", by=by, on=on, what="certificate", certificate=scan.sha256)
    for letter in held:
        _record(letter, Kind.CERTIFICATE, on=on, by=by, scan=scan)
    return held


# Acts on one letter -----------------------------------------------------------------------


@transaction.atomic
def bring_back(letter: Mailing, *, on: date, reason: str, by: User, today: date) -> Mailing:
    """Record that the post brought a letter back; the clerk then decides what follows."""
    held = _hold([letter])
    _refuse(obstacles_to_bring_back(held, on=on, today=today))
    _tell(held, "mailing.returned", by=by, on=on, what="returned", reason=reason)
    _record(held[0], Kind.RETURNED, on=on, by=by, reason=reason)
    return held[0]


@transaction.atomic
def let_stand(letter: Mailing, *, reason: str, by: User, on: date) -> Mailing:
    """Decide that the legal date of a letter that came back stays: it was mailed as required."""
    held = _hold([letter])
    _tell(held, "mailing.returned", by=by, on=on, what="stands", reason=reason)
    _record(held[0], Kind.STANDS, on=on, by=by, reason=reason)
    return held[0]


@transaction.atomic
def serve_anew(
    letter: Mailing,
    *,
    addressee: str,
    address: str,
    means: str,
    go_by: date,
    reason: str,
    by: User,
    on: date,
) -> Mailing:
    """Send the same notice again as a letter of its own: one that came back or never left.

    What the law requires by U.S. mail goes by U.S. mail again.
    """
    held = _hold([letter])
    if not address.strip():
        raise NotNow("A letter needs an address.")
    if means not in (Mailing.Means.US_MAIL, Mailing.Means.CERTIFIED):
        raise NotNow("A letter goes by U.S. mail or by certified mail.")
    if go_by < on:
        raise NotNow("The day by which the letter must go has passed.")
    old = held[0]
    _tell(
        held,
        "mailing.reserved",
        by=by,
        on=on,
        what="reserved",
        reason=reason,
        addressee=addressee,
        go_by=go_by,
    )
    successor = Mailing(
        reference=old.reference,
        cause=old.cause,
        means=means,
        requires_us_mail=old.requires_us_mail,
        addressee=addressee,
        address=address,
        subject=old.subject,
        text=old.text,
        document=old.document,
        go_by=go_by,
        replaces=old,
    )
    if Mailing.objects.filter(replaces=old).exists():
        raise NotNow(f"The letter to {old.addressee} was served anew already.")
    successor.save(force_insert=True)
    _record(old, Kind.RESERVED, on=on, by=by, reason=reason, successor=successor)
    return successor


@transaction.atomic
def correct(
    letter: Mailing,
    kind: MailingEvent.Kind,
    *,
    on: date | None,
    reason: str,
    by: User,
    today: date,
) -> Mailing:
    """Correct the day of the deposit or of the acceptance, or take it back with `on` None.

    The wrong entry stays on record; clocks that hang on the letter move with it.
    """
    held = _hold([letter])
    found = held[0]
    if kind not in (Kind.DEPOSITED, Kind.ACCEPTED):
        raise NotNow("Only the day of the deposit or of the acceptance can be corrected.")
    if kind == Kind.DEPOSITED and on is None and found.accepted_on is not None:
        raise NotNow("Take back first that the post accepted the letter.")
    if on is not None:
        rule = obstacles_to_deposit if kind == Kind.DEPOSITED else obstacles_to_accept
        _refuse(rule(held, on=on, today=today))
    was = found.deposited_on if kind == Kind.DEPOSITED else found.accepted_on
    event = "mailing.deposited" if kind == Kind.DEPOSITED else "mailing.accepted"
    _tell(held, event, by=by, on=today, what="corrected", reason=reason, was=was, now=on)
    _record(found, kind, on=on, by=by, reason=reason, correcting=True)
    return found


@transaction.atomic
def make_affidavit(
    letter: Mailing, *, affiant: str, capacity: str, place: str, county: str, by: User, on: date
) -> CasePaper:
    """Make the affidavit of mailing, to be sworn before a notary; one for each letter."""
    held = _hold([letter])
    found = held[0]
    facts = mailroom.standing(found.events.select_related("by", "scan").order_by("pk"))
    affidavit = facts.get(Kind.AFFIDAVIT)
    if affidavit is not None and _newest_day(facts) < affidavit.pk:
        raise NotNow("The affidavit of this letter is made already.")
    if found.accepted_on is None:
        raise NotNow("Record first when the post accepted the letter.")
    site = Site.objects.get(number=found.reference)
    paper = mail_papers.affidavit(
        site,
        found,
        facts,
        sworn={"affiant": affiant, "capacity": capacity, "place": place, "county": county},
        on=on,
    )
    _tell(held, "mailing.accepted", by=by, on=on, what="affidavit", affiant=affiant)
    _record(found, Kind.AFFIDAVIT, on=on, by=by, paper=paper.document)
    return paper


def _newest_day(facts: Mapping[str, MailingEvent]) -> int:
    """The key of the newest fact that an affidavit swears to."""
    sworn = (Kind.DEPOSITED, Kind.ACCEPTED, Kind.NUMBER)
    return max((facts[kind].pk for kind in sworn if kind in facts), default=0)


# What all have in common ------------------------------------------------------------------


def _hold(letters: Letters) -> list[Mailing]:
    """Lock the cases of some letters, then the letters, always in the same order."""
    if not letters:
        raise NotNow("Choose at least one letter.")
    keys = {letter.pk for letter in letters}
    references = {letter.reference for letter in letters}
    found = Site.objects.select_for_update().filter(number__in=references).order_by("pk")
    if {site.number for site in found} != references:
        raise NotNow("A letter among these belongs to no case.")
    held = Mailing.objects.select_for_update().filter(pk__in=keys).order_by("pk")
    papers = {letter.pk: letter for letter in letters}
    rows = list(held)
    for row in rows:  # the paper of a letter never changes, and was read with it
        row.document = papers[row.pk].document
    return rows


def _refuse(obstacles: Sequence[Obstacle]) -> None:
    if obstacles:
        raise NotNow(REFUSED, obstacles)


def _record(letter: Mailing, kind: MailingEvent.Kind, **fact: Any) -> None:
    try:
        mailroom.record(letter, kind, **fact)
    except NotPossible as refused:
        raise NotNow(str(refused)) from refused


def _tell(
    letters: Iterable[Mailing],
    event: str,
    *,
    by: User,
    on: date,
    what: str,
    numbers: Mapping[int, str] | None = None,
    reason: str = "",
    **facts: Any,
) -> None:
    """Write one event into the record of each case: what was recorded, of which letters."""
    by_case: dict[str, list[dict[str, Any]]] = {}
    for letter in letters:
        line = {"mailing": letter.pk, "to": letter.addressee, "letter": letter.title}
        line |= {"means": letter.means, "cause": letter.cause}
        if number := (numbers or {}).get(letter.pk):
            line["number"] = number
        by_case.setdefault(letter.reference, []).append(line)
    for site in Site.objects.filter(number__in=by_case).order_by("pk"):
        site.record(
            event,
            by=by,
            on=on,
            section="draws" if event == "mailing.accepted" else "",
            reason=reason,
            facts={"what": what, "letters": by_case[site.number], **facts},
        )
