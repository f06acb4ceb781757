"""What one person proposed and a second one decides: releases, forfeitures, lists for the roll."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.urls import reverse

from portal.city import say, worded
from portal.models import User

from . import access
from .models import ApprovalStatus, Forfeiture, Release, RollBatch

__all__ = ["Proposal", "count_proposals", "proposals"]

SHOWN = 50


@dataclass(frozen=True)
class Proposal:
    """One proposal; `decide_url` leads where this person decides it, or is empty."""

    what: str
    number: str
    about: str
    on: date
    by: User
    amount: Decimal
    url: str
    decide_url: str = ""
    whose: str = worded("The {administrator_short} decides")


def proposals(user: Any) -> list[Proposal]:
    """Return all that waits for a second person, the oldest first, as one person sees it."""
    found = [
        *(_of_escrow(each, "Release", "escrow_release_decide", user) for each in _open(Release)),
        *(
            _of_escrow(each, "Forfeiture", "escrow_forfeit_decide", user)
            for each in _open(Forfeiture)
        ),
        *(_of_roll(each, user) for each in _batches()),
    ]
    return sorted(found, key=lambda each: (each.on, each.number))


def count_proposals() -> int:
    """Return how many proposals wait, in one query."""
    open_ones = [
        model.objects.filter(status=ApprovalStatus.PROPOSED).order_by().values("pk")  # type: ignore[attr-defined]
        for model in (Release, Forfeiture)
    ]
    batches = RollBatch.objects.filter(status=RollBatch.Status.PROPOSED).order_by().values("pk")
    return batches.union(*open_ones, all=True).count()


def _open(model: Any) -> Any:
    rows = model.objects.filter(status=ApprovalStatus.PROPOSED).order_by("pk")
    return rows.select_related("permit__application", "permit__site", "proposed_by")[:SHOWN]


def _batches() -> Any:
    rows = RollBatch.objects.filter(status=RollBatch.Status.PROPOSED).order_by("pk")
    return rows.select_related("proposed_by")[:SHOWN]


def _of_escrow(each: Any, what: str, decide: str, user: Any) -> Proposal:
    key = each.permit.application.key
    first = each.proposed_by_id == user.pk
    approves = access.may_approve(user) and not first
    return Proposal(
        what=what,
        number=each.number,
        about=f"{each.permit}, {each.permit.site.place}",
        on=each.proposed_on,
        by=each.proposed_by,
        amount=each.amount,
        url=reverse("escrow_account", args=[key]),
        decide_url=reverse(decide, args=[key]) if approves else "",
    )


def _of_roll(batch: RollBatch, user: Any) -> Proposal:
    reads = access.may_read_roll(user)
    certifies = access.may_certify(user) and batch.proposed_by_id != user.pk
    return Proposal(
        what="Tax roll batch",
        number=str(batch),
        about=f"{batch.get_instrument_display()}s, {batch.count} lines, roll of {batch.year}",
        on=batch.proposed_on,
        by=batch.proposed_by,
        amount=batch.total,
        url=batch.get_absolute_url() if reads else reverse("escrow_waiting"),
        decide_url=reverse("roll_certify", args=[batch.key]) if certifies else "",
        whose=say("The {administrator_short} or another clerk certifies"),
    )
