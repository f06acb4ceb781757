"""The acts of the demo's cases, done as people do them: through the acts of the house."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from escrow import acts as escrow_acts
from escrow.models import Instrument
from permits import acts, handover
from permits.models import Application, HandOver, Permit, Site
from portal.models import User

from .answers import answer, draw_plan
from .case import Case
from .cast import Cast
from .lasting import staying
from .sheets import draw_letter
from .studio import store_pdf
from .works import WORKS

__all__ = ["DEEDS", "Running", "paper"]

CHANGES: tuple[dict[str, str], ...] = (
    {
        "section": "plan",
        "sheet": "Sheet C-1",
        "text": "Show every storm inlet within 100 feet of the drive and how it is protected.",
    },
    {
        "section": "plan",
        "sheet": "",
        "text": "Give the dates on which bare soil is seeded, for each part of the site.",
    },
    {
        "section": "devices",
        "sheet": "Sheet C-1",
        "text": "Set a second silt fence at the foot of the slope; it falls 9 percent.",
    },
    {
        "section": "site",
        "sheet": "",
        "text": "Say where concrete trucks are washed out, away from inlets and the ditch.",
    },
)
ANSWERS = "Done, see the new sheet C-1."
SURETY = "Badger Hill Surety Company"
BANK = "Marshland Savings Bank"


@dataclass
class Running:
    """A case of the demo as far as it has come."""

    case: Case
    cast: Cast
    number: int
    application: Application | None = None
    opened: Site | None = None  # where nobody has applied

    @property
    def file(self) -> Application:
        """The application, which is there from the first step on."""
        assert self.application is not None
        return self.application

    @property
    def site(self) -> Site:
        """The site, with an application or without one."""
        return self.opened or self.file.site

    @property
    def holder(self) -> User:
        """Who holds the case now."""
        return self.file.applicant

    def permit(self) -> Permit:
        """The permit as it stands now."""
        return Permit.objects.get(application=self.file)

    def serial(self, series: str) -> str:
        """A receipt number of the clerk's own."""
        return f"{series}-{4100 + self.number}"


def begin(run: Running, on: date) -> None:
    run.application = acts.begin(by=run.cast.holder(run.case.holder), on=on)


def fill_in(run: Running, on: date, *, steps: tuple[str, ...] = ()) -> None:
    answer(run.file, run.case, on=on, steps=steps)


def submit(run: Running, on: date) -> None:
    capacity = f"For {run.case.landowner}" if run.case.landowner else "Landowner"
    acts.submit(
        run.file, by=run.holder, on=on, signed_name=run.holder.name, signed_capacity=capacity
    )


def take_fee(run: Running, on: date, *, means: str) -> None:
    fee: dict[str, Any] = {"amount": run.file.fee_due(on=on), "receipt_number": run.serial("R")}
    if means == "check":
        fee["check_number"] = str(20100 + run.number)
    if means == "waiver":
        fee = {"amount": Decimal("0.00"), "resolution": f"Resolution {on.year}-17"}
    acts.record_fee(run.file, by=run.cast.clerk, on=on, means=means, received_on=on, **fee)


def deny(run: Running, on: date, *, changes: int) -> None:
    wanted = [dict(change) for change in CHANGES[:changes]]
    note = "Call me if the slope is not what the contour lines say." if changes > 2 else ""
    acts.deny(run.file, by=run.cast.inspector, on=on, changes=wanted, note=note)


def begin_revision(run: Running, on: date, *, answers: int = 99) -> Any:
    revision = run.file.begin_revision()
    for change in list(revision.changes_to_answer())[:answers]:
        revision.answers.get_or_create(change=change, defaults={"text": ANSWERS})
    return revision


def revise(run: Running, on: date) -> None:
    revision = begin_revision(run, on)
    draw_plan(revision, run.case, on=on)
    revision.summary_of_changes = "Inlets, dates and fence as required; the rest is unchanged."
    revision.save()
    acts.file_revision(run.file, by=run.holder, on=on)


