"""The money on the page of a case: bills, draws, release and forfeiture, and why not yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from enforcement.models import CityWork
from escrow import access
from escrow.account.access import may_find_late
from escrow.account.drawing import obstacles_to_draw
from escrow.account.forfeiting import obstacles_to_forfeit
from escrow.account.releasing import obstacles_to_release
from escrow.bills.act_views import CURES
from escrow.bills.making import obstacles_to_bill
from escrow.models import BORNE, NOTHING, ApprovalStatus, Bill, EscrowEntry, Forfeiture, Release
from permits.models import Permit, Site
from portal.city import edition_on, say
from portal.formats import long_date, money
from portal.models import User
from portal.ordinance import Obstacle

from .case_file import CaseFile
from .dates import CaseDate
from .ladder import Reason, Rung, policy
from .links import find_url

__all__ = ["money_rungs", "open_bills", "until"]

MOST_SHOWN = 3
"""So many bills and works have a rung of their own; the list of bills has them all."""

COVER = "permanent-cover"

WAITING = (Permit.Status.AWAITING_ESCROW,)
"""Until the permit is issued, a posting is reversed whole."""


def money_rungs(file: CaseFile, dates: Sequence[CaseDate], *, user: User, on: date) -> list[Rung]:
    """Return the acts on the money of a case, for one person on one day."""
    if not file.application.number:
        return []
    bills = list(open_bills([file.site.pk])[: MOST_SHOWN + 1]) if file.has_bills else []
    if not user.is_city_staff:
        return [*_to_pay(bills, on), *_held(file, holder=True)]
    works = _works(file.site) if file.has_works else []
    rungs = [*_unbilled(works, user, on), *_owed(bills, user, on)]
    if len(bills) > MOST_SHOWN:
        rungs.append(_all_bills(file))
    rungs += _held(file, holder=False)
    if file.permit is not None and file.escrow and file.permit.status not in WAITING:
        waiting = _proposed(file.permit) if file.has_proposal else []
        rungs += _decisions(file, waiting, user)
        rungs.append(_draw(file, works, user, on))
        if not waiting:
            rungs.append(_release(file, file.permit, user, on))
            rungs.append(_forfeit(file, file.permit, dates, user, on))
    return rungs


def open_bills(sites: Any) -> QuerySet[Bill]:
    """Return the bills of some sites on which something is owed, the most pressing first."""
    found = Bill.objects.standing().with_balance().with_last_day()
    found = found.filter(site__in=sites, owed__gt=0)  # type: ignore[misc]
    return found.order_by("due_on", "pk")


def until(bill: Any, on: date) -> str:
    """Say until when a bill of `open_bills` is to be paid, or since when it is delinquent."""
    if bill.stayed_since is not None:
        return "An appeal holds the last day to pay still."
    if on > bill.last_day:
        return f"It is delinquent since {long_date(bill.delinquent_on)}."
    return f"The last day to pay is {long_date(bill.last_day)}."


# Bills ------------------------------------------------------------------------------------


def _to_pay(bills: Sequence[Any], on: date) -> Iterator[Rung]:
    """The payer sees what is owed, until when, and how it is paid."""
    for bill in bills[:MOST_SHOWN]:
        yield Rung(
            f"pay-{bill}",
            f"Pay bill {bill}: {money(bill.owed)}",
            f"{until(bill, on)} For city work on the site.",
            find_url("pay_bill", bill.key),
            "How to pay it",
            first=True,
        )


def _owed(bills: Sequence[Any], user: User, on: date) -> Iterator[Rung]:
    for bill in bills[:MOST_SHOWN]:
        takes = access.may_keep_money(user)
        yield Rung(
            f"bill-{bill}",
            f"Bill {bill}: {money(bill.owed)} is owed",
            f"By {bill.payer_name}. {until(bill, on)}",
            find_url("bill_pay", bill.key) if takes else bill.get_absolute_url(),
            "Take a payment" if takes else "See the bill",
        )


def _all_bills(file: CaseFile) -> Rung:
    url = f"{find_url('bills')}?list=all&q={file.site.number}"
    return Rung("bills", "More bills", "Every bill of this case.", url, "All bills")


def _works(site: Site) -> list[Any]:
    """Return the city's works on a site with what was drawn for each, and whether it is billed."""
    drawn = EscrowEntry.objects.filter(BORNE, draw__work=OuterRef("pk"))
    sums = drawn.order_by().values("draw__work").annotate(total=Sum("amount")).values("total")
    rows = CityWork.objects.filter(site=site).annotate(
        drawn=Coalesce(Subquery(sums), Value(Decimal("0.00"))),
        billed=Exists(Bill.objects.standing().filter(work=OuterRef("pk"))),
    )
    related = ("site", "owner_notice__permit", "notice_of_intent__order")
    return list(rows.select_related(*related).order_by("pk"))


def _unbilled(works: Sequence[Any], user: User, on: date) -> Iterator[Rung]:
    """City work that is to be billed: closed, not all drawn, and not billed yet."""
    waiting = [work for work in works if not work.billed and not _is_drawn(work)]
    for work in waiting[:MOST_SHOWN]:
        obstacles = obstacles_to_bill(work, on=on)
        amount = f" of {money(work.total)}" if work.total else ""
        yield Rung(
            f"bill-work-{work.pk}",
            f"Bill the city work{amount}, begun {long_date(work.begun_on)}",
            "Its cost by row, less what was drawn on the escrow.",
            find_url("bill_work", work.key),
            "Make the bill",
            obstacles=_cured(obstacles, user),
            why_not="" if access.may_keep_money(user) else policy(access.may_keep_money),
        )


