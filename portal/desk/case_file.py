"""Everything that the case page tells, gathered in a bounded number of queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, Subquery, Sum

from enforcement.holding import orders_to_show
from enforcement.models import Appeal, CityWork, StopWorkOrder, UpkeepNotice
from enforcement.models.stays import read_stays
from escrow.models import ApprovalStatus, Bill, EscrowEntry, Forfeiture, Release
from inspections.acts.closing import open_findings
from inspections.models import Finding
from inspections.upkeep import TaskStanding, tasks_at
from permits.models import (
    Application,
    CasePaper,
    Decision,
    FeeEntry,
    HandOver,
    MaintenanceAgreement,
    Parcel,
    Party,
    Permit,
    PlanRevision,
    PlanSheet,
    RequiredChange,
    Site,
)
from portal.models import Mailing, OutboxMessage

__all__ = ["CaseFile", "Facts", "facts_of", "gather"]


@dataclass
class Facts:
    """Where one application stands: itself, its permit, its filed revision, its decisions."""

    application: Application
    permit: Permit | None = None
    revision: PlanRevision | None = None
    decisions: list[Decision] = field(default_factory=list)

    @property
    def decision(self) -> Decision | None:
        """The newest decision."""
        return self.decisions[-1] if self.decisions else None


BILLS_SHOWN = 10
NOTICES_SHOWN = 10


@dataclass
class CaseFile(Facts):
    """A case with its people, plans, money, papers, open findings and mail."""

    revisions: list[PlanRevision] = field(default_factory=list)
    parties: list[Party] = field(default_factory=list)
    parcels: list[Parcel] = field(default_factory=list)
    papers: list[CasePaper] = field(default_factory=list)
    fees: list[FeeEntry] = field(default_factory=list)
    escrow: list[dict[str, Any]] = field(default_factory=list)
    orders: list[StopWorkOrder] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    offer: HandOver | None = None
    unsent: list[OutboxMessage] = field(default_factory=list)
    to_mail: list[Mailing] = field(default_factory=list)
    # Whether there is city work, a bill, or a proposal about the escrow: else none is looked for.
    has_works: bool = False
    has_bills: bool = False
    has_proposal: bool = False
    newest_instrument: int | None = None  # withdrawn ones left out
    has_agreements: bool = False
    has_bare_agreements: bool = False  # without a task: found by themselves
    has_notices: bool = False
    has_appeals: bool = False

    @property
    def site(self) -> Site:
        """The land of the case."""
        return self.application.site

    @cached_property
    def bills(self) -> list[Bill]:
        """The newest bills of the case with what is owed; none is looked for where none is."""
        if not self.has_bills:
            return []
        return list(Bill.objects.filter(site=self.site).with_balance()[:BILLS_SHOWN])

    @cached_property
    def agreements(self) -> list[MaintenanceAgreement]:
        """The agreements that are recorded for the land, ended ones left out."""
        if not self.has_agreements:
            return []
        if self.has_bare_agreements:
            rows = MaintenanceAgreement.objects.filter(site=self.site, status="recorded")
            return list(rows.exclude(kind=MaintenanceAgreement.Kind.RELEASE).order_by("pk"))
        return list({each.agreement.pk: each.agreement for each in self.upkeep}.values())

    @cached_property
    def upkeep(self) -> list[TaskStanding]:
        """The tasks of the recorded agreements, each with the day that comes next."""
        return tasks_at(self.site) if self.has_agreements else []

    @cached_property
    def upkeep_notices(self) -> list[UpkeepNotice]:
        """The notices of maintenance that stand."""
        if not self.has_notices:
            return []
        rows = UpkeepNotice.objects.filter(site=self.site).standing().with_facts()
        rows = rows.select_related("agreement")
        found = list(rows.order_by("pk")[:NOTICES_SHOWN])
        if self.has_appeals:
            read_stays(found)
        for each in found:
            each.site = self.site
            each.read_stays = getattr(each, "read_stays", ())  # type: ignore[attr-defined]
        return found

    def party(self, role: str) -> Party | None:
        """Return the person in one capacity."""
        return next((party for party in self.parties if party.role == role), None)


def facts_of(applications: Sequence[Application]) -> list[Facts]:
    """Return where each of some applications stands: three queries for a whole list.

    Each application comes with its permit joined (`select_related("permit")`).
    """
    found = {each.pk: Facts(each, getattr(each, "permit", None)) for each in applications}
    filed = PlanRevision.objects.filter(application__in=found, filed_on__isnull=False)
    for revision in filed.order_by("number"):
        facts = found[revision.application_id]
        facts.revision = revision
    for decision in _decisions(found):
        found[decision.application_id].decisions.append(decision)
    return list(found.values())


def _decisions(applications: Iterable[int]) -> Iterable[Decision]:
    rows = Decision.objects.filter(application__in=list(applications)).order_by("pk")
    return rows.select_related("decided_by")


def gather(site: Site) -> CaseFile:
    """Return the case of a site: its newest application with all that belongs to it."""
    rows = site.applications.select_related("applicant", "permit").annotate(**_has_money(site))
    application = rows.order_by("-pk").first()
    if application is None:
        raise LookupError(f"{site.number} has no application.")
    application.site = site
    file = CaseFile(application, getattr(application, "permit", None))
    file.has_works, file.has_bills = application.has_works, application.has_bills  # type: ignore[attr-defined]
    file.has_proposal = application.has_proposal  # type: ignore[attr-defined]
    file.newest_instrument = application.newest_instrument  # type: ignore[attr-defined]
    file.has_agreements = application.has_agreements  # type: ignore[attr-defined]
    file.has_bare_agreements = application.has_bare_agreements  # type: ignore[attr-defined]
    file.has_notices = application.has_notices  # type: ignore[attr-defined]
    file.has_appeals = application.has_appeals  # type: ignore[attr-defined]
    file.parties = list(application.parties.all())
    file.parcels = list(site.parcels.all())
    file.findings = open_findings(site)
    file.offer = application.handovers.filter(
        accepted_at__isnull=True, recalled_at__isnull=True
    ).first()
    _add_plans(file)
    if application.number:
        _add_filed(file)
    if file.permit:
        file.permit.site, file.permit.application = site, application
        file.escrow = _escrow(file.permit)
    return file


def _has_money(site: Site) -> dict[str, Any]:
    """Say of what there is any, within the query that reads the application."""
    instruments = MaintenanceAgreement.objects.filter(site=site)
    bound = instruments.filter(status="recorded")
    standing = instruments.exclude(status="withdrawn").order_by("-pk")
    proposed = {"permit__application": OuterRef("pk"), "status": ApprovalStatus.PROPOSED}
    return {
        "has_works": Exists(CityWork.objects.filter(site=site)),
        "newest_instrument": Subquery(standing.values("pk")[:1]),
        "has_bills": Exists(Bill.objects.filter(site=site)),
        "has_agreements": Exists(bound),
        "has_bare_agreements": Exists(bound.filter(practices__tasks__isnull=True)),
        "has_notices": Exists(UpkeepNotice.objects.filter(site=site).standing()),
        "has_appeals": Exists(Appeal.objects.filter(site=site)),
        "has_proposal": Exists(Release.objects.filter(**proposed))
        | Exists(Forfeiture.objects.filter(**proposed)),
    }


def _add_plans(file: CaseFile) -> None:
    sheets = PlanSheet.objects.select_related("upload").order_by("pk")
    changes = RequiredChange.objects.order_by("number")
    revisions = file.application.revisions.select_related("decision__decided_by").order_by("number")
    file.revisions = list(
        revisions.prefetch_related(
            Prefetch("sheets", sheets), Prefetch("decision__changes", changes)
        )
    )
    for revision in file.revisions:
        revision.application = file.application
        decision = revision.find_decision()
        if revision.filed_on:
            file.revision = revision
        if decision:
            decision.application, decision.revision = file.application, revision
            file.decisions.append(decision)


def _add_filed(file: CaseFile) -> None:
    """Add what exists only once an application is filed: fees, papers, mail."""
    application, number = file.application, file.site.number
    file.fees = list(application.fee_entries.all())
    papers = CasePaper.objects.filter(site=file.site).select_related("document")
    file.orders = orders_to_show(file.site)
    file.papers = list(papers.order_by("pk"))
    waiting = OutboxMessage.objects.filter(reference=number, sent_at__isnull=True)
    file.unsent = list(waiting.order_by("pk")[:20])
    letters = Mailing.objects.waiting().filter(reference=number).select_related("document")
    file.to_mail = list(letters[:20])


def _escrow(permit: Permit) -> list[dict[str, Any]]:
    """Return what is held for a permit, by form of guarantee."""
    held = EscrowEntry.objects.filter(permit=permit).values("instrument__form").order_by()
    forms = dict(EscrowEntry.instrument.field.related_model.Form.choices)  # type: ignore[attr-defined]
    return [
        {"form": forms[row["instrument__form"]], "amount": row["total"]}
        for row in held.annotate(total=Sum("amount"))
        if row["total"]
    ]
