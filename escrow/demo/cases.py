"""The demo's cases: who holds each, where it is, what is built, and how it went.

Places are written the way people here write them: grid numbers with and without a blank,
lettered county roads, half numbers, corners, certified survey maps, no street at all.
"""

from __future__ import annotations

from . import agreements, ladder_stories, money_stories, paths, visit_stories
from .case import WI, Case
from .money_cases import MONEY
from .upkeep_stories import UPKEEP

__all__ = ["CASES"]

DRAFTS = (
    Case("vang", "house", "", (), paths.draft(ago=0)),
    Case(
        "vang", "garage", f"118 Juneberry Avenue, {WI}", ("0240-0118-000",),
        paths.draft("site", "people", ago=3),
    ),
    Case(
        "builder", "store", f"Hwys 51 and 151, {WI}", ("EXMC 2256-024", "EXMC 2256-025"),
        paths.draft("site", "people", "work", ago=7), street="Highway 51",
    ),
    Case(
        "jon.berg", "fill", f"2615 1/2 Juneberry Avenue, {WI}", ("2198.160",),
        paths.draft("site", "people", "work", "plan", ago=12), contractor="oduya",
    ),
    Case(
        "l.oconnor", "house", f"N79W5412 Bobolink Ln, {WI}", ("0010001000",),
        paths.draft("site", "people", "work", "plan", "acknowledgements", "fee", ago=1),
    ),
    Case(
        "pa.xiong", "pond", "", ("024-1029-10-350",), paths.draft("site", ago=160),
        survey="NE 1/4 SW 1/4 Sec 12 T8N R19E",
    ),
)  # fmt: skip

WAITING_FOR_FEE = (
    Case("builder", "house", f"W148 N9750 Treetop Dr, {WI}", ("2172030007",), paths.filed(ago=0),
         contractor="northfield"),
    Case("d.whitehorse", "garage", f"9550-9558 N Sandhill Road, {WI}", ("0240-0955-002",),
         paths.filed(ago=2)),
    Case("walt.petersen", "fill", f"0 County Road MM, {WI}", ("21.28.17.177C-05",),
         paths.filed(ago=9), contractor="oduya", photo=True),
    Case("jon.berg", "house", f"14 Sandhill Court, {WI}", ("0240-0014-114",), paths.filed(ago=24)),
)  # fmt: skip

UNDER_REVIEW = (
    Case("vang", "house", f"2107 Prairie Smoke Lane, {WI}", ("0240-0112-003",),
         paths.under_review(due_in=9), photo=True),
    Case("builder", "store", f"6180 US Highway 18 and 15, {WI}", ("EXMC2261999",),
         paths.under_review(due_in=8, means="check", wait=4), contractor="northfield",
         street="US Highway 18"),
    Case("utility", "main", f"County Road Y, {WI}", ("2170.994.002", "2170.994.003"),
         paths.under_review(due_in=6), contractor="lakeshore", photo=True),
    Case("ana.ruiz", "creek", f"N170 W20019 Heron Creek Rd, {WI}", ("0310-9990-001",),
         paths.under_review(due_in=5), contractor="kettle"),
    Case("k.oduya", "fill", f"712 Depot Street, {WI}", ("0240-0712-000",),
         paths.under_review(due_in=3), contractor="oduya"),
    Case("builder", "house", f"31 Treetop Court, {WI}", ("2172030031",),
         paths.under_review(due_in=2), contractor="northfield"),
    Case("l.oconnor", "garage", f"N31 W5070 Millrace Lane, {WI}", ("0240-5070-010",),
         paths.under_review(due_in=1, wait=6)),
    Case("jon.berg", "pond", "", ("026-1004-20-000",), paths.under_review(due_in=0),
         survey="Lot 7, CSM 11284, County Road Y", street="County Road Y"),
    Case("sister.ine", "school", f"900 Marsh Marigold Way, {WI}", ("0240-0900-900",),
         paths.under_review(due_in=0, means="waiver"), landowner="St. Brigid School Society",
         contractor="northfield"),
    Case("vang", "creek", f"N170W20043 Heron Creek Rd, {WI}", ("0310-9990-014",),
         paths.under_review(due_in=-1), contractor="kettle", photo=True),
    Case("estate.schmidt", "garage", f"48 Depot Street, Unit B, {WI}", ("0240-0048-002",),
         paths.under_review(due_in=-4)),
)  # fmt: skip

DENIED = (
    Case("vang", "garage", f"6 Millrace Lane, {WI}", ("0240-0006-001",),
         paths.denied(ago=1, changes=2)),
    Case("builder", "plat", f"Prairie Rose Plat, {WI}", ("0240-7700-000", "0240-7701-000"),
         paths.denied(ago=5, changes=4, begun=2), contractor="kettle",
         street="Prairie Rose Street"),
    Case("d.whitehorse", "house", f"2210 Bobolink Lane, {WI}", ("0240-2210-004",),
         paths.denied(ago=11, changes=3)),
    Case("walt.petersen", "pond", f"7533 E County Road DB, {WI}", ("024-1031-40-100",),
         paths.denied(ago=45, changes=1), contractor="oduya"),
    Case("pa.xiong", "house", f"15 Sandhill Court, {WI}", ("0240-0015-115",),
         paths.denied_twice(ago=3)),
)  # fmt: skip

