"""What a second person decides about the whole escrow: approved as proposed, or not at all."""

from __future__ import annotations

from datetime import date

from escrow.models import NOTHING, ApprovalStatus, EscrowEntry, Forfeiture, Release
from permits.models import NotNow, Permit
from portal.models import User

from . import lapsing
from .held import Held, account, total

__all__ = ["Proposal", "empty", "refuse_approval", "refuse_proposal", "waiting", "whole"]

Proposal = Forfeiture | Release


def waiting(model: type[Forfeiture] | type[Release], permit: Permit) -> Proposal | None:
    """Return the proposal of a permit that waits for its second person."""
    rows = model.objects.filter(permit=permit, status=ApprovalStatus.PROPOSED)  # type: ignore[attr-defined]
    found: Proposal | None = rows.select_related("proposed_by").first()
    return found


def whole(permit: Permit, *, on: date) -> list[Held]:
    """Return every instrument of which something is held."""
    return [each for each in account(permit, on=on) if each.is_held]


def refuse_proposal(permit: Permit) -> None:
    """Refuse a second proposal while one waits, be it for release or forfeiture."""
    for word, model in (("Release", Release), ("Forfeiture", Forfeiture)):
        if open_one := waiting(model, permit):
            raise NotNow(
                f"{word} {open_one.number} of ${open_one.amount:,.2f} "
                "waits for its second person already."
            )


def refuse_approval(proposal: Proposal, held: list[Held], *, by: User) -> None:
    """Refuse the person who proposed it, and a proposal of an amount that is not held any more."""
    proposal.demand(ApprovalStatus.APPROVED)
    if by.pk == proposal.proposed_by_id:
        raise NotNow("A second person approves it: you proposed it yourself.")
    now = total(held)
    if now != proposal.amount:
        raise NotNow(
            f"${proposal.amount:,.2f} was proposed and ${now:,.2f} is held today. The proposal is "
            "void: decline it, and let it be proposed anew."
        )


def empty(
    proposal: Proposal, held: list[Held], kind: str, *, by: User, on: date
) -> list[EscrowEntry]:
    """Take the whole balance of each instrument by one entry each."""
    name = "release" if isinstance(proposal, Release) else "forfeiture"
    made = [
        EscrowEntry.objects.create(
            permit=proposal.permit,
            instrument=each.instrument,
            kind=kind,
            amount=-each.held,
            on=on,
            by=by,
            **{name: proposal},
        )
        for each in held
        if each.held > NOTHING
    ]
    lapsing.keep_docket(proposal.permit, on=on)
    return made


def settle(proposal: Proposal, status: ApprovalStatus, *, by: User, on: date, why: str) -> None:
    """Write down what was decided, by whom and when."""
    proposal.move_to(status)
    proposal.decided_by, proposal.decided_on, proposal.decided_why = by, on, why
    proposal.save(update_fields=["status", "decided_by", "decided_on", "decided_why", "letter"])


def decline(proposal: Proposal, *, by: User, on: date, why: str) -> None:
    """Decline a proposal, or take one's own back; the escrow stays as it is."""
    release = isinstance(proposal, Release)
    with proposal.acting():
        settle(proposal, ApprovalStatus.DECLINED, by=by, on=on, why=why)
        proposal.site.record(
            "escrow.release_declined" if release else "escrow.forfeiture_declined",
            by=by,
            on=on,
            section="escrow" if release else "draws",
            reason=why,
            facts={"number": proposal.number, "amount": proposal.amount},
        )