def _is_drawn(work: Any) -> bool:
    return work.total is not None and work.total + work.drawn <= NOTHING


# Escrow -----------------------------------------------------------------------------------


def _held(file: CaseFile, *, holder: bool) -> Iterator[Rung]:
    permit = file.permit
    if permit is None or permit.escrow_posted_on is None:
        return
    held = sum((each["amount"] for each in file.escrow), NOTHING)
    forms = ", ".join(str(each["form"]).lower() for each in file.escrow)
    text = f"{money(held)} is held: {forms}." if file.escrow else "Nothing is held any more."
    yield Rung(
        "account",
        "Your escrow" if holder else "Escrow account",
        f"{text} Every entry with its balance.",
        find_url("escrow_account", file.application.key),
        "See the account",
    )


def _proposed(permit: Permit) -> list[tuple[str, str, int]]:
    """Return what waits for its second person: word, number, and who proposed it."""
    found = [
        model.objects.filter(permit=permit, status=ApprovalStatus.PROPOSED)  # type: ignore[attr-defined]
        .annotate(word=Value(word))
        .order_by()
        .values_list("word", "number", "proposed_by_id")
        for word, model in (("release", Release), ("forfeiture", Forfeiture))
    ]
    return list(found[0].union(found[1]))


def _decisions(
    file: CaseFile, waiting: Sequence[tuple[str, str, int]], user: User
) -> Iterator[Rung]:
    names = {"release": "escrow_release_decide", "forfeiture": "escrow_forfeit_decide"}
    for word, number, by in waiting:
        mine = by == user.pk
        may = access.may_approve(user) and not mine
        yield Rung(
            f"decide-{word}",
            f"Decide the {word} {number}",
            "It is approved exactly as it was proposed, or declined.",
            find_url(names[word], file.application.key),
            "Look and decide",
            why_not="" if may else say("It waits for the {administrator}, a second person."),
            first=True,
        )


def _draw(file: CaseFile, works: Sequence[Any], user: User, on: date) -> Rung:
    edition = edition_on(on)
    waiting = [each for each in works if each.owner_notice_id and not _is_drawn(each)]
    why, obstacles = "", tuple[Reason, ...]()
    if not waiting:
        why = say(
            "No cost waits to be drawn. A draw needs city work that is closed, after "
            "{mailed_notice_days} days' notice by U.S. mail to the property owner."
        )
    else:
        work, held = waiting[0], sum((each["amount"] for each in file.escrow), NOTHING)
        amount = min((work.total or NOTHING) + work.drawn, held)
        obstacles = tuple(Reason(each) for each in obstacles_to_draw(work, amount, on=on))
        if not access.may_keep_money(user):
            why = policy(access.may_keep_money)
    return Rung(
        "draw",
        "Draw on the escrow",
        "For the cost of city work; nothing is drawn by itself.",
        find_url("escrow_draw", file.application.key),
        "Draw",
        obstacles=obstacles,
        why_not=why,
        citation=edition.citation("draws"),
    )


def _release(file: CaseFile, permit: Permit, user: User, on: date) -> Rung:
    """All that stops a release is counted once the final inspection is passed, not before."""
    ended = permit.final_inspection_passed_on or permit.status == Permit.Status.WITHDRAWN
    why, obstacles = "", tuple[Reason, ...]()
    if not ended:
        why = (
            "Not before the final inspection is passed: all devices in place, permanent cover "
            "established."
        )
    else:
        obstacles = tuple(Reason(each) for each in obstacles_to_release(permit, on=on))
        if not access.may_keep_money(user):
            why = policy(access.may_keep_money)
    return Rung(
        "release",
        "Release the escrow",
        "The whole, by two persons; there is no partial release.",
        find_url("escrow_release", file.application.key),
        "Propose the release",
        obstacles=obstacles,
        why_not=why,
        citation=edition_on(on).citation("escrow"),
    )


def _forfeit(
    file: CaseFile, permit: Permit, dates: Sequence[CaseDate], user: User, on: date
) -> Rung:
    """What a page of dates shows already is not asked of the rows again."""
    last = [each.clock for each in dates if each.clock.key == COVER]
    why, obstacles = "", tuple[Reason, ...]()
    if not any(each.late for each in dates if each.clock.key == COVER):
        day = long_date(min(clock.on for clock in last)) if last else ""
        why = f"The work is not late: its last day is {day}." if day else "No last day is set yet."
        if permit.final_inspection_passed_on:
            why = "The work is complete."
    else:
        obstacles = tuple(Reason(each) for each in obstacles_to_forfeit(permit, on=on))
        why = "" if may_find_late(user) else policy(may_find_late)
    return Rung(
        "forfeit",
        "Forfeit the escrow",
        "All that is held, by two persons. A total forfeiture may be contested.",
        find_url("escrow_forfeit", file.application.key),
        "Propose the forfeiture",
        obstacles=obstacles,
        why_not=why,
        citation=edition_on(on).citation("draws"),
    )


def _cured(obstacles: Sequence[Obstacle], user: User) -> tuple[Reason, ...]:
    """Return each obstacle with the page that removes it, where this person may open it."""
    keeps = access.may_keep_money(user)
    return tuple(Reason(each, *_cure(each.cure) if keeps else ("", "")) for each in obstacles)


def _cure(cure: str) -> tuple[str, str]:
    name, key = CURES.get(cure, ("", ""))
    return (find_url(name, key), cure.capitalize()) if name else ("", "")