REVISED = (
    Case("vang", "fill", f"320 Juneberry Avenue, {WI}", ("0240-0320-002",),
         paths.revised(due_in=6), contractor="oduya"),
    Case("builder", "school", f"1 Schoolhouse Road, {WI}", ("0240-0001-000",),
         paths.revised(due_in=0, changes=3), landowner="Example Area School District",
         contractor="northfield"),
    Case("jon.berg", "garage", f"77 Bobolink Lane, {WI}", ("0240-0077-020",),
         paths.revised(due_in=-3, changes=1)),
    Case("utility", "street", f"Depot Street from Mill to Third, {WI}", ("0240-0000-001",),
         paths.revised(due_in=2, changes=2, rounds=2), contractor="lakeshore",
         street="Depot Street"),
)  # fmt: skip

GRANTED = (
    Case("vang", "house", f"1409 Treetop Drive, {WI}", ("2172031409",), paths.granted(ago=1)),
    Case("builder", "store", f"2 Millrace Plaza, {WI}", ("0240-0002-700",),
         paths.granted(ago=6, changes=2), contractor="northfield", photo=True),
    Case("k.oduya", "creek", f"S45 W3300 Heron Creek Rd, {WI}", ("0310-9992-003",),
         paths.granted(ago=28), contractor="kettle"),
    Case("jon.berg", "house", f"88 Prairie Smoke Lane, {WI}", ("0240-0088-003",),
         paths.granted(ago=3, late=2)),
)  # fmt: skip

POSTED = (
    Case("ana.ruiz", "house", f"19 Marsh Marigold Way, {WI}", ("0240-0019-019",),
         paths.posted(ago=0)),
    Case("builder", "plat", f"Bobolink Meadows, {WI}", ("0240-8800-000",),
         agreements.drafted(paths.posted(ago=1, means="bond", changes=3), ago=0),
         contractor="kettle", street="Meadow Street"),
    Case("utility", "main", f"Sandhill Road, {WI}", ("0240-0000-014",),
         paths.posted(ago=4, means="letter_of_credit"), contractor="lakeshore",
         street="Sandhill Road"),
)  # fmt: skip

ISSUED = (
    Case("vang", "house", f"2111 Prairie Smoke Lane, {WI}", ("0240-0112-005",),
         paths.issued(ago=1), photo=True),
    Case("jon.berg", "garage", f"5 Depot Street, {WI}", ("0240-0005-001",), paths.issued(ago=4)),
    Case("builder", "house", f"33 Treetop Court, {WI}", ("2172030033",),
         visit_stories.log_with_a_gap(paths.issued(ago=15, changes=2)), contractor="northfield"),
    Case("d.whitehorse", "creek", f"N170W20101 Heron Creek Rd, {WI}", ("0310-9990-020",),
         visit_stories.answered(paths.issued(ago=48, means="both", expires_in=55)),
         contractor="kettle", photo=True),
    Case("vang", "fill", f"9 Millrace Lane, {WI}", ("0240-0009-001",),
         visit_stories.corrected_and_open(paths.issued(ago=60, cover_in=24)), contractor="oduya"),
    Case("builder", "store", f"500 County Road MM, {WI}", ("EXMC 2257-001",),
         ladder_stories.stopped(
             visit_stories.violation(paths.issued(
                 ago=140, means="bond", changes=1, cover_in=3, expires_in=26))),
         contractor="northfield"),
    Case("k.oduya", "fill", f"41 Bobolink Lane, {WI}", ("0240-0041-020",),
         visit_stories.final_asked_for(money_stories.replaced(
             paths.issued(ago=75, means="bond", cover_in=0))), contractor="oduya"),
    Case("walt.petersen", "pond", "", ("024-1031-10-000",),
         ladder_stories.owner_told(
             paths.issued(ago=130, means="bond", cover_in=-12, expires_in=11), ago=1),
         survey="SE 1/4 NE 1/4 Sec 3 T8N R19E, 40 acres", contractor="oduya"),
    Case("utility", "street", f"Third Street, {WI}", ("0240-0000-003",),
         money_stories.forfeiture_proposed(ladder_stories.owner_told(
             paths.issued(ago=230, means="letter_of_credit", cover_in=-36), ago=18)),
         contractor="lakeshore",
         street="Third Street"),
    Case("builder", "house", f"29 Treetop Court, {WI}", ("2172030029",),
         money_stories.renewed(visit_stories.reported_by_public(
             paths.issued(ago=250, means="bond", late=3, cover_in=160, expires_in=-10))),
         contractor="northfield"),
    Case("estate.schmidt", "garage", f"50 Depot Street, {WI}", ("0240-0050-000",),
         ladder_stories.revision_ordered(paths.issued_after_reversal(ago=90))),
    Case("l.oconnor", "house", f"2212 Bobolink Lane, {WI}", ("0240-2212-004",),
         ladder_stories.city_work_closed(paths.issued(ago=300, cover_in=55))),
    Case("vang", "house", f"2115 Prairie Smoke Lane, {WI}", ("0240-0112-007",),
         visit_stories.lived_in(1, 20, "House")),
    Case("jon.berg", "creek", f"N170W20125 Heron Creek Rd, {WI}", ("0310-9990-023",),
         visit_stories.lived_in(10, 20, "House and garage"), contractor="kettle"),
    Case("vang", "garage", f"11 Millrace Lane, {WI}", ("0240-0011-001",),
         money_stories.release_proposed(visit_stories.closed(
             ladder_stories.lifted(paths.issued(ago=180, cover_in=-20))))),
)  # fmt: skip

