"""Acts on a request for records: log, acknowledge, answer, withdraw. Wis. Stat. § 19.35"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from django.db import transaction

from permits.models import CaseExport, CasePaper, NotNow, Site
from portal import council, numbers
from portal.desk.records import papers
from portal.desk.records.models import (
    Acknowledgment,
    Answer,
    ConcernedCase,
    GivenRecord,
    RecordsRequest,
    Refusal,
)
from portal.models import CouncilValue, User
from portal.ordinance.records import PREPAYMENT_LIMIT, Copying, Prices, RecordsFee, fee_for

__all__ = [
    "Asked",
    "Reply",
    "acknowledge",
    "answer",
    "copying_of",
    "fee_for",
    "fee_of",
    "log",
    "prices",
    "prices_of",
    "withdraw",
]

NOTHING = Decimal("0.00")
PUBLIC_FILE = "Case file for the public"


@dataclass(frozen=True)
class Asked:
    """A request as it came in; a requester may stay unnamed."""

    received_on: date
    how: str
    asked: str
    requester: str = ""
    contact: str = ""


@dataclass(frozen=True)
class Reply:
    """What the city answers: the outcome, what is given, what is not and why, what it cost."""

    outcome: str
    words: str = ""
    papers: Sequence[CasePaper] = ()
    exports: Sequence[CaseExport] = ()
    also: Sequence[str] = ()
    refusals: Sequence[dict[str, str]] = ()
    copying: Copying = field(default_factory=Copying)


def prices(on: date) -> Prices:
    """The city's schedule of fees in force on a day; nothing where the council set none."""
    page = council.find_text(CouncilValue.Key.RECORDS_PAGE, on=on)
    hour = council.find_text(CouncilValue.Key.RECORDS_HOUR, on=on)
    return Prices(page=Decimal(page or "0.00"), locating_hour=Decimal(hour or "0.00"))


def fee_of(copying: Copying, *, on: date) -> RecordsFee:
    """What the copies cost by the schedule of a day. § 19.35(3)"""
    return fee_for(copying, prices(on))


@transaction.atomic
def log(asked: Asked, *, sites: Iterable[Site] = (), by: User, on: date) -> RecordsRequest:
    """Log a request; from now on nothing of the cases it concerns is destroyed."""
    request = RecordsRequest.objects.create(
        number=numbers.next_number("RR", on=on),
        received_on=asked.received_on,
        how=asked.how,
        requester=asked.requester,
        contact=asked.contact,
        asked=asked.asked,
        logged_by=by,
    )
    for site in sorted(sites, key=lambda each: each.pk):
        if site.lock().destroyed_on:
            raise NotNow(f"Case {site.number} was destroyed; its certificate is what is left.")
        ConcernedCase.objects.create(request=request, site=site)
    return request


def _locked(request: RecordsRequest) -> RecordsRequest:
    """Hold the request and refuse where it is answered already."""
    found = RecordsRequest.objects.select_for_update().get(pk=request.pk)
    if not found.is_open:
        raise NotNow(f"Request {found} is {found.get_status_display().lower()} already.")
    return found


@transaction.atomic
def acknowledge(
    request: RecordsRequest, *, words: str, prepayment: Decimal | None, by: User, on: date
) -> Acknowledgment:
    """Write down what the requester was told before the answer."""
    found = _locked(request)
    if prepayment is not None and prepayment <= PREPAYMENT_LIMIT:
        raise NotNow("Prepayment may be asked only where the total is more than $5.")
    return Acknowledgment.objects.create(
        request=found, words=words, prepayment=prepayment, by=by, on=on
    )


