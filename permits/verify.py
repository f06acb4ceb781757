"""Proof that the record, the papers and the docket are what they claim to be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db.models import F

from permits.imports import proof as imported
from permits.models import (
    Application,
    CaseEvent,
    CaseExport,
    Decision,
    DocketEntry,
    EarlierPermit,
    Permit,
    PlanRevision,
    RecordSeal,
    find_broken_links,
)
from portal import files, guards
from portal.ordinance import completeness

__all__ = ["faults", "register_proof", "register_subjects"]

Subjects = Callable[[], Iterable[Any]]
_more_subjects: list[Subjects] = []
Proof = Callable[[], Iterable[str]]
_more_proofs: list[Proof] = []


def register_subjects(subjects: Subjects) -> None:
    """Add things with clocks of their own to those the docket is compared with.

    A part above registers a function in `AppConfig.ready()` that yields every row whose
    clocks may run; permits knows none of them by name.
    """
    if subjects not in _more_subjects:
        _more_subjects.append(subjects)


def register_proof(proof: Proof) -> None:
    """Add a function of a part above that names each of its rows that does not hold."""
    if proof not in _more_proofs:
        _more_proofs.append(proof)


def faults() -> Iterator[str]:
    """Name every row that does not hold, the first one first."""
    yield from (f"The guard {guard.name} is not up." for guard in guards.missing())
    yield from find_broken_links()
    yield from _seals()
    yield from _exports()
    yield from files.find_broken()
    yield from _stored_dates()
    yield from _controls_dates()
    yield from _docket()
    yield from imported.faults()
    for proof in _more_proofs:
        yield from proof()


def _seals() -> Iterator[str]:
    """Compare the record with its last seal: an event cut off the end of a chain shows."""
    seal = RecordSeal.objects.order_by("-pk").first()
    if seal is not None and (fault := seal.fault()):
        yield fault


def _exports() -> Iterator[str]:
    """Compare each case file with the fact on record that names its hash, and with its copy."""
    exports = CaseExport.objects.select_related("event", "document").order_by("pk")
    for each in exports.iterator(chunk_size=1000):
        told = (each.event.facts.get("export"), each.event.facts.get("sha256"))
        if each.event.site_id != each.site_id or told != (each.number, each.sha256):
            yield f"{each}: the record names another case file, or another hash of it."
        copy = each.document
        if copy is not None and (copy.sha256, copy.size) != (each.sha256, each.size):
            yield f"{each}: the copy that was kept is not the file that was made."


def _stored_dates() -> Iterator[str]:
    received = Application.objects.filter(received_on__isnull=False)
    for application in received.iterator(chunk_size=2000):
        last = completeness.received_on(
            application.form_received_on,
            application.plan_received_on,
            application.fee_received_on,
        )
        if application.received_on != last:
            yield f"{application}: received on {application.received_on}, computed {last}."


def _controls_dates() -> Iterator[str]:
    """Compare each permit's day for permanent controls with its grant, or with what moved it."""
    moved = Permit.objects.exclude(permanent_controls_by=F("grant__permanent_controls_by"))
    moved = moved.filter(site__destroyed_on__isnull=True)  # what moved it was destroyed, too
    for permit in moved.select_related("site").iterator(chunk_size=1000):
        events = CaseEvent.objects.filter(site=permit.site, kind=CaseEvent.Kind.DATE_MOVED)
        last = events.filter(facts__rule="permanent-cover").order_by("-sequence").first()
        on_record = last.facts["to"] if last else "the day of the grant"
        if on_record != permit.permanent_controls_by.isoformat():
            yield f"{permit}: controls by {permit.permanent_controls_by}, on record {on_record}."


def _subjects() -> Iterator[Any]:
    yield from Application.objects.filter(status="under_review").iterator(chunk_size=1000)
    revisions = PlanRevision.objects.filter(
        application__status="under_review", filed_on__isnull=False
    )
    yield from revisions.select_related("application").iterator(chunk_size=1000)
    yield from Permit.objects.filter(status="issued").iterator(chunk_size=1000)
    earlier = EarlierPermit.objects.filter(status="issued")
    yield from earlier.select_related("site").iterator(chunk_size=1000)
    yield from Decision.objects.select_related("application", "revision").iterator(chunk_size=1000)
    for subjects in _more_subjects:
        yield from subjects()


def _docket() -> Iterator[str]:
    """Compare each running entry with the model method, both ways."""
    running: dict[tuple[int, int, str], DocketEntry] = {}
    for entry in DocketEntry.objects.running().select_related("site").iterator(chunk_size=2000):
        running[(entry.subject_type_id, entry.subject_pk, entry.rule)] = entry
    for subject in _subjects():
        kind = ContentType.objects.get_for_model(subject).pk
        for count in subject.clocks():
            found = running.pop((kind, subject.pk, count.key), None)
            if found is None:
                yield f"{subject}: its clock {count.key} is not on the docket."
            elif not found.fits(count):
                yield (
                    f"{found}: the docket says {found.on} (safe {found.safe_on}, stayed "
                    f"{found.stayed_days} days, since {found.stayed_since}), the rule {count.on} "
                    f"(safe {count.safe_on}, stayed {count.stayed_days} days, since "
                    f"{count.stayed_since})."
                )
    for entry in running.values():
        yield f"{entry}: on the docket, but no act keeps it running."
