"""The demo's cases of money: basins under maintenance agreements, and escrow that was short."""

from __future__ import annotations

from . import money_stories, paths, visit_stories
from .case import WI, Case
from .money_stories import basin, basin_of_last_year, basin_on_the_list
from .paths import Path

__all__ = ["LAST_YEAR", "MONEY"]

REEDS = "Reed Bend Homeowners Association"
QUARRY = "Quarry Park Condominiums, Inc."
OLSEN = "Olsen & Sons Warehouses LLC"


def _basin(place: str, parcels: tuple[str, ...], owner: str, path: Path) -> Case:
    return Case("", "", f"{place}, {WI}", parcels, path, landowner=owner)


TODAY = (
    _basin("Basin at 4 Reed Bend", ("0240-4101-000",), REEDS, basin(REEDS, 5)),
    _basin(
        "Basin at 18 Reed Bend", ("0240-4102-000",), REEDS,
        basin(REEDS, 12, (4, "bill.pay", {"amount": "500.00"})),
    ),
    _basin("Basin at 30 Reed Bend", ("0240-4103-000",), REEDS,
           basin(REEDS, 15, (6, "bill.pay", {}))),
    _basin(
        "Basin at 1 Quarry Park", ("0240-4104-000",), QUARRY,
        basin(QUARRY, 16, (3, "bill.credit", {
            "amount": "185.00", "reason": "Two of the hours were at another basin."})),
    ),
    _basin(
        "Basin at 9 Quarry Park", ("0240-4105-000",), QUARRY,
        basin(QUARRY, 14, (9, "bill.pay", {}), (6, "bill.bounce", {})),
    ),
    _basin(
        "Basin at 11 Quarry Park", ("0240-4106-000",), QUARRY,
        basin(QUARRY, 10, (9, "bill.withdraw", {"reason": "The agreement is of the next lot."})),
    ),
)  # fmt: skip
"""Bills of these weeks: open, paid in part, paid, credited, a check returned, withdrawn."""

ON_THE_LIST = (
    _basin("Basin at 2 Depot Yard", ("0240-4201-000",), OLSEN, basin_on_the_list(OLSEN)),
    _basin("Basins at 4 Depot Yard", ("0240-4202-000", "0240-4203-000"), OLSEN,
           basin_on_the_list(OLSEN)),
    _basin(
        "Basins at 6 Depot Yard", ("0240-4204-000", "0240-4205-000"), OLSEN,
        basin_on_the_list(
            OLSEN, (20, "bill.pay", {"short": "0.01"}), (5, "bill.divide", {})),
    ),
    _basin(
        "Basin at 8 Depot Yard", ("0240-4206-000",), OLSEN,
        basin_on_the_list(OLSEN, (5, "parcel.note", {
            "kind": "split", "text": "Now 0240-4216-001 and -002."})),
    ),
    _basin(
        "Basin at 10 Depot Yard", ("0240-4207-000",), OLSEN,
        basin_on_the_list(OLSEN, (5, "parcel.note", {"kind": "retired"})),
    ),
    _basin("Basin at 12 Depot Yard", ("EXMC 2260-114",), OLSEN, basin_on_the_list(OLSEN)),
    _basin("Basin in the right of way of Depot Yard", (), OLSEN, basin_on_the_list(OLSEN)),
    _basin(
        "Basin at 14 Depot Yard", ("0240-4208-000",), OLSEN,
        basin_on_the_list(OLSEN, (4, "parcel.note", {
            "kind": "owner", "owner": "Sandhill Self Storage LLC"})),
    ),
    Case("jon.berg", "garage", f"92 Prairie Smoke Lane, {WI}", ("0240-0092-003",),
         money_stories.stayed()),
    Case("pa.xiong", "garage", f"19 Sandhill Court, {WI}", ("0240-0019-119",),
         money_stories.escrow_was_short(levied=True)),
    Case("k.oduya", "garage", f"43 Bobolink Lane, {WI}", ("0240-0043-020",),
         money_stories.escrow_was_short(levied=False)),
)  # fmt: skip
"""Delinquent on the day of this year's list: two are ready, each other has a problem."""

LAST_YEAR = (
    _basin("Basin at 3 Millrace Yard", ("0240-4301-000",), OLSEN, basin_of_last_year(OLSEN)),
    _basin("Basin at 5 Millrace Yard", ("0240-4302-000",), REEDS, basin_of_last_year(REEDS)),
    _basin("Basin at 7 Millrace Yard", ("0240-4303-000",), QUARRY, basin_of_last_year(QUARRY)),
)
"""On last year's roll: collected with the tax, rejected by the county, accepted."""

ESCROW = (
    Case("builder", "garage", f"37 Treetop Court, {WI}", ("2172030037",),
         money_stories.forfeited(paths.issued(ago=120, means="bond", cover_in=-60)),
         contractor="northfield"),
    Case("ana.ruiz", "garage", f"23 Marsh Marigold Way, {WI}", ("0240-0023-019",),
         money_stories.released(
             visit_stories.closed(paths.issued(ago=185, means="both", cover_in=-20)))),
)  # fmt: skip
"""The escrow is gone: forfeited, and released."""

MONEY: tuple[Case, ...] = (*TODAY, *ON_THE_LIST, *LAST_YEAR, *ESCROW)
