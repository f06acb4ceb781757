"""Having a case file made: read under the case's lock, packed, kept, and put on record."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import IO

from django.db import transaction

from permits.models import CaseEvent, CaseExport, NotNow, Site
from portal import clock
from portal.city import say
from portal.models import Document, User
from portal.numbers import next_number
from portal.stored import measure, new_name, put

from .access import may_export
from .content import Content, find_head, gather
from .index import Identity
from .packing import Packed, pack, prepare

__all__ = ["NOTHING", "Result", "export"]

IN_MEMORY = 8 * 1024 * 1024
NOTHING = "Nothing is on record in this case yet, so there is nothing to hand out."
AUDIENCES = {
    CaseExport.Audience.FULL: "the whole case, for the city",
    CaseExport.Audience.COURT: "the whole case, for a court",
    CaseExport.Audience.PUBLIC: "what everybody may see of the case",
}


@dataclass(frozen=True)
class Result:
    """A case file, whether it is an earlier one, and what was missing in the storage."""

    export: CaseExport
    again: bool
    missing: tuple[str, ...] = ()


def export(
    site: Site,
    audience: str,
    *,
    by: User | None,
    on: date,
    into: Path | None = None,
    gaps: bool = False,
) -> Result:
    """Make the case file of a site, or the same one again while nothing has happened.

    With `into` it is written into a folder, and no copy is kept. Raises NotNow when there is
    nothing on record or a file of the case is missing.
    """
    allowed = may_export(by, audience) if by else audience != CaseExport.Audience.COURT
    if not allowed:
        raise NotNow(
            say("Only the {clerk}, as custodian of the records, makes a file for a court.")
        )
    content = _read(site)
    last = _last(site, audience, kept=into is None)
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as target:
        if last is not None and last.head == content.head.hash:
            packed = pack(
                prepare(content, audience), identity_of(last), last.made_at, target, gaps=gaps
            )
            if measure(target)[0] == last.sha256:
                return _again(last, target, by=by, on=on, into=into, packed=packed)
            target.seek(0)
            target.truncate()
        with transaction.atomic():
            number = next_number("EX", on=on)
        made = CaseExport(number=number, site=site, audience=audience, made_by=by, made_at=_now())
        packed = pack(
            prepare(content, audience), identity_of(made), made.made_at, target, gaps=gaps
        )
        made.sha256, made.size = measure(target)
        made.head, made.head_sequence = content.head.hash, content.head.sequence
        made.rows, made.files, made.omissions = packed.rows, packed.files, packed.omissions
        _hand_over(made, target, into)
        _record(made, by=by, on=on, keep=target if into is None else None)
    return Result(made, again=False, missing=packed.missing)


def _last(site: Site, audience: str, *, kept: bool) -> CaseExport | None:
    """Return the newest file for an audience; where a copy is wanted, one that was kept."""
    found = CaseExport.objects.filter(site=site, audience=audience).select_related("made_by")
    return (found.filter(document__isnull=False) if kept else found).first()


def _now() -> datetime:
    """The moment, to the minute: more would tell nothing."""
    return clock.now().replace(second=0, microsecond=0)


def _read(site: Site) -> Content:
    """Read a case while no act stands half in it."""
    with transaction.atomic():
        site = site.lock()
        head = find_head(site)
        if head is None:
            raise NotNow(NOTHING)
        return gather(site, head)


def identity_of(export: CaseExport) -> Identity:
    """Return what the bag says of itself."""
    return Identity(
        export.number,
        export.audience,
        AUDIENCES[CaseExport.Audience(export.audience)],
        export.maker,
        clock.local_day(export.made_at),
    )


def _record(made: CaseExport, *, by: User | None, on: date, keep: IO[bytes] | None) -> None:
    """Put on record that the case file was made, with its hash; keep a copy of it."""
    with transaction.atomic():
        made.site.lock()
        made.event = _tell(made, by=by, on=on, again=False)
        if keep is not None:
            made.document = _keep(made, keep)
        made.save(force_insert=True)


def _keep(made: CaseExport, source: IO[bytes]) -> Document:
    document = Document(kind="case_export", title=f"Case file {made.name}", pages=0)
    kept = put(new_name("exports", "zip", made.made_at.year, document.key), source)
    document.file.name, document.sha256, document.size = kept.name, kept.sha256, kept.size
    document.save()
    return document


def _again(
    last: CaseExport,
    target: IO[bytes],
    *,
    by: User | None,
    on: date,
    into: Path | None,
    packed: Packed,
) -> Result:
    """Hand out the same file once more; the record says so, the file stays as it is."""
    _hand_over(last, target, into)
    with transaction.atomic():
        last.site.lock()
        _tell(last, by=by, on=on, again=True)
    return Result(last, again=True, missing=packed.missing)


def _tell(made: CaseExport, *, by: User | None, on: date, again: bool) -> CaseEvent:
    event: CaseEvent = made.site.record(
        CaseEvent.Kind.CASE_EXPORTED,
        by=by,
        on=on,
        facts={
            "export": made.number,
            "audience": made.audience,
            "sha256": made.sha256,
            "size": made.size,
            "head": made.head_sequence,
            "again": again,
        },
    )
    return event


def _hand_over(made: CaseExport, source: IO[bytes], into: Path | None) -> None:
    """Write the file into the operator's folder: whole under its name, or not at all."""
    if into is None:
        return
    into.mkdir(parents=True, exist_ok=True)
    part = into / f".{made.name}.zip.part"
    source.seek(0)
    with part.open("w+b") as target:
        shutil.copyfileobj(source, target)
        os.fsync(target.fileno())
        digest, _ = measure(target)
    if digest != made.sha256:
        raise NotNow(f"The folder {into} did not keep the file whole. Nothing was recorded.")
    part.replace(into / f"{made.name}.zip")