def grant(run: Running, on: date, *, permanent_controls_by: date) -> None:
    amount = Decimal(WORKS[run.case.work].escrow)
    large = amount > 10_000
    conditions = ["Call two working days before the first disturbance."]
    if large:
        conditions.append("Sweep the street at the end of each workday.")
    acts.grant(
        run.file,
        by=run.cast.inspector,
        on=on,
        conditions=conditions,
        escrow_amount=amount,
        escrow_set_by="administrator" if large else "inspector",
        escrow_basis="The contractor's estimate of all devices." if large else "",
        permanent_controls_by=permanent_controls_by,
        maintenance_agreement=large,
        practices=staying(run.file) if large else (),
    )


def post(run: Running, on: date, *, means: str, expires_on: date | None = None) -> None:
    permit = run.permit()
    instruments = {"cash": _cash, "both": _both}.get(means, paper)(run, permit, on, means)
    for each in instruments:
        if expires_on and not each.is_cash:
            each.expires_on = expires_on
    escrow_acts.post(permit, instruments, by=run.cast.clerk, on=on)


def _cash(run: Running, permit: Permit, on: date, means: str) -> list[Instrument]:
    return [_money(run, permit.escrow_amount, on)]


def _money(run: Running, amount: Decimal, on: date) -> Instrument:
    return Instrument(
        form="cash",
        amount=amount,
        received_on=on,
        receipt_number=run.serial("E"),
        remitter=run.holder.name,
    )


def _both(run: Running, permit: Permit, on: date, means: str) -> list[Instrument]:
    half = permit.escrow_amount / 2
    bond = paper(run, permit, on, "bond")[0]
    bond.amount = half
    return [_money(run, permit.escrow_amount - half, on), bond]


def paper(run: Running, permit: Permit, on: date, means: str) -> list[Instrument]:
    """A bond or letter of credit, with its scan."""
    issuer = SURETY if means == "bond" else BANK
    title = "Performance bond" if means == "bond" else "Irrevocable letter of credit"
    number = f"{'BH' if means == 'bond' else 'LC'}-{77000 + run.number}"
    rows = (
        f"Number {number}",
        f"For {run.holder.name}, erosion control at {run.file.site.place}.",
        f"We stand for ${permit.escrow_amount:,.2f} to the City of Example until the city",
        "releases us in writing.",
    )
    scan = store_pdf(draw_letter(title, issuer, rows), name=f"{number}.pdf", by=run.cast.clerk)
    return [
        Instrument(
            form=means,
            amount=permit.escrow_amount,
            received_on=on,
            issuer=issuer,
            instrument_number=number,
            expires_on=on + timedelta(days=730),
            renews_itself=means == "letter_of_credit",
            original_kept_at="City clerk's safe",
            scan=scan,
        )
    ]


def reverse(run: Running, on: date) -> None:
    reason = "Entered under the receipt number of another case."
    escrow_acts.reverse(run.permit(), by=run.cast.clerk, on=on, reason=reason)


def issue(run: Running, on: date) -> None:
    acts.issue(run.permit(), by=run.cast.clerk, on=on)


def withdraw(run: Running, on: date, *, reason: str) -> None:
    acts.withdraw(run.file, by=run.holder, on=on, reason=reason)


def offer(run: Running, on: date, *, to: str) -> None:
    email = run.cast.holder(to).email
    handover.offer(run.file, by=run.holder, email=email, on=on)


def accept(run: Running, on: date) -> None:
    offered = _offer(run)
    handover.accept(offered, by=run.cast.holder(offered.email), on=on)
    run.file.refresh_from_db()


def recall(run: Running, on: date) -> None:
    handover.recall(_offer(run), by=run.holder, on=on)


def _offer(run: Running) -> HandOver:
    return run.file.handovers.latest("pk")


DEEDS: dict[str, Callable[..., Any]] = {
    "begin": begin,
    "answer": fill_in,
    "submit": submit,
    "take_fee": take_fee,
    "deny": deny,
    "begin_revision": begin_revision,
    "revise": revise,
    "grant": grant,
    "post": post,
    "reverse": reverse,
    "issue": issue,
    "withdraw": withdraw,
    "offer": offer,
    "accept": accept,
    "recall": recall,
}
"""The acts that `paths.py` names."""
