"""What the retention rule asks of a case: what is open, what holds it, when it closed.

A case is closed when nothing in it is open; its years run from the last fact on its record.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import CharField, Exists, F, Max, OuterRef, Q, QuerySet, Sum, Value

from enforcement.models import (
    Appeal,
    CeaseAndDesistRequest,
    CityWork,
    NoticeOfIntent,
    OwnerNotice,
    RevisionOrder,
    StopWorkOrder,
    Violation,
)
from escrow import journal
from escrow.journal import Account
from escrow.models import Forfeiture, Release, cents
from inspections.models import Complaint, Finding, Visit
from permits.models import (
    Application,
    CaseEvent,
    Decision,
    DocketEntry,
    EarlierPermit,
    Permit,
    Site,
)
from permits.models.earlier import EarlierStatus as EARLIER
from portal.city import worded
from portal.desk.records.models import ConcernedCase, DestructionList, Hold, ListedCase
from portal.formats import long_date
from portal.models import Mailing
from portal.ordinance import Obstacle
from portal.ordinance.retention import HELD, KEPT, CaseFacts, Retention, retention_of, schedule

__all__ = ["facts_of", "old_enough", "retention_for"]

Kind = CaseEvent.Kind
ABOUT_RECORDS = (
    Kind.RECORDS_GIVEN,
    Kind.CASE_HELD,
    Kind.CASE_HOLD_ENDED,
    Kind.CASE_LISTED_FOR_DESTRUCTION,
    Kind.CASE_KEPT,
    Kind.CASE_EXPORTED,
)
"""Facts about the file, not about the land: they do not make the case younger."""

ENDED_PERMITS = (Permit.Status.CLOSED, Permit.Status.REVOKED, Permit.Status.WITHDRAWN)
AGREEMENTS = tuple(kind for kind in Kind if kind.value.startswith("agreement."))


# What is open -----------------------------------------------------------------------------


class Matter:
    """One kind of thing that keeps a case open: where it is, and how it is ended."""

    def __init__(
        self, key: str, text: str, cure: str, rows: Callable[[], QuerySet[Any]], site: str = "site"
    ) -> None:
        self.key, self.text, self.cure, self.rows, self.site = key, text, cure, rows, site

    def found(self, sites: Sequence[int]) -> QuerySet[Any]:
        """Return the site and the key of each open thing of some cases."""
        mine = self.rows().filter(**{f"{self.site}__in": sites}).order_by()
        said = mine.annotate(
            matter=Value(self.key, output_field=CharField()), of_site=F(f"{self.site}_id")
        )
        found: QuerySet[Any] = said.values_list("of_site", "matter")
        return found

    def obstacle(self) -> Obstacle:
        """The matter as a reason to keep the case."""
        return Obstacle(self.key, self.text, KEPT, self.cure)


APPLICATION = Application.Status
PERMIT = Permit.Status

MATTERS = (
    Matter(
        "application",
        "An application is not decided.",
        "decide or withdraw it",
        lambda: Application.objects.filter(
            status__in=[APPLICATION.DRAFT, APPLICATION.SUBMITTED, APPLICATION.UNDER_REVIEW]
        ),
    ),
    Matter(
        "permit",
        "A permit is neither closed nor revoked.",
        "close the permit",
        lambda: Permit.objects.exclude(status__in=ENDED_PERMITS),
    ),
    Matter(
        "earlier",
        "A permit of the earlier books is not at its end, or nobody knows whether it is.",
        "record what became of it",
        lambda: EarlierPermit.objects.filter(
            status__in=[EARLIER.APPLIED, EARLIER.ISSUED, EARLIER.UNKNOWN]
        ),
    ),
    Matter(
        "visit",
        "A visit is not finished.",
        "finish the visit",
        lambda: Visit.objects.filter(status="open"),
    ),
    Matter(
        "finding",
        "A finding is not corrected.",
        "confirm the correction",
        lambda: Finding.objects.filter(status__in=["open", "answered"]),
    ),
    Matter(
        "violation",
        "A violation has not ended.",
        "end the violation",
        lambda: Violation.objects.filter(status="open"),
    ),
    Matter(
        "stop-work",
        "A stop-work order stands.",
        "lift the order",
        lambda: StopWorkOrder.objects.filter(status="standing"),
    ),
    Matter(
        "revision-order",
        "A revision order stands.",
        "confirm what was ordered",
        lambda: RevisionOrder.objects.filter(status="standing"),
    ),
    Matter(
        "intent",
        "A notice of intent to perform work stands.",
        "withdraw the notice or do the work",
        lambda: NoticeOfIntent.objects.filter(status="standing"),
    ),
    Matter(
        "owner-notice",
        "A notice to the owner stands.",
        "withdraw the notice or do the work",
        lambda: OwnerNotice.objects.filter(status="standing"),
    ),
    Matter(
        "city-work",
        "City work is under way.",
        "close the work",
        lambda: CityWork.objects.filter(status="begun"),
    ),
    Matter(
        "attorney",
        worded("A request to the {attorney} is not closed."),
        "record what came of it",
        lambda: CeaseAndDesistRequest.objects.exclude(steps__kind="closed"),
    ),
    Matter(
        "appeal",
        "An appeal is before the board, or its decision is not carried out.",
        "record the decision and carry it out",
        lambda: Appeal.objects.filter(
            Q(status="filed")
            | Q(status="decided", outcome__in=["reversed", "modified"], carried_out_on__isnull=True)
        ),
    ),
    Matter(
        "proposal",
        "A release or forfeiture of the escrow is not decided.",
        "decide it",
        lambda: Release.objects.filter(status="proposed"),
    ),
    Matter(
        "forfeiture",
        "A forfeiture of the escrow is not decided.",
        "decide it",
        lambda: Forfeiture.objects.filter(status="proposed"),
    ),
)
BY_KEY = {matter.key: matter for matter in MATTERS}

CLOCK = Obstacle("clock", "A clock runs on the docket.", KEPT, "meet or end it")
LETTER = Obstacle("letter", "A letter is with the mail room or the post.", KEPT, "mail it")
REPORT = Obstacle("report", "A report by the public is not answered.", KEPT, "answer it")
MONEY = Obstacle("money", "Money is held, owed, or on the tax roll.", KEPT, "settle the money")

OPEN_ACCOUNTS = (
    Account.CHARGES_RECEIVABLE,
    Account.ASSESSMENTS_RECEIVABLE,
    Account.DUE_FROM_ISSUERS,
    Account.ON_ROLL,
    Account.HELD_CASH,
    Account.HELD_BONDS,
    Account.HELD_LETTERS,
    Account.DRAWN_TO_APPLY,
)
"""Accounts that are at zero once a case owes nothing and holds nothing."""


def _open_matters(sites: Sequence[int], on: date) -> dict[int, list[Obstacle]]:
    """Return what is open in each of some cases; a handful of queries for all of them."""
    found: dict[int, list[Obstacle]] = defaultdict(list)
    first, *others = (matter.found(sites) for matter in MATTERS)
    for site, key in sorted(set(first.union(*others))):
        found[site].append(BY_KEY[key].obstacle())
    for rows, obstacle in (
        (_clocks(sites, on), CLOCK),
        (_letters(sites), LETTER),
        (_reports(sites), REPORT),
    ):
        for site in sorted(set(rows)):
            found[site].append(obstacle)
    for site in _with_money(sites):
        found[site].append(MONEY)
    return found


def _clocks(sites: Sequence[int], on: date) -> QuerySet[Any, Any]:
    """A right to appeal that has lapsed binds nobody any more; every other clock does."""
    running = DocketEntry.objects.running().filter(site__in=sites)
    lapsed = Q(bound=DocketEntry.Bound.AGGRIEVED, on__lt=on)
    return running.exclude(lapsed).order_by().values_list("site_id", flat=True)


def _letters(sites: Sequence[int]) -> QuerySet[Any, Any]:
    waiting = Mailing.objects.filter(
        by_post=True, stage__in=["waiting", "handed_in", "returned"]
    ).filter(reference__in=Site.objects.filter(pk__in=sites).values("number"))
    numbers = Site.objects.filter(number__in=waiting.values("reference"))
    return numbers.order_by().values_list("pk", flat=True)


def _reports(sites: Sequence[int]) -> QuerySet[Any, Any]:
    found = Complaint.objects.filter(site__in=sites, answered_on__isnull=True)
    return found.order_by().values_list("site_id", flat=True)


def _with_money(sites: Sequence[int]) -> Iterator[int]:
    """Yield the cases of which an account of theirs is not at zero, by the rows themselves."""
    sums: dict[tuple[int, Account], Decimal] = defaultdict(Decimal)
    for source in journal.SOURCES:
        rows = source.rows(scope={"sites": sites}).order_by()
        names = [f"key_{name}" for name in source.keys]
        keyed = rows.annotate(
            of_site=F(source.site), **{f"key_{n}": e for n, e in source.keys.items()}
        )
        for row in keyed.values("of_site", *names).annotate(total=Sum(source.amount)):
            kind = tuple(row[name] for name in names)
            width = len(next(iter(source.postings)))
            for posting in source.postings[kind[:width]]:
                amount = cents(row["total"]) * posting.sign
                sums[row["of_site"], posting.debit] += amount
                sums[row["of_site"], posting.credit] -= amount
    yield from sorted(
        {s for (s, account), left in sums.items() if left and account in OPEN_ACCOUNTS}
    )


# What holds it ----------------------------------------------------------------------------


def _holds(sites: Sequence[int]) -> dict[int, list[Obstacle]]:
    """Return the legal holds and the open requests for records of each case."""
    found: dict[int, list[Obstacle]] = defaultdict(list)
    for hold in Hold.objects.standing().filter(site__in=sites).order_by("pk"):
        text = f"Held since {long_date(hold.on)}: {hold.reason}"
        found[hold.site_id].append(Obstacle("hold", text, HELD, "end the hold"))
    asked = ConcernedCase.objects.filter(site__in=sites, request__status="open")
    for each in asked.select_related("request"):
        text = f"Request {each.request} for its records is not answered."
        found[each.site_id].append(Obstacle("request", text, HELD, "answer the request"))
    return found


def _with_agreement(sites: Sequence[int]) -> set[int]:
    """Return the cases whose grant asks for an agreement, or that have one on record."""
    asked = Decision.objects.filter(application__site__in=sites, maintenance_agreement=True)
    released = Release.objects.filter(site__in=sites).exclude(agreement_document="")
    recorded = CaseEvent.objects.filter(site__in=sites, kind__in=AGREEMENTS)
    rows = asked.order_by().values_list("application__site_id")
    return {
        site
        for (site,) in rows.union(
            released.order_by().values_list("site_id"), recorded.order_by().values_list("site_id")
        )
    }


# All together -----------------------------------------------------------------------------


def facts_of(sites: Sequence[int], *, on: date) -> dict[int, CaseFacts]:
    """Return what the rule asks of each case; as many queries for one as for all."""
    events = CaseEvent.objects.filter(site__in=sites).exclude(kind__in=ABOUT_RECORDS)
    last = dict(events.order_by().values_list("site_id").annotate(last=Max("occurred_on")))
    matters, holds, bound = _open_matters(sites, on), _holds(sites), _with_agreement(sites)
    return {
        site: CaseFacts(
            last_fact_on=last.get(site),
            has_agreement=site in bound,
            open_matters=tuple(matters.get(site, ())),
            holds=tuple(holds.get(site, ())),
        )
        for site in sites
    }


def retention_for(site: Site, *, on: date) -> Retention:
    """How long one case is kept, and why."""
    return retention_of(facts_of([site.pk], on=on)[site.pk])


def old_enough(on: date) -> QuerySet[Site]:
    """Cases that are so old that the schedule could let them go, and stand on no list."""
    years = min(row.years for row in schedule().series.values() if not row.is_permanent)
    before = on.replace(year=on.year - years, day=min(on.day, 28))
    younger = CaseEvent.objects.filter(site=OuterRef("pk"), occurred_on__gte=before)
    listed = ListedCase.objects.filter(
        site=OuterRef("pk"), list__status__in=DestructionList.RUNNING, kept__isnull=True
    )
    sites = Site.objects.filter(destroyed_on__isnull=True, created_at__date__lte=before)
    return (
        sites.exclude(Exists(younger.exclude(kind__in=ABOUT_RECORDS)))
        .exclude(Exists(listed))
        .order_by("pk")
    )
