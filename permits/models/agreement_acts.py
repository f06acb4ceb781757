"""The acts of an agreement: each locks the case, sets its facts once and records one event."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, cast

from portal import city
from portal.models import Upload, User
from portal.ordinance import Obstacle, maintenance, recording

from .acting import Acting, NotNow

if TYPE_CHECKING:
    from .agreement import MaintenanceAgreement
    from .agreement_parts import AgreementRecording

SECTION = "maintenance"


class AgreementActs(Acting):
    """What people do with an agreement, its amendment or its release."""

    class Meta:
        abstract = True

    @property
    def _own(self) -> MaintenanceAgreement:
        return cast("MaintenanceAgreement", self)

    def why_not(self, status: Any) -> str:
        """Say where the instrument stands instead."""
        own = self._own
        kind = own.get_kind_display().lower()
        return f"This cannot be done now: {own.number} ({kind}) is {own.standing_in_words}."

    # What stands in the way ---------------------------------------------------------------

    def draft_facts(self) -> maintenance.DraftFacts:
        """Gather what the rule asks of a draft."""
        own = self._own
        practices = list(own.practices.prefetch_related("tasks"))
        texts = own.texts_by_part()
        return maintenance.DraftFacts(
            practices=len(practices),
            without_area=tuple(str(p) for p in practices if not p.drainage_area.strip()),
            without_tasks=tuple(str(p) for p in practices if not p.tasks.all()),
            party_named=bool(own.party_name or own.party_organization),
            party_has_address=bool(own.party_address),
            owner_named=bool(own.owner_name or own.owner_organization),
            parcels=len(own.parcel_numbers),
            legal_description=bool(own.legal_description.strip()),
            map=own.map_id is not None,
            return_address=bool(own.return_to.strip()),
            drafter=bool(own.drafter.strip()),
            says_why=own.kind == own.Kind.AGREEMENT or bool(own.terms.strip()),
            kind=own.kind,
            social_security_in=tuple(
                part for part, text in texts.items() if own.social_security_in(text)
            ),
        )

    def obstacles_to_send(self, *, on: date) -> list[Obstacle]:
        """Return every reason why the draft cannot be sent for signature. Former § 17.19(4)(f)"""
        return maintenance.obstacles_to_sign(self.draft_facts(), city.edition_on(on))

    # The acts -----------------------------------------------------------------------------

    def send_for_signature(self, *, by: User, on: date, document: str) -> None:
        """Fix what the instrument says; its paper goes to whoever signs. Under lock.

        `document` is the hash of the paper: what was signed is what was sent.
        """
        self.move_to(self._own.Status.SENT_FOR_SIGNATURE)
        self._set(sent_for_signature_on=on)
        self._record(
            "agreement.sent_for_signature",
            by=by,
            on=on,
            party=str(self._own.responsible_party(on)),
            practices=[str(each) for each in self._own.practices.all()],
            paper_sha256=document,
        )

    def note_signed(self, *, by: User, on: date, signed_on: date, scan: Upload) -> None:
        """Note that all have signed, with the scan of the signed instrument."""
        with self.acting():
            own = self._own
            self.demand(own.Status.SIGNED)
            assert own.sent_for_signature_on is not None
            if signed_on < own.sent_for_signature_on:
                raise NotNow("It cannot have been signed before it was sent for signature.")
            if signed_on > on:
                raise NotNow("The day of signing lies after today.")
            self.move_to(own.Status.SIGNED)
            self._set(signed_on=signed_on, signed_scan=scan)
            self._record("agreement.signed", by=by, on=signed_on, scan_sha256=scan.sha256)

    def send_to_register(self, *, by: User, on: date, sent_on: date) -> None:
        """Note that the signed instrument went to the register of deeds."""
        with self.acting():
            own = self._own
            self.demand(own.Status.SENT_TO_REGISTER)
            assert own.signed_on is not None
            if not own.signed_on <= sent_on <= on:
                raise NotNow("The day lies between the day of signing and today.")
            self.move_to(own.Status.SENT_TO_REGISTER)
            self._set(sent_to_register_on=sent_on)
            self._record("agreement.sent_to_register", by=by, on=sent_on)

    def note_recorded(
        self,
        *,
        by: User,
        on: date,
        recorded_on: date,
        document_number: str,
        county: str,
        scan: Upload,
    ) -> None:
        """Note that the register recorded it: it is complete, and ends what it amends or releases.

        Wis. Stat. § 706.08(1)(a)
        """
        with self.acting():
            own = self._own
            self.demand(own.Status.RECORDED)
            self.refuse(self.obstacles_to_record(recorded_on, on=on), "It is not recorded yet.")
            self.refuse_twice(document_number, county)
            self.move_to(own.Status.RECORDED)
            entry = self._enter(by, on, recorded_on, document_number, county, scan, "")
            ended = self._end_before(recorded_on)
            kind = "agreement.ended" if own.kind == own.Kind.RELEASE else "agreement.recorded"
            self._record(
                kind,
                by=by,
                on=recorded_on,
                **_facts_of(entry),
                **({"ends": ended} if ended else {}),
            )

    def obstacles_to_record(self, recorded_on: date, *, on: date) -> list[Obstacle]:
        """Return why the recording cannot have been on a day."""
        own = self._own
        before = own.before.recorded_on if own.before else None
        facts = recording.RecordFacts(recorded_on, own.signed_on, on, after=before)
        return recording.obstacles_to_record(facts)

    def refuse_twice(self, document_number: str, county: str) -> None:
        """Refuse a document that is entered for this site already."""
        own = self._own
        rows = type(own)._default_manager.filter(site=own.site, document_number=document_number)
        if found := rows.filter(county=county).exclude(pk=own.pk).first():
            raise NotNow(f"Document {document_number} is entered already, as {found.number}.")

    def correct_recording(
        self,
        *,
        by: User,
        on: date,
        recorded_on: date,
        document_number: str,
        county: str,
        reason: str,
        scan: Upload | None = None,
    ) -> None:
        """Correct what was entered of the recording; the entry before stays beside it."""
        with self.acting():
            own = self._own
            if own.recorded_on is None:
                raise NotNow(f"{own.number} is not recorded, so there is nothing to correct.")
            if (recorded_on, document_number, county) == own.stated() and scan is None:
                raise NotNow("That is what stands already.")
            self.refuse(self.obstacles_to_record(recorded_on, on=on), "This cannot be right.")
            self.refuse_twice(document_number, county)
            if own.ended_on is not None and recorded_on > own.ended_on:
                raise NotNow("It was ended by a later instrument before that day.")
            was = own.stated()
            entry = self._enter(by, on, recorded_on, document_number, county, scan, reason)
            if own.before is not None:
                own.before.ended_on = recorded_on
                own.before.save(update_fields=["ended_on"])
            self._record(
                "agreement.corrected",
                by=by,
                on=on,
                reason=reason,
                was={"recorded_on": was[0], "document": was[1], "county": was[2]},
                **_facts_of(entry),
            )

    def withdraw(self, *, by: User, on: date, reason: str) -> None:
        """Give up an instrument that is not recorded; another may be drafted in its place."""
        with self.acting():
            own = self._own
            self.move_to(own.Status.WITHDRAWN)
            self._set(withdrawn_on=on, withdrawn_why=reason)
            self._record("agreement.withdrawn", by=by, on=on, reason=reason)

    # Helpers ------------------------------------------------------------------------------

    def _set(self, **facts: Any) -> None:
        for name, value in facts.items():
            setattr(self, name, value)
        self._own.save(update_fields=["status", *facts])

    def _enter(
        self,
        by: User,
        on: date,
        recorded_on: date,
        document_number: str,
        county: str,
        scan: Upload | None,
        reason: str,
    ) -> AgreementRecording:
        """Add the entry of the recording, and state it in the agreement as well."""
        own = self._own
        stated = {
            "recorded_on": recorded_on,
            "document_number": document_number,
            "county": county,
        }
        self._set(**stated)
        return own.recordings.create(**stated, scan=scan, reason=reason, by=by, on=on)

    def _end_before(self, on: date) -> str:
        """End the instrument that this one amends or releases; return its number."""
        before = self._own.before
        if before is None:
            return ""
        before.refresh_from_db()
        before.move_to(before.Status.ENDED)
        before.ended_on = on
        before.save(update_fields=["status", "ended_on"])
        return before.number

    def _record(self, kind: str, *, by: User, on: date, reason: str = "", **facts: Any) -> None:
        own = self._own
        told = {"agreement": own.number, "kind": own.kind, **facts}
        self.site.record(kind, by=by, on=on, section=SECTION, reason=reason, facts=told)


def _facts_of(entry: AgreementRecording) -> dict[str, Any]:
    return {
        "document": entry.document_number,
        "recorded_on": entry.recorded_on,
        "county": entry.county,
        "scan_sha256": entry.scan.sha256 if entry.scan else "",
    }
