"""The clerk's November: everything delinquent on the cut-off day, by parcel, problems first.

Wis. Stat. § 66.0627(4). The list is drawn from the tables in a handful of queries, however
long it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from escrow.bills.account import standing
from escrow.models import NOTHING, Bill, ParcelNote, Path, RollLayout, cents
from permits.models import Parcel
from portal.ordinance.division import divide
from portal.ordinance.tax_roll import ChargeCandidate, RollProblem, problems

from .known import Known, Owner, read

__all__ = ["Candidate", "Part", "candidates"]

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""With one of these a spreadsheet takes a text for a formula."""


@dataclass(frozen=True)
class Part:
    """What falls on one parcel."""

    parcel: Parcel
    owner: Owner
    amount: Decimal


@dataclass(frozen=True)
class Candidate:
    """One delinquent bill with what it owes, its parts by parcel, and its problems."""

    bill: Bill
    owed: Decimal
    parts: tuple[Part, ...]
    problems: tuple[RollProblem, ...]

    @property
    def stops(self) -> bool:
        """Whether a problem keeps it off the list."""
        return any(problem.stops for problem in self.problems)

    @property
    def place(self) -> tuple[bool, bool, str, int]:
        """Its place in the list: what stops first, then what warns, then by parcel."""
        first = self.parts[0].parcel.number if self.parts else ""
        return (not self.stops, not self.problems, first, self.bill.pk)


def candidates(
    path: str, *, cut_off_on: date, on: date, layout: RollLayout | None
) -> list[Candidate]:
    """Return every bill of a path that is delinquent on the cut-off day, problems first.

    `on` is the day of the list: what was paid until then is left out, and the interest of an
    assessment runs up to it.
    """
    late = Bill.objects.delinquent(cut_off_on, with_stayed=True).filter(path=path).order_by("pk")
    bills = list(late.select_related("site", "assessment"))
    if path == Path.ASSESSMENT:
        bills = [bill for bill in bills if not _levied_after(bill, cut_off_on)]
    known = read(bills, path=path, on=on)
    form = re.compile(layout.parcel_form) if layout and layout.parcel_form else None
    example = layout.parcel_example if layout else ""
    found = [_candidate(bill, known, form, example, on=on) for bill in bills]
    return sorted(found, key=lambda each: each.place)


def _levied_after(bill: Bill, day: date) -> bool:
    assessment = getattr(bill, "assessment", None)
    return assessment is not None and assessment.levied_on > day


def _candidate(
    bill: Bill, known: Known, form: re.Pattern[str] | None, example: str, *, on: date
) -> Candidate:
    owed = cents(bill.owed)  # type: ignore[attr-defined]
    if bill.path == Path.ASSESSMENT:
        owed = standing(bill, on=on, entries=known.entries[bill.pk]).owed
    parcels = known.parcels[bill.site_id]
    parts = _parts(bill, parcels, known, owed)
    divided = {parcel.pk for parcel in parcels} == set(known.divisions.get(bill.pk, ()))
    facts = ChargeCandidate(
        owed=owed,
        parcels=len(parcels),
        least_part=min((part.amount for part in parts), default=owed) if divided else owed,
        divided=divided,
        stayed_by=known.stays.get(bill.pk, ""),
        undone_by=known.undone.get(bill.pk, ""),
        split=_noted(parcels, known, ParcelNote.Kind.SPLIT),
        retired=_noted(parcels, known, ParcelNote.Kind.RETIRED),
        odd_number=next((each.number for each in parcels if _is_odd(each.number, form)), ""),
        form_example=example,
        owner_changed=next(
            (known.new_owner(each, bill.site_id) for each in parcels if known.notes[each.pk]), ""
        ),
        needs_levy=bill.path == Path.ASSESSMENT and getattr(bill, "assessment", None) is None,
    )
    return Candidate(bill, owed, parts, tuple(problems(facts)))


def _parts(bill: Bill, parcels: Sequence[Parcel], known: Known, owed: Decimal) -> tuple[Part, ...]:
    """Divide what is owed over the parcels; one parcel bears all, several as was decided.

    A parcel that bears nothing by decision is no part of it.
    """
    weights = known.divisions.get(bill.pk)
    if len(parcels) == 1:
        chosen, amounts = list(parcels), [owed]
    elif weights and set(weights) == {parcel.pk for parcel in parcels}:
        chosen = [parcel for parcel in parcels if weights[parcel.pk]]
        amounts = divide(owed, [weights[parcel.pk] for parcel in chosen])
    else:
        chosen, amounts = list(parcels), [NOTHING] * len(parcels)
        if len(parcels) > 1:
            amounts[0] = owed  # shown with the problem; never certified
    return tuple(
        Part(parcel, known.owner_of(parcel, bill), amount)
        for parcel, amount in zip(chosen, amounts, strict=True)
    )


def _noted(parcels: Sequence[Parcel], known: Known, kind: str) -> str:
    """Return the first parcel whose newest note says so."""
    for parcel in parcels:
        notes = [note for note in known.notes[parcel.pk] if note.kind != ParcelNote.Kind.OWNER]
        if notes and notes[-1].kind == kind:
            return parcel.number
    return ""


def _is_odd(number: str, form: re.Pattern[str] | None) -> bool:
    """Whether the county could not read a parcel number, or a spreadsheet would compute it."""
    if not number.strip() or number.startswith(FORMULA):
        return True
    return form is not None and form.fullmatch(number) is None
