"""The named acts on an application: each locks, checks, sets facts and records one event."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from portal import clock, numbers
from portal.city import say
from portal.models import User
from portal.ordinance import completeness

from .acting import NotNow
from .application_clocks import ApplicationClocks
from .docket import DocketEntry

if TYPE_CHECKING:
    from .application import Application

Change = dict[str, str]


class ApplicationActs(ApplicationClocks):
    """What may be done with an application, in the order in which it happens."""

    class Meta:
        abstract = True

    def submit(self, *, by: User, on: date, signed_name: str, signed_capacity: str) -> None:
        """File form and plan; the ten working days start when the fee is in too. § 40-886(b)"""
        with self.acting():
            if self.status != self.Status.DRAFT:
                raise NotNow(self.why_not(self.Status.SUBMITTED))
            self.move_to(self.Status.SUBMITTED)
            missing = self.obstacles_to_submit(on=on)
            missing += self.obstacles_to_sign(signed_capacity, on=on)
            self.refuse(missing, "The application cannot be submitted yet.")
            self.number = numbers.next_number("AP", on=on)
            self.form_received_on = self.plan_received_on = on
            self.signed_name, self.signed_capacity = signed_name, signed_capacity
            self.signed_at = clock.now()
            self.save()
            revision = self.latest_revision()
            revision.filed_on = on
            revision.save(update_fields=["filed_on"])
            self._publish(on)
            self.site.record(
                "application.submitted",
                by=by,
                on=on,
                section="permit",
                facts={
                    "application": self.number,
                    "signed_name": signed_name,
                    "signed_capacity": signed_capacity,
                    "fee_due": self.fee_due(on=on),
                    **({"work_begun": True} if self.work_begun else {}),
                },
            )
            if self.fee_due(on=on) == 0:
                self._receive(by=by, fee_on=on)

    def _publish(self, on: date) -> None:
        if self.site.filed_on is None:
            self.site.filed_on = on
            self.site.save(update_fields=["filed_on"])
        self.site.index_words()

    def record_fee(
        self,
        *,
        by: User,
        means: str,
        received_on: date,
        amount: Decimal,
        receipt_number: str = "",
        check_number: str = "",
        resolution: str = "",
    ) -> Any:
        """Record that the fee came in or was waived; form, plan and fee are then all in."""
        with self.acting():
            if self.status != self.Status.SUBMITTED:
                raise NotNow("The fee of this application is not open any more.")
            due = self.fee_due(on=received_on)
            if means != "waiver" and amount != due:
                raise NotNow(f"The fee is ${due:,.2f}; ${amount:,.2f} was entered.")
            entry = self.fee_entries.create(
                means=means,
                amount=amount,
                received_on=received_on,
                receipt_number=receipt_number,
                check_number=check_number,
                resolution=resolution,
                recorded_by=by,
            )
            self.site.record(
                "fee.waived" if means == "waiver" else "fee.recorded",
                by=by,
                on=received_on,
                section="permit",
                facts={
                    "application": self.number,
                    "means": means,
                    "amount": amount,
                    "receipt": receipt_number,
                    "resolution": resolution,
                },
            )
            self._receive(by=by, fee_on=received_on)
            return entry

    def _receive(self, *, by: User, fee_on: date) -> None:
        """Start the inspector's ten working days: the last of the three is in. § 40-886(c)"""
        self.move_to(self.Status.UNDER_REVIEW)
        self.fee_received_on = fee_on
        self.received_on = completeness.received_on(
            self.form_received_on, self.plan_received_on, fee_on
        )
        self.save(update_fields=["status", "fee_received_on", "received_on"])
        deadline = self.running_deadline()
        self.site.record(
            "application.received",
            by=by,
            on=self.received_on,
            section="permit",
            facts={
                "application": self.number,
                "form_on": self.form_received_on,
                "plan_on": self.plan_received_on,
                "fee_on": fee_on,
                "decide_by": deadline.on,
            },
        )
        DocketEntry.objects.start(self, deadline, title=f"Decide application {self.number}")

    def reverse_fee(self, *, by: User, on: date, reason: str) -> None:
        """Reverse a fee that did not come in (a check returned); the clock never started.

        Only before the first decision. § 40-886(b)
        """
        with self.acting():
            entry = self.fee_entries.filter(reversed_by__isnull=True, reverses__isnull=True).last()
            if entry is None or self.decided_at() is not None:
                raise NotNow("Only a fee on which nothing was decided yet can be reversed.")
            self.move_to(self.Status.SUBMITTED)
            self.fee_entries.create(
                means="reversal",
                amount=-entry.amount,
                received_on=on,
                reverses=entry,
                note=reason,
                recorded_by=by,
            )
            self.fee_received_on = self.received_on = None
            self.save(update_fields=["status", "fee_received_on", "received_on"])
            DocketEntry.objects.drop(self, on=on)
            self.site.record(
                "fee.reversed",
                by=by,
                on=on,
                section="permit",
                reason=reason,
                facts={"application": self.number, "amount": entry.amount},
            )

    def grant(
        self,
        *,
        by: User,
        on: date,
        conditions: list[str],
        escrow_amount: Decimal,
        escrow_set_by: str,
        permanent_controls_by: date,
        escrow_basis: str = "",
        maintenance_agreement: bool = False,
        practices: Sequence[dict[str, Any]] = (),
        note: str = "",
    ) -> Any:
        """Grant the permit; it is issued once the escrow is posted. § 40-886(c)

        `practices` are those that stay beyond the permit, each with what drains to it; where
        there are any, a maintenance agreement is required. Former § 17.19(4)(f)
        """
        with self.acting():
            self.demand(self.Status.GRANTED)
            if permanent_controls_by <= on:
                raise NotNow("The date for permanent controls must lie after today.")
            if practices and not maintenance_agreement:
                raise NotNow("Practices that stay need a maintenance agreement.")
            self.refuse(self.obstacles_to_grant(on=on), "The application cannot be granted yet.")
            decision = self._decide(
                "grant",
                by=by,
                on=on,
                note=note,
                conditions=conditions,
                escrow_amount=escrow_amount,
                escrow_set_by=escrow_set_by,
                escrow_basis=escrow_basis,
                permanent_controls_by=permanent_controls_by,
                maintenance_agreement=maintenance_agreement,
                staying=practices,
            )
            self.site.permits.create(
                application=cast("Application", self),
                grant=decision,
                granted_on=on,
                escrow_amount=escrow_amount,
                permanent_controls_by=permanent_controls_by,
            )
            return decision

    def deny(self, *, by: User, on: date, changes: list[Change], note: str = "") -> Any:
        """Deny the permit and enumerate the required changes of the plan. § 40-886(c)

        Each change has `section`, `sheet` and `text`. Raises NotNow without one.
        """
        if not changes:
            raise NotNow("A denial must name at least one required change of the plan.")
        with self.acting():
            self.demand(self.Status.DENIED)
            decision = self._decide("deny", by=by, on=on, note=note, changes_count=len(changes))
            for number, change in enumerate(changes, start=1):
                decision.changes.create(number=number, **change)
            return decision

    def _decide(
        self,
        kind: str,
        *,
        by: User,
        on: date,
        note: str,
        staying: Sequence[dict[str, Any]] = (),
        **terms: Any,
    ) -> Any:
        deadline = self.running_deadline()
        revision = self.revisions.filter(filed_on__isnull=False).latest("number")
        decision = self.decisions.create(
            revision=revision, kind=kind, decided_on=on, decided_by=by, note=note, **terms
        )
        for number, practice in enumerate(staying, start=1):
            decision.practices.create(number=number, **practice)
        granted = kind == "grant"
        self.status = self.Status.GRANTED if granted else self.Status.DENIED
        self.save(update_fields=["status"])
        self.site.record(
            "application.granted" if granted else "application.denied",
            by=by,
            on=on,
            section="permit",
            facts={
                "application": self.number,
                "revision": revision.number,
                "due": deadline.on,
                "late": on > deadline.on,
                **{k: v for k, v in terms.items() if v not in ("", None)},
                **({"practices": list(staying)} if staying else {}),
            },
        )
        if granted:
            for denial in self.decisions.filter(kind="deny"):
                DocketEntry.objects.drop(denial, on=on)
        DocketEntry.objects.close(self, "decision", met_on=on)
        DocketEntry.objects.close(revision, "revision-review", met_on=on)
        DocketEntry.objects.start(
            decision,
            decision.appeal_deadline(),
            title=f"Appeal the {'grant' if granted else 'denial'} of {self.number}",
        )
        return decision

    def begin_revision(self) -> Any:
        """Return the revision being written after a denial; begun as a copy of the last."""
        with self.acting():
            if self.status != self.Status.DENIED:
                raise NotNow(self.why_not(self.Status.UNDER_REVIEW))
            revision = self.latest_revision()
            return revision if revision.filed_on is None else revision.copy_for_revision()

    def file_revision(self, *, by: User, on: date) -> Any:
        """File the plan revision that answers a denial; no new fee is due. § 40-886(c)"""
        with self.acting():
            if self.status != self.Status.DENIED:
                raise NotNow(self.why_not(self.Status.UNDER_REVIEW))
            self.move_to(self.Status.UNDER_REVIEW)
            revision = self.latest_revision()
            self.refuse(
                [*self.obstacles_to_submit(on=on), *revision.unanswered(on=on)],
                "The plan revision cannot be filed yet.",
            )
            revision.filed_on = on
            revision.save(update_fields=["filed_on"])
            self.save(update_fields=["status"])
            deadline = self.running_deadline()
            self.site.record(
                "revision.filed",
                by=by,
                on=on,
                section="permit",
                facts={
                    "application": self.number,
                    "revision": revision.number,
                    "summary": revision.summary_of_changes,
                    "review_by": deadline.on,
                },
            )
            DocketEntry.objects.start(
                revision,
                deadline,
                title=f"Review plan revision {revision.number} of {self.number}",
            )
            return revision

    def withdraw(self, *, by: User, on: date, reason: str = "") -> None:
        """Withdraw the application; it stays on record and its clocks end."""
        with self.acting():
            permit = self.site.permits.filter(application__pk=self.pk).first()
            if permit is not None:
                if permit.escrow_posted_on is not None:
                    raise NotNow(
                        say("The escrow is posted; the {clerk_short} must reverse it first.")
                    )
                permit.move_to(permit.Status.WITHDRAWN)
                permit.save(update_fields=["status"])
            self.move_to(self.Status.WITHDRAWN)
            self.withdrawn_on = on
            self.save(update_fields=["status", "withdrawn_on"])
            for subject in [self, *self.revisions.all()]:
                DocketEntry.objects.drop(subject, on=on)
            self.site.record(
                "application.withdrawn",
                by=by,
                on=on,
                section="permit",
                reason=reason,
                facts={"application": self.number or "", "draft": self.number is None},
            )

    def why_not(self, status: Any) -> str:
        """Say who decided and when, or what else stands in the way."""
        decision = self.latest_decision()
        if decision is not None and self.status in ("granted", "denied"):
            on = decision.decided_on
            day = f"{on:%A, %B} {on.day}, {on.year}"
            verb = "granted" if decision.kind == "grant" else "denied"
            return f"{decision.decided_by.signature} {verb} this application on {day}."
        if self.status == "withdrawn":
            return "This application was withdrawn."
        if status == "submitted":
            return f"This application was submitted already, as {self.number}."
        return f"This cannot be done now: the application is {self.get_status_display().lower()}."
