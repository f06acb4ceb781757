"""Writes the sites of a large city in chunks, each as consistent as the acts would leave it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from random import Random
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import models, transaction
from django.db.models import F

from escrow.models import EscrowEntry, Instrument
from permits.models import (
    Application,
    CaseEvent,
    ChangeAnswer,
    Decision,
    DocketEntry,
    FeeEntry,
    Parcel,
    Party,
    Permit,
    PlannedActivity,
    PlannedDevice,
    PlanRevision,
    RequiredChange,
    SearchWord,
    Site,
)
from permits.models.docket import bound_to
from portal.models import Mailing, OutboxMessage, User
from portal.ordinance import Calendar, Deadline

from . import crowd, rows
from .bulk_money import Bills
from .bulk_orders import Orders
from .bulk_visits import SiteYears
from .counters import Counts, Numbers
from .letters import letters
from .quick import Table, settle_keys
from .seals import Staff, at, seal
from .stories import Story

__all__ = ["Writer"]

ESCROW = Decimal("2500.00")
LEAVES: tuple[type[models.Model], ...] = (
    Party,
    PlannedDevice,
    PlannedActivity,
    ChangeAnswer,
    FeeEntry,
    EscrowEntry,
    DocketEntry,
    CaseEvent,
    SearchWord,
    OutboxMessage,
)
"""What nothing else of a site refers to, so that its keys need not be known."""
ANSWER = "Done on sheet C-1."
NOUNS = {"grant": "grant", "deny": "denial"}
STEPS_DONE = ["site", "people", "work", "plan", "acknowledgements", "fee"]


@dataclass
class Chunk:
    """The rows of some sites, in the order in which they can be written."""

    stories: Sequence[Story]
    sites: list[Site] = field(default_factory=list)
    parcels: list[list[str]] = field(default_factory=list)
    parcel_keys: list[list[int]] = field(default_factory=list)
    applications: list[Application] = field(default_factory=list)


class Writer:
    """Writes stories as sites with everything that belongs to them."""

    def __init__(
        self, *, sites: int, staff: Staff, calendar: Calendar, today: date, chance: Random
    ) -> None:
        self.sites, self.staff, self.chance = sites, staff, chance
        self.numbers, self.counts = Numbers(), Counts(calendar)
        self.years = SiteYears(
            staff=staff, calendar=calendar, today=today, number=self.numbers.next, chance=chance
        )
        self.written = 0
        types = ContentType.objects.get_for_models(Application, PlanRevision, Decision, Permit)
        self.types = {model: kind.pk for model, kind in types.items()}
        self.tables = {model: Table(model) for model in LEAVES}
        self.tables[Mailing] = Table(Mailing, keyed=True)  # an addressee names its letter
        self.tables[Parcel] = Table(Parcel, keyed=True)  # a share of a bill names its parcel
        self.bills = Bills(
            staff=staff, calendar=calendar, today=today, number=self.numbers.next, chance=chance
        )
        self.orders = Orders(
            staff=staff,
            calendar=calendar,
            today=today,
            number=self.numbers.next,
            chance=chance,
            mailings=self.tables[Mailing],
            see=self.years.see,
        )

    @transaction.atomic
    def write(self, stories: Sequence[Story], holders: Sequence[User]) -> None:
        """Write a chunk; `holders` are the applicants of its sites."""
        chunk = Chunk(stories)
        self._sites(chunk)
        self._applications(chunk, holders)
        revisions = self._plans(chunk)
        decisions = self._decisions(chunk, revisions)
        permits = self._permits(chunk, decisions)
        for n, story in enumerate(stories):
            application, permit = chunk.applications[n], permits.get(n)
            due = self.counts.decision(story.received).on if story.received else None
            self.orders.pass_by()
            self.bills.pass_by(bool(story.received) + bool(story.posted))
            lived = []
            if permit and permit.number and story.posted:
                lived = self.years.live(permit, story.posted, application.applicant)
                lived += self.orders.stop(permit, story.posted, application.applicant)
                lived += self.bills.send(
                    permit, story.posted, application.applicant, chunk.parcel_keys[n]
                )
                lived.sort(key=lambda each: each[1])
            for event in seal(application, story, permit, self.staff, due, lived):
                self.tables[CaseEvent].take(event)
                for mailing, message in letters(event, chunk.sites[n], application):
                    self._add(Mailing, **mailing)
                    self._add(OutboxMessage, **message)
            if story.filed:
                self._words(chunk, n, permit)
        for table in self.tables.values():
            table.write()
        settle_keys([Mailing, Parcel])
        self.years.write()
        self.orders.write()
        self.bills.write()
        self._issue(permits)
        self.numbers.save()
        self.written += len(stories)

    def _sites(self, chunk: Chunk) -> None:
        for story in chunk.stories:
            site = Site(
                number=self.numbers.next("S", story.begun),
                address=crowd.address(self.chance),
                **crowd.position(self.chance, self.sites),
                filed_on=story.filed,
                created_at=at(story.begun),
            )
            chunk.sites.append(site)
        Site.objects.bulk_create(chunk.sites)
        for n, site in enumerate(chunk.sites, start=self.written):
            several = 1 if self.chance.random() < 0.85 else 2
            numbers = [crowd.parcel(self.chance, 2 * n + extra) for extra in range(several)]
            chunk.parcels.append(numbers)
            table = self.tables[Parcel]
            chunk.parcel_keys.append(
                [table.add(site_id=site.pk, number=number) for number in numbers]
            )

    def _applications(self, chunk: Chunk, holders: Sequence[User]) -> None:
        for site, story, holder in zip(chunk.sites, chunk.stories, holders, strict=True):
            fields: dict[str, Any] = dict.fromkeys(
                ("form_received_on", "plan_received_on"), story.filed
            )
            if story.filed:
                fields |= {
                    "number": self.numbers.next("AP", story.filed),
                    "signed_name": holder.name,
                    "signed_capacity": "Landowner",
                    "signed_at": at(story.filed),
                }
            chunk.applications.append(
                Application(
                    site=site,
                    applicant=holder,
                    status=story.status,
                    begun_at=at(story.begun),
                    steps_done=STEPS_DONE if story.filed else ["site"],
                    fee_received_on=story.received,
                    received_on=story.received,
                    withdrawn_on=story.withdrawn,
                    **(rows.work_fields(story.filed, self.chance) if story.filed else {}),
                    **fields,
                )
            )
        Application.objects.bulk_create(chunk.applications)
        for application, story in zip(chunk.applications, chunk.stories, strict=True):
            if story.filed:
                for party in rows.parties(application):
                    self._add(Party, **party)
            if story.received:
                self.tables[FeeEntry].take(self._fee(application, story.received))
                count = self.counts.decision(story.received)
                self._clock(application, count, story, application)

    def _fee(self, application: Application, on: date) -> FeeEntry:
        return FeeEntry(
            application=application,
            means="cash",
            amount=Decimal("25.00"),
            received_on=on,
            receipt_number=f"R-{application.number}",
            recorded_by=self.staff.clerk,
            recorded_at=at(on),
        )

    def _plans(self, chunk: Chunk) -> list[tuple[PlanRevision, PlanRevision | None]]:
        firsts = [
            rows.plan(application, 1, story.filed)
            for application, story in zip(chunk.applications, chunk.stories, strict=True)
        ]
        seconds = {
            n: rows.plan(chunk.applications[n], 2, story.revised)
            for n, story in enumerate(chunk.stories)
            if story.revised
        }
        PlanRevision.objects.bulk_create([*firsts, *seconds.values()])
        for revision in [*firsts, *seconds.values()]:
            if revision.filed_on:
                for device in rows.planned_devices(revision):
                    self._add(PlannedDevice, **device)
                self._add(PlannedActivity, **rows.planned_activity(revision))
        for n, second in seconds.items():
            story = chunk.stories[n]
            assert story.revised
            count = self.counts.review(story.revised)
            self._clock(second, count, story, chunk.applications[n])
        return [(first, seconds.get(n)) for n, first in enumerate(firsts)]

    def _decisions(
        self, chunk: Chunk, revisions: Sequence[tuple[PlanRevision, PlanRevision | None]]
    ) -> dict[int, Decision]:
        denials, grants = {}, {}
        for n, story in enumerate(chunk.stories):
            application, (first, second) = chunk.applications[n], revisions[n]
            if story.denied:
                denials[n] = self._decision(application, first, "deny", story.denied)
                denials[n].changes_count = 1
            if story.granted:
                grants[n] = self._decision(application, second or first, "grant", story.granted)
                grants[n].escrow_amount, grants[n].escrow_set_by = ESCROW, "inspector"
                grants[n].permanent_controls_by = story.cover
        Decision.objects.bulk_create([*denials.values(), *grants.values()])
        text = "Show the inlet east of the drive."
        changes = {
            n: RequiredChange(decision=denial, number=1, section="plan", text=text)
            for n, denial in denials.items()
        }
        RequiredChange.objects.bulk_create(changes.values())
        for n, change in changes.items():
            if (second := revisions[n][1]) is not None:
                answer = {"change_id": change.pk, "revision_id": second.pk, "text": ANSWER}
                self._add(ChangeAnswer, **answer)
        for n, decision in [*denials.items(), *grants.items()]:
            count = self.counts.appeal(decision.decided_on)
            application = decision.application
            title = f"Appeal the {NOUNS[decision.kind]} of {application.number}"
            superseded = decision.kind == "deny" and n in grants
            ended = {"closed_on": grants[n].decided_on} if superseded else {}
            self._enter(decision, count, title, application, **ended)
        return grants

    def _decision(
        self, application: Application, revision: PlanRevision, kind: str, on: date
    ) -> Decision:
        return Decision(
            application=application,
            revision=revision,
            kind=kind,
            decided_on=on,
            decided_by=self.staff.inspector,
            decided_at=at(on),
        )

    def _permits(self, chunk: Chunk, grants: dict[int, Decision]) -> dict[int, Permit]:
        permits = {}
        for n, grant in grants.items():
            story = chunk.stories[n]
            permits[n] = Permit(
                site=chunk.sites[n],
                application=chunk.applications[n],
                grant=grant,
                number=self.numbers.next("EC", story.posted)
                if story.issued and story.posted
                else None,
                granted_on=grant.decided_on,
                escrow_amount=ESCROW,
                escrow_posted_on=story.posted,
                permanent_controls_by=grant.permanent_controls_by or grant.decided_on,
            )
        Permit.objects.bulk_create(permits.values())
        money = [
            (self._cash(permit), permit) for permit in permits.values() if permit.escrow_posted_on
        ]
        Instrument.objects.bulk_create([cash for cash, _ in money])
        for cash, permit in money:
            self.tables[EscrowEntry].take(self._posting(cash, permit))
        for permit in permits.values():
            if permit.number and permit.escrow_posted_on:
                count = self.counts.cover(permit.permanent_controls_by, permit.escrow_posted_on)
                title = f"Permanent cover due, permit {permit.number}"
                self._enter(permit, count, title, permit.application)
        return permits

    def _cash(self, permit: Permit) -> Instrument:
        on = permit.escrow_posted_on
        assert on
        return Instrument(
            permit=permit,
            form="cash",
            amount=ESCROW,
            received_on=on,
            receipt_number=f"E-{permit.application.number}",
            posted_by=self.staff.clerk,
            posted_at=at(on),
        )

    def _posting(self, cash: Instrument, permit: Permit) -> EscrowEntry:
        return EscrowEntry(
            permit=permit,
            instrument=cash,
            kind="posted",
            amount=ESCROW,
            on=cash.received_on,
            by=self.staff.clerk,
            at=cash.posted_at,
        )

    def _issue(self, permits: dict[int, Permit]) -> None:
        """Issue on the day of posting; the database looks at the escrow of each."""
        keys = [permit.pk for permit in permits.values() if permit.number]
        for start in range(0, len(keys), 500):
            Permit.objects.filter(pk__in=keys[start : start + 500]).update(
                status="issued", issued_on=F("escrow_posted_on")
            )

    # The docket -----------------------------------------------------------------------

    def _clock(
        self,
        subject: Application | PlanRevision,
        count: Deadline,
        story: Story,
        application: Application,
    ) -> None:
        """Enter a clock of the inspector: running, met by a decision, or fallen away."""
        first = isinstance(subject, Application)
        met = (story.denied or story.granted) if first else story.granted
        what = (
            f"Decide application {application.number}"
            if first
            else f"Review plan revision 2 of {application.number}"
        )
        self._enter(subject, count, what, application, met_on=met, closed_on=met or story.withdrawn)

    def _enter(
        self, subject: Any, count: Deadline, title: str, application: Application, **ends: Any
    ) -> None:
        self._add(
            DocketEntry,
            site_id=application.site_id,
            subject_type_id=self.types[type(subject)],
            subject_pk=subject.pk,
            title=title,
            rule=count.key,
            kind=count.kind.value,
            bound=str(bound_to(count)),
            started_on=count.started_on,
            on=count.on,
            safe_on=count.safe_on,
            **ends,
        )

    def _words(self, chunk: Chunk, n: int, permit: Permit | None) -> None:
        site = chunk.sites[n]
        numbers = [chunk.applications[n].number, permit.number if permit else None]
        for word in rows.words_of(site, chunk.parcels[n], filter(None, numbers)):
            self._add(SearchWord, site_id=site.pk, word=word)

    def _add(self, model: type[models.Model], **values: Any) -> None:
        self.tables[model].add(**values)
