"""Proof of what is said twice about records: certificates, skeletons, open doors."""

from __future__ import annotations

from collections.abc import Iterator

from django.core.files.storage import default_storage

from permits.models import CaseEvent, Site
from portal.desk.records.models import DestroyedFile, Destruction, DestructionList, RecordsRequest

__all__ = ["faults"]


def faults() -> Iterator[str]:
    """Name every row about records that does not hold."""
    for each in RecordsRequest.objects.exclude(status="open").filter(answer__isnull=True):
        yield f"{each}: it is closed, and no answer is on record."
    for each in RecordsRequest.objects.filter(status="open", answer__isnull=False):
        yield f"{each}: it is answered, and still open."
    yield from _destructions()
    for row in DestroyedFile.objects.filter(removed_at__isnull=False).iterator(chunk_size=500):
        if default_storage.exists(row.name):
            yield f"{row}: its bytes are said to be removed, and are there."


def _destructions() -> Iterator[str]:
    """A certificate, its case and the record say the same; no door stands open."""
    for open_door in Destruction.objects.filter(erased_at__isnull=True):
        yield f"{open_door}: it was begun and never certified."
    for site in Site.objects.filter(destroyed_on__isnull=False, destruction__isnull=True):
        yield f"{site.number}: it is said to be destroyed, and there is no certificate."
    done = Destruction.objects.filter(erased_at__isnull=False)
    for made in done.select_related("site", "listed__list", "certificate").iterator(chunk_size=500):
        if made.site.destroyed_on != made.on or made.certificate is None:
            yield f"{made}: case and certificate disagree."
        if made.listed.list.status != DestructionList.Status.DONE:
            yield f"{made}: its list is not carried out."
        head = CaseEvent.objects.filter(site=made.site, sequence=made.events).first()
        if head is None or head.hash != made.chain_head:
            yield f"{made}: the chain of its record does not end where the certificate says."