ORDERED = (
    Case("", "", f"3322 County Road Y, {WI}", ("026-1011-30-000",),
         ladder_stories.attorney_asked()),
    Case("", "", f"22 Treetop Court, {WI}", ("2172030022",),
         ladder_stories.dug_without_permit(ago=5)),
    Case("jon.berg", "house", f"90 Prairie Smoke Lane, {WI}", ("0240-0090-003",),
         ladder_stories.revoked(paths.issued(ago=70))),
    Case("vang", "house", f"2119 Prairie Smoke Lane, {WI}", ("0240-0112-009",),
         ladder_stories.appealed(paths.issued(ago=40))),
    Case("ana.ruiz", "garage", f"21 Marsh Marigold Way, {WI}", ("0240-0021-019",),
         ladder_stories.affirmed(paths.issued(ago=95))),
    Case("builder", "house", f"35 Treetop Court, {WI}", ("2172030035",),
         ladder_stories.city_at_work(paths.issued(ago=100)), contractor="northfield"),
)  # fmt: skip
"""Where nobody is named, somebody digs who has asked for no permit."""

AGREED = (
    Case("builder", "store", f"8 Millrace Plaza, {WI}", ("0240-0008-700",),
         agreements.sent(paths.issued(ago=50, means="bond"), ago=6), contractor="northfield"),
    Case("sister.ine", "school", f"5 Schoolhouse Road, {WI}", ("0240-0005-900",),
         agreements.at_register(paths.issued(ago=62), ago=3),
         landowner="St. Brigid School Society", contractor="northfield"),
    Case("builder", "store", f"12 Millrace Plaza, {WI}", ("0240-0012-700", "0240-0012-701"),
         agreements.recorded_and_sold(
             paths.issued(ago=120, means="bond"), ago=60, to="Harbor Square Retail LLC"),
         contractor="northfield"),
)  # fmt: skip
"""Maintenance agreements on their way to the register of deeds, and one of land that was sold."""

WITHDRAWN = (
    Case("jon.berg", "pond", "", ("024-1031-20-000",),
         paths.withdrawn(ago=30, at="draft", reason=""), survey="Sec 3 T8N R19E"),
    Case("pa.xiong", "garage", f"17 Sandhill Court, {WI}", ("0240-0017-117",),
         paths.withdrawn(ago=40, at="filed", reason="Built smaller: no permit is needed.")),
    Case("ana.ruiz", "house", f"2 Marsh Marigold Way, {WI}", ("0240-0002-019",),
         paths.withdrawn(ago=21, at="review", reason="The land was sold.")),
    Case("builder", "creek", f"N170 W20077 Heron Creek Rd, {WI}", ("0310-9990-017",),
         paths.withdrawn(ago=70, at="denied", reason="The buyer chose another lot."),
         contractor="northfield"),
    Case("k.oduya", "store", f"14 Millrace Plaza, {WI}", ("0240-0014-700",),
         paths.withdrawn(ago=110, at="granted", reason="The bank did not finance the store.")),
)  # fmt: skip

HANDED_OVER = (
    Case("vang", "house", f"16 Sandhill Court, {WI}", ("0240-0016-116",),
         paths.offered(paths.under_review(due_in=4), to="builder", ago=2)),
    Case("estate.schmidt", "garage", f"3 Schoolhouse Road, {WI}", ("0240-0003-000",),
         paths.offered(paths.issued(ago=20), to="vang", ago=8, end="accept")),
    Case("jon.berg", "fill", f"64 Juneberry Avenue, {WI}", ("0240-0064-002",),
         paths.offered(paths.denied(ago=8, changes=1), to="vang", ago=4, end="recall"),
         contractor="oduya"),
)  # fmt: skip

CASES: tuple[Case, ...] = (
    *DRAFTS,
    *WAITING_FOR_FEE,
    *UNDER_REVIEW,
    *DENIED,
    *REVISED,
    *GRANTED,
    *POSTED,
    *ISSUED,
    *ORDERED,
    *AGREED,
    *WITHDRAWN,
    *HANDED_OVER,
    *MONEY,
    *UPKEEP,
)
