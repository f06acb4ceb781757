"""The clerk's own days in the demo city: the drawer closed, the bank, and last year's roll."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal

from escrow.account import expiry
from escrow.books import bank, closing
from escrow.models import Path, RollBatch, RollCharge, RollLayout
from escrow.roll import candidates, certify, outcomes, year
from portal.models import User
from portal.ordinance.days import ONE_DAY
from portal.ordinance.special_charge import delivery_on

from .cast import Cast
from .days import Days

__all__ = ["Books", "enter_county"]

DAYS_TO_CLOSE = 12
DAY_WITH_A_DIFFERENCE = 5
BANKED = (200, 120, 60, 30, 18, 8)
DAYS_TO_REMIND = 70
BEGINNING = date(2000, 1, 1)
PARCEL_FORM = r"\d{4}-\d{4}-\d{3}"


def enter_county(clerk: User) -> None:
    """Enter the layout of the demo's county: the plain one, with the form of its parcels."""
    plain = RollLayout.objects.get(name="CSV, all columns")
    plain.pk, plain.name, plain.entered_by = None, "Example County", clerk
    plain.county_code, plain.muni_code = "99", "251"
    plain.parcel_form, plain.parcel_example = PARCEL_FORM, "0240-0112-003"
    plain.save(force_insert=True)


class Books:
    """What the clerk does on the mornings of some days, beside the acts of the cases."""

    def __init__(self, days: Days, cast: Cast) -> None:
        self.days, self.cast = days, cast
        self.does: dict[date, list[Callable[[date], None]]] = defaultdict(list)
        for ago in range(2, DAYS_TO_CLOSE):
            self.does[days.ago(ago - 1)].append(self.close)
        for ago in BANKED:
            self.does[days.ago(ago)].append(self.deposit)
        self.last_year = days.roll_year - 1
        for on, act in (
            (days.after(date(self.last_year, 11, 9), 1), self.propose),
            (days.after(date(self.last_year, 11, 11), 1), self.certify),
            (days.after(date(self.last_year, 12, 1), 1), self.answer),
            (days.after(delivery_on(self.last_year), 1), self.collect),
        ):
            self.does[on].append(act)

    def morning(self, on: date) -> None:
        """Do what falls on a day, and remind of what expires."""
        for act in self.does.get(on, ()):
            act(on)
        if on > self.days.today - timedelta(DAYS_TO_REMIND):
            expiry.remind(on)

    # The drawer -----------------------------------------------------------------------

    def close(self, on: date) -> None:
        """Close the working day before; once a dollar too much lay in the drawer."""
        day = self.days.before(on, 1)
        found = closing.drawer(day)
        counted, why = found, ""
        if day == self.days.ago(DAY_WITH_A_DIFFERENCE):
            counted = closing.Drawer(found.cash + 1, found.checks)
            why = "A dollar too much; nobody came back for it."
        closing.close(
            day, expected=found, counted=counted, why=why, by=self.cast.clerk, on=on
        )  # fmt: skip

    def deposit(self, on: date) -> None:
        """Take to the bank what was taken until the day before."""
        until = on - ONE_DAY
        if total := bank.takings(BEGINNING, until).total:
            bank.deposit(since=BEGINNING, until=until, total=total, by=self.cast.clerk, on=on)

    # Last year's roll -----------------------------------------------------------------

    def propose(self, on: date) -> None:
        """Propose everything that is ready on the cut-off day."""
        layout = RollLayout.objects.get(name="Example County")
        now = year.roll_year_on(on)
        found = candidates.candidates(
            Path.SPECIAL_CHARGE, cut_off_on=now.list_on, on=on, layout=layout
        )
        certify.propose(
            certify.lines_from(found), year=now.year, cut_off_on=now.cut_off_on,
            instrument=Path.SPECIAL_CHARGE, layout=layout, by=self.cast.clerk, on=on,
        )  # fmt: skip

    def certify(self, on: date) -> None:
        """The administrator certifies what was proposed."""
        batch = RollBatch.objects.get(status=RollBatch.Status.PROPOSED)
        certify.certify(batch, signed=batch.sha256, by=self.cast.administrator, on=on)

    def answer(self, on: date) -> None:
        """The county rejected the second charge and took the others."""
        charge = self._charges()[1]
        reason = "The county's roll has this parcel as exempt."
        outcomes.reject(charge, reason=reason, by=self.cast.clerk, on=on)
        outcomes.accept_rest(charge.batch, by=self.cast.clerk, on=on)

    def collect(self, on: date) -> None:
        """The treasurer collected the first charge."""
        charge = self._charges()[0]
        outcomes.collect(
            charge, amount=Decimal(charge.amount), reference="Settlement 1",
            by=self.cast.clerk, on=on,
        )  # fmt: skip

    def _charges(self) -> list[RollCharge]:
        rows = RollCharge.objects.filter(batch__year=self.last_year).select_related("batch")
        return list(rows.order_by("pk"))
