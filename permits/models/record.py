"""The case record: append-only, one chain of events per site."""

from __future__ import annotations

import hashlib
import hmac
import json
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any, ClassVar

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import OuterRef, Q, Subquery

from portal import clock
from portal.models import User

from .site import Site

GENESIS = "0" * 64


class CaseEventManager(models.Manager["CaseEvent"]):
    """Events are appended by the acts of the case, and by nothing else."""

    def append(
        self,
        site: Site,
        kind: str,
        *,
        by: User | None,
        on: date,
        section: str = "",
        reason: str = "",
        facts: dict[str, Any] | None = None,
    ) -> CaseEvent:
        """Record one fact. Needs the site's lock, so that the chain never forks.

        `by` is None only for what the calendar or a job does; the record then says so.
        """
        last = self.filter(site=site).order_by("-sequence").values("sequence", "hash").first()
        event = CaseEvent(
            site=site,
            sequence=last["sequence"] + 1 if last else 1,
            kind=CaseEvent.Kind(kind),
            occurred_on=on,
            recorded_at=clock.now(),
            actor=by,
            actor_name=by.signature if by else "Siltfence",
            section=section,
            reason=reason,
            facts=json.loads(json.dumps(facts or {}, cls=DjangoJSONEncoder)),
            previous_hash=last["hash"] if last else GENESIS,
        )
        event.hash = event.compute_hash()
        event.save(force_insert=True)
        return event

    def append_many(
        self,
        kind: str,
        facts: Mapping[Site, dict[str, Any]],
        *,
        by: User | None,
        on: date,
        section: str = "",
    ) -> None:
        """Record one fact in each of many cases, for an act that concerns them together.

        Needs the lock of every site. The chains are the same as if `append` had made them.
        """
        newest = (
            self.filter(site=OuterRef("pk")).order_by("-sequence").values("sequence", "hash")[:1]
        )
        sites = Site.objects.filter(pk__in=[site.pk for site in facts]).order_by("pk")
        last = {
            row["pk"]: row
            for row in sites.annotate(
                sequence=Subquery(newest.values("sequence")), seal=Subquery(newest.values("hash"))
            ).values("pk", "sequence", "seal")
        }
        now = clock.now()
        events = []
        for site, said in facts.items():
            before = last[site.pk]
            event = CaseEvent(
                site=site,
                sequence=(before["sequence"] or 0) + 1,
                kind=CaseEvent.Kind(kind),
                occurred_on=on,
                recorded_at=now,
                actor=by,
                actor_name=by.signature if by else "Siltfence",
                section=section,
                facts=json.loads(json.dumps(said, cls=DjangoJSONEncoder)),
                previous_hash=before["seal"] or GENESIS,
            )
            event.hash = event.compute_hash()
            events.append(event)
        self.bulk_create(events, batch_size=500)