@transaction.atomic
def answer(request: RecordsRequest, reply: Reply, *, by: User, on: date) -> Answer:
    """Answer a request once, with its paper; each case concerned has it on record."""
    found = _locked(request)
    _check(reply)
    sites = [each.site.lock() for each in found.cases.select_related("site").order_by("site_id")]
    gives = reply.outcome in Answer.GIVES
    fee = fee_of(reply.copying if gives else Copying(), on=on)
    cost = reply.copying if gives else Copying()
    price = prices(on)
    of_cases = [*map(_given, reply.papers), *map(_given_file, reply.exports)]
    given = [*of_cases, *(GivenRecord(title=title) for title in reply.also)]
    refusals = [Refusal(**each) for each in reply.refusals]
    made = Answer(
        request=found,
        outcome=reply.outcome,
        on=on,
        words=reply.words,
        pages=cost.pages,
        locating_hours=cost.locating_hours,
        other_cost=cost.other,
        mailing_cost=cost.mailing,
        page_price=price.page,
        hour_price=price.locating_hour,
        fee=fee.total,
        by=by,
    )
    made.paper = papers.answer(made, given=given, refusals=refusals, fee=fee)
    made.save(force_insert=True)
    for record in given:
        record.answer = made
        record.save(force_insert=True)
    for refusal in refusals:
        refusal.answer = made
        refusal.save(force_insert=True)
    _close(found, RecordsRequest.Status.ANSWERED, on=on)
    _record(found, made, sites, of_cases, by=by, on=on)
    return made


def _check(reply: Reply) -> None:
    """An outcome says what it must: what was given, or why not. § 19.35(4)(b)"""
    if reply.outcome in Answer.GIVES and not (reply.papers or reply.exports or reply.also):
        raise NotNow("Say which records are given: mark papers, or name what was given.")
    if reply.outcome in Answer.REFUSES and not reply.refusals:
        raise NotNow("Say what is withheld, and the reason for each.")
    if reply.outcome not in Answer.REFUSES and reply.refusals:
        raise NotNow("Something is withheld: the answer is then “given in part” or “denied”.")


def _given(paper: CasePaper) -> GivenRecord:
    document = paper.document
    return GivenRecord(
        site=paper.site,
        title=f"{paper.site.number}: {paper.get_kind_display()}",
        sha256=document.sha256,
        size=document.size,
    )


def _given_file(export: CaseExport) -> GivenRecord:
    """A file of the whole case, as the law lets everybody see it."""
    assert export.audience == CaseExport.Audience.PUBLIC
    return GivenRecord(
        site=export.site,
        title=f"{export.site.number}: {PUBLIC_FILE} {export}",
        sha256=export.sha256,
        size=export.size,
    )


def _record(
    request: RecordsRequest,
    made: Answer,
    sites: Sequence[Site],
    given: Sequence[GivenRecord],
    *,
    by: User,
    on: date,
) -> None:
    """Write one fact into each case concerned."""
    for site in sites:
        mine = [each for each in given if each.site_id == site.pk]
        site.record(
            "records.given",
            by=by,
            on=on,
            facts={
                "request": request.number,
                "outcome": made.outcome,
                "given": [
                    {"paper": each.title.partition(": ")[2], "sha256": each.sha256} for each in mine
                ],
                "refused": len(made.refusals.all()),
            },
        )


def _close(request: RecordsRequest, status: RecordsRequest.Status, *, on: date) -> None:
    request.status, request.closed_on = status, on
    request.save(update_fields=["status", "closed_on"])


@transaction.atomic
def withdraw(request: RecordsRequest, *, words: str, by: User, on: date) -> Answer:
    """Close a request that its requester has withdrawn."""
    found = _locked(request)
    made = Answer.objects.create(
        request=found, outcome=Answer.Outcome.WITHDRAWN, words=words, by=by, on=on
    )
    _close(found, RecordsRequest.Status.WITHDRAWN, on=on)
    return made


def copying_of(made: Answer) -> Copying:
    """What was made for an answer, as it was written down."""
    return Copying(
        pages=made.pages,
        locating_hours=made.locating_hours,
        other=made.other_cost,
        mailing=made.mailing_cost,
    )


def prices_of(made: Answer) -> Prices:
    """The prices of the day of an answer."""
    return Prices(page=made.page_price, locating_hour=made.hour_price)
