"""Keeping the guarantee alive: renewal, replacement without a gap, and whose it is.

Former § 17.19(4)(c)
"""

from __future__ import annotations

from datetime import date

from django.db import transaction

from escrow.models import CheckRequest, EscrowEntry, Instrument, InstrumentOwner, InstrumentRenewal
from permits.models import NotNow, Permit
from portal.models import Upload, User

from . import lapsing, papers, telling
from .held import Held, account, asked_whose

__all__ = ["find_held", "name_owner", "renew", "replace", "why_not_renew", "why_not_replace"]


def find_held(instrument: Instrument, *, on: date) -> Held:
    """Return an instrument as it stands; refuse one of which nothing is held."""
    for each in account(instrument.permit, on=on):
        if each.instrument == instrument and each.is_held:
            return each
    raise NotNow(f"Nothing is held of the {instrument}.")


def why_not_renew(each: Held, expires_on: date | None) -> str:
    """Say why an instrument cannot be renewed until a day, or nothing."""
    if each.instrument.is_cash:
        return "Cash does not expire."
    if each.good_until is None:
        return "It does not expire, so there is nothing to renew."
    if expires_on is not None and expires_on <= each.good_until:
        return f"It is good until {each.good_until:%B %-d, %Y} already. A renewal is for longer."
    if expires_on is not None and expires_on < each.on:
        return "A renewal is good on its own day."
    return ""


@transaction.atomic
def renew(
    instrument: Instrument,
    *,
    expires_on: date | None,
    number: str = "",
    note: str = "",
    scan: Upload | None = None,
    by: User,
    on: date,
) -> InstrumentRenewal:
    """Record that the issuer renewed a bond or letter of credit; without a day it has no end."""
    permit = instrument.permit
    with permit.acting():
        before = find_held(instrument, on=on)
        if why := why_not_renew(before, expires_on):
            raise NotNow(why)
        made = InstrumentRenewal.objects.create(
            instrument=instrument,
            expires_on=expires_on,
            number=number,
            note=note,
            scan=scan,
            on=on,
            by=by,
        )
        permit.note_escrow_good_until(_good_until(permit, on=on))
        lapsing.keep_docket(permit, on=on)
        facts = {"instrument": str(instrument), "until": expires_on, "number": number}
        if before.has_lapsed:
            facts["lapsed_on"] = before.good_until
        permit.site.record("escrow.renewed", by=by, on=on, section="escrow", facts=facts)
        telling.tell(
            permit,
            f"escrow_renewed:{made.pk}",
            subject="The escrow is renewed",
            on=on,
            paper=papers.renewal(permit, made, on=on),
            renewal=made,
        )
    return made


def why_not_replace(each: Held, new: Instrument, *, on: date) -> str:
    """Say why a new instrument does not stand in for an old one, or nothing.

    A draw that is taken back after a replacement is held of the old instrument again.
    """
    other = Instrument.objects.filter(replaces=each.instrument).first()
    if other is not None:
        return f"The {other} was posted in its place already. What is held of it is released."
    if new.amount < each.held:
        short = each.held - new.amount
        return f"It is ${short:,.2f} short: ${each.held:,.2f} is held of the old one."
    if new.is_cash and new.amount > each.held:
        over = new.amount - each.held
        return f"It is ${over:,.2f} too much. Only a bond or a letter of credit may exceed it."
    if each.instrument.is_cash and (
        not each.owner.address or asked_whose(each.instrument.permit, [each])
    ):
        return "Say first whose the cash is and where its check goes: the treasury pays it back."
    if new.expires_on is not None and new.expires_on < on:
        return "It expired already and guarantees nothing any more."
    return ""


@transaction.atomic
def replace(old: Instrument, new: Instrument, *, by: User, on: date) -> Instrument:
    """Post a new instrument in the place of an old one, and only then let the old one go."""
    permit = old.permit
    with permit.acting():
        before = find_held(old, on=on)
        if why := why_not_replace(before, new, on=on):
            raise NotNow(why)
        new.permit, new.posted_by, new.replaces = permit, by, old
        new.save(force_insert=True)
        EscrowEntry.objects.create(
            permit=permit, instrument=new, kind="posted", amount=new.amount, on=on, by=by
        )
        EscrowEntry.objects.create(
            permit=permit,
            instrument=old,
            kind="replaced",
            amount=-before.held,
            reason=f"Replaced by {new}.",
            on=on,
            by=by,
        )
        permit.note_escrow_good_until(_good_until(permit, on=on))
        lapsing.keep_docket(permit, on=on)
        facts = {"old": str(old), "new": str(new), "held": before.held, "until": new.expires_on}
        if before.has_lapsed:
            facts["lapsed_on"] = before.good_until
        if old.is_cash:
            facts["check"] = {"payee": before.owner.name, "amount": before.held}
            _pay_back(before, by=by, on=on)
        permit.site.record("escrow.replaced", by=by, on=on, section="escrow", facts=facts)
        telling.tell(
            permit,
            f"escrow_replaced:{new.pk}",
            subject="An instrument of the escrow is replaced",
            on=on,
            paper=papers.replacement(permit, old, new, on=on),
            old=old,
            new=new,
        )
    return new


def _pay_back(cash: Held, *, by: User, on: date) -> CheckRequest:
    """Ask the treasury to pay replaced cash back to its owner."""
    owner = cash.owner
    return CheckRequest.objects.create(
        replaced=cash.instrument,
        payee=owner.name,
        address=owner.address,
        amount=cash.held,
        paper=papers.check_request(
            cash.instrument, owner.name, owner.address, cash.held, by=by, on=on
        ),
        on=on,
        by=by,
    )


def _good_until(permit: Permit, *, on: date) -> date | None:
    """Return the last day on which everything that is held is still good; None: no end."""
    ends = [each.good_until for each in account(permit, on=on) if each.is_held and each.good_until]
    return min(ends, default=None)


@transaction.atomic
def name_owner(
    instrument: Instrument,
    *,
    name: str,
    address: str,
    why: str,
    scan: Upload | None = None,
    by: User,
    on: date,
) -> InstrumentOwner:
    """Record whose the money is, as somebody said it; a transfer of the permit moves nothing."""
    permit = instrument.permit
    with permit.acting():
        find_held(instrument, on=on)
        made = InstrumentOwner.objects.create(
            instrument=instrument, name=name, address=address, why=why, scan=scan, on=on, by=by
        )
        permit.site.record(
            "escrow.owner_named",
            by=by,
            on=on,
            section="escrow",
            reason=why,
            facts={"instrument": str(instrument), "owner": name},
        )
    return made