class CaseEvent(models.Model):
    """One fact of a case: what happened, when, by whom, under which section.

    The database refuses to change or delete a row (see the migration of triggers); the
    hash of each row seals the one before it with a key that is not in the database.
    """

    class Kind(models.TextChoices):
        APPLICATION_BEGUN = "application.begun"
        APPLICATION_SUBMITTED = "application.submitted"
        APPLICATION_RECEIVED = "application.received"
        APPLICATION_GRANTED = "application.granted"
        APPLICATION_DENIED = "application.denied"
        APPLICATION_WITHDRAWN = "application.withdrawn"
        APPLICATION_CORRECTED = "application.corrected"
        FEE_RECORDED = "fee.recorded"
        FEE_REVERSED = "fee.reversed"
        FEE_WAIVED = "fee.waived"
        HANDOVER_OFFERED = "handover.offered"
        HANDOVER_RECALLED = "handover.recalled"
        HANDOVER_ACCEPTED = "handover.accepted"
        REVISION_FILED = "revision.filed"
        ESCROW_POSTED = "escrow.posted"
        ESCROW_REVERSED = "escrow.reversed"
        PERMIT_ISSUED = "permit.issued"
        DATE_MOVED = "date.moved"
        VISIT_FINISHED = "visit.finished"
        FINDING_RECORDED = "finding.recorded"
        FINDING_SEEN_AGAIN = "finding.seen_again"
        FINDING_ANSWERED = "finding.answered"
        FINDING_NOT_CONFIRMED = "finding.not_confirmed"
        FINDING_CORRECTED = "finding.corrected"
        FINDING_DROPPED = "finding.dropped"
        LOG_ENTERED = "log.entered"
        COMPLETION_REPORTED = "completion.reported"
        FINAL_INSPECTION = "final_inspection.recorded"
        SEASON_LETTER = "season_letter.written"
        CERTIFICATE_RECORDED = "certificate.recorded"
        COMPLAINT_LINKED = "complaint.linked"
        PERMIT_CLOSED = "permit.closed"
        PERMIT_REVOKED = "permit.revoked"
        PERMIT_REINSTATED = "permit.reinstated"
        VIOLATION_RECORDED = "violation.recorded"
        VIOLATION_SEEN_AGAIN = "violation.seen_again"
        VIOLATION_ENDED = "violation.ended"
        VIOLATION_DROPPED = "violation.dropped"
        STOP_WORK_ISSUED = "stop_work.issued"
        STOP_WORK_POSTED = "stop_work.posted"
        STOP_WORK_LIFTED = "stop_work.lifted"
        STOP_WORK_WITHDRAWN = "stop_work.withdrawn"
        STOP_WORK_REVERSED = "stop_work.reversed"
        PAPER_SERVED = "paper.served"
        REVISION_ORDER_ISSUED = "revision_order.issued"
        REVISION_ORDER_LINE_REPORTED = "revision_order.line_reported"
        REVISION_ORDER_LINE_DONE = "revision_order.line_done"
        REVISION_ORDER_DONE = "revision_order.done"
        REVISION_ORDER_WITHDRAWN = "revision_order.withdrawn"
        REVISION_ORDER_REVERSED = "revision_order.reversed"
        REVISION_ORDER_PLAN_LINKED = "revision_order.plan_linked"
        CEASE_AND_DESIST_REQUESTED = "cease_and_desist.requested"
        CEASE_AND_DESIST_RECEIVED = "cease_and_desist.received"
        CEASE_AND_DESIST_FILED = "cease_and_desist.filed"
        CEASE_AND_DESIST_OBTAINED = "cease_and_desist.obtained"
        CEASE_AND_DESIST_CLOSED = "cease_and_desist.closed"
        NOTICE_OF_INTENT_ISSUED = "notice_of_intent.issued"
        NOTICE_OF_INTENT_FELL = "notice_of_intent.fell"
        NOTICE_OF_INTENT_WITHDRAWN = "notice_of_intent.withdrawn"
        OWNER_NOTICE_MADE = "owner_notice.made"
        OWNER_NOTICE_ACCEPTED = "owner_notice.accepted"
        OWNER_NOTICE_WITHDRAWN = "owner_notice.withdrawn"
        CITY_WORK_BEGUN = "city_work.begun"
        CITY_WORK_COST = "city_work.cost"
        CITY_WORK_COST_REVERSED = "city_work.cost_reversed"
        CITY_WORK_CLOSED = "city_work.closed"
        APPEAL_FILED = "appeal.filed"
        APPEAL_FEE_PAID = "appeal.fee_paid"
        APPEAL_PERIL = "appeal.peril"
        APPEAL_TRANSMITTED = "appeal.transmitted"
        APPEAL_HEARING_SET = "appeal.hearing_set"
        APPEAL_DECIDED = "appeal.decided"
        APPEAL_WITHDRAWN = "appeal.withdrawn"
        APPEAL_CARRIED_OUT = "appeal.carried_out"
        CITATION_SHEET_MADE = "citation_sheet.made"
        MAILING_DEPOSITED = "mailing.deposited"
        MAILING_ACCEPTED = "mailing.accepted"
        MAILING_RETURNED = "mailing.returned"
        MAILING_RESERVED = "mailing.reserved"
        ESCROW_RENEWED = "escrow.renewed"
        ESCROW_REPLACED = "escrow.replaced"
        ESCROW_OWNER_NAMED = "escrow.owner_named"
        ESCROW_DRAWN = "escrow.drawn"
        ESCROW_DRAW_REVERSED = "escrow.draw_reversed"
        ESCROW_DEMAND_PAID = "escrow.demand_paid"
        ESCROW_FORFEITURE_PROPOSED = "escrow.forfeiture_proposed"
        ESCROW_FORFEITURE_DECLINED = "escrow.forfeiture_declined"
        ESCROW_FORFEITED = "escrow.forfeited"
        ESCROW_RELEASE_PROPOSED = "escrow.release_proposed"
        ESCROW_RELEASE_DECLINED = "escrow.release_declined"
        ESCROW_RELEASED = "escrow.released"
        ESCROW_RETURNED = "escrow.returned"
        BILL_ISSUED = "bill.issued"
        BILL_PAYMENT = "bill.payment"
        BILL_CREDITED = "bill.credited"
        BILL_REVERSED = "bill.reversed"
        BILL_WITHDRAWN = "bill.withdrawn"
        BILL_DIVIDED = "bill.divided"
        ASSESSMENT_LEVIED = "assessment.levied"
        PARCEL_NOTED = "parcel.noted"
        ROLL_CERTIFIED = "roll.certified"
        ROLL_CORRECTED = "roll.corrected"
        ROLL_ACCEPTED = "roll.accepted"
        ROLL_REJECTED = "roll.rejected"
        ROLL_COLLECTED = "roll.collected"
        PAYMENT_REFUNDED = "payment.refunded"
        AGREEMENT_DRAFTED = "agreement.drafted"
        AGREEMENT_SENT_FOR_SIGNATURE = "agreement.sent_for_signature"
        AGREEMENT_SIGNED = "agreement.signed"
        AGREEMENT_SENT_TO_REGISTER = "agreement.sent_to_register"
        AGREEMENT_RECORDED = "agreement.recorded"
        AGREEMENT_WITHDRAWN = "agreement.withdrawn"
        AGREEMENT_ENDED = "agreement.ended"
        AGREEMENT_CORRECTED = "agreement.corrected"
        OWNER_CHANGED = "owner.changed"
        UPKEEP_REPORTED = "upkeep.reported"
        UPKEEP_INSPECTED = "upkeep.inspected"
        UPKEEP_NOTICE_ISSUED = "upkeep.notice_issued"
        UPKEEP_TIME_EXTENDED = "upkeep.time_extended"
        UPKEEP_CORRECTION_REPORTED = "upkeep.correction_reported"
        UPKEEP_CORRECTION_CONFIRMED = "upkeep.correction_confirmed"
        UPKEEP_CORRECTION_REFUSED = "upkeep.correction_refused"
        UPKEEP_NOTICE_WITHDRAWN = "upkeep.notice_withdrawn"
        CASE_EXPORTED = "case.exported"
        CASE_IMPORTED = "case.imported"
        EARLIER_PERMIT_SETTLED = "earlier_permit.settled"
        CASE_HELD = "case.held"
        CASE_HOLD_ENDED = "case.hold_ended"
        CASE_LISTED_FOR_DESTRUCTION = "case.listed_for_destruction"
        CASE_KEPT = "case.kept"
        CASE_DESTROYED = "case.destroyed"
        RECORDS_GIVEN = "records.given"

    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="events")
    sequence = models.PositiveIntegerField()
    kind = models.CharField(max_length=40, choices=Kind.choices)
    occurred_on = models.DateField()
    recorded_at = models.DateTimeField()
    actor = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    actor_name = models.CharField(max_length=260)
    section = models.CharField(max_length=30, blank=True)
    reason = models.TextField(blank=True)
    facts = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    objects: ClassVar[CaseEventManager] = CaseEventManager()

    class Meta:
        ordering = ["site", "sequence"]
        constraints = [
            models.UniqueConstraint(fields=["site", "sequence"], name="one_event_per_place"),
            models.CheckConstraint(condition=Q(sequence__gte=1), name="event_sequence_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.site.number} {self.sequence}: {self.kind}"

    def sealed_text(self) -> str:
        """Return the text over which the seal is made: the event, and the seal before it."""
        body = {
            "site": self.site_id,
            "sequence": self.sequence,
            "kind": str(self.kind),
            "occurred_on": self.occurred_on.isoformat(),
            "recorded_at": _utc(self.recorded_at),
            "actor": self.actor_id,
            "actor_name": self.actor_name,
            "section": self.section,
            "reason": self.reason,
            "facts": self.facts,
            "previous": self.previous_hash,
        }
        text = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return unicodedata.normalize("NFC", text)

    def compute_hash(self) -> str:
        """Return the seal over this event and the one before it (HMAC-SHA256, hex)."""
        canonical = self.sealed_text().encode("utf-8", "surrogatepass")
        return hmac.new(settings.RECORD_KEY.encode(), canonical, hashlib.sha256).hexdigest()


def _utc(moment: datetime) -> str:
    return f"{moment.timestamp():.6f}"


def find_broken_links() -> Iterator[str]:
    """Walk every chain and name each event whose seal or place does not fit.

    Of a destroyed case the contents are gone and the seals are left: they must still follow
    each other, up to the head that the sealed event of its destruction names.
    """
    site_id, sequence, seal = None, 0, GENESIS
    destroyed = dict(_destroyed_through())
    events = CaseEvent.objects.select_related("site").order_by("site_id", "sequence")
    for event in events.iterator(chunk_size=2000):
        if event.site_id != site_id:
            site_id, sequence, seal = event.site_id, 0, GENESIS
        if event.sequence != sequence + 1:
            yield f"{event}: an event before it is missing (expected number {sequence + 1})."
        if event.previous_hash != seal:
            yield f"{event}: it does not follow the event before it."
        through, head = destroyed.get(event.site_id, (0, ""))
        if event.sequence <= through:
            yield from _of_destroyed(event, through, head)
        elif event.compute_hash() != event.hash:
            yield f"{event}: its contents were changed after it was recorded."
        sequence, seal = event.sequence, event.hash


def _destroyed_through() -> Iterator[tuple[int, tuple[int, str]]]:
    """Yield each destroyed case with the last event whose contents are gone, and its seal."""
    found = CaseEvent.objects.filter(
        kind=CaseEvent.Kind.CASE_DESTROYED, site__destroyed_on__isnull=False
    )
    for event in found.select_related("site"):
        if event.compute_hash() == event.hash:
            yield event.site_id, (int(event.facts["through"]), str(event.facts["head"]))


def _of_destroyed(event: CaseEvent, through: int, head: str) -> Iterator[str]:
    if event.facts:
        yield f"{event}: its contents should be destroyed."
    if event.sequence == through and event.hash != head:
        yield f"{event}: it is not the head that the certificate of destruction names."
