"""Puts a case into its bag, file by file, and says what went in."""

from __future__ import annotations

import hashlib
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import IO, Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone

from permits.models import CaseEvent, CaseExport, NotNow
from portal import files, papers
from portal.city import say
from portal.models import Document, OutboxMessage, Preview, Upload
from portal.stored import NotStored

from . import index, sheets
from .bag import Bag
from .content import Content
from .files import Item, items_for_public, items_of
from .index import Identity
from .mail import eml
from .public import Omission, Omissions, reduce, secrets_of
from .tables import label_of
from .writing import SCHEMA, case_json, dumps

__all__ = ["Packed", "Stuff", "pack", "prepare"]

MEMORY = 4 * 1024 * 1024
PUBLIC, COURT = CaseExport.Audience.PUBLIC, CaseExport.Audience.COURT


@dataclass
class Stuff:
    """What goes into a bag for one audience."""

    content: Content
    items: list[Item]
    audience: str
    omissions: list[Omission] = field(default_factory=list)

    @property
    def is_public(self) -> bool:
        """Whether everybody may read it."""
        return self.audience == PUBLIC


@dataclass(frozen=True)
class Packed:
    """How much went into a bag."""

    rows: int
    files: int
    omissions: int
    missing: tuple[str, ...]


def prepare(content: Content, audience: str) -> Stuff:
    """Choose what an audience gets of a case."""
    if audience != PUBLIC:
        return Stuff(content, items_of(content), audience)
    omissions = Omissions()
    reduced = reduce(content, omissions)
    items = items_for_public(content, reduced, secrets_of(content), omissions)
    _only_given(reduced, items)
    omissions.add("e-mails as they were sent", "letter", len(content.rows.get(MAIL, ())))
    return Stuff(reduced, items, audience, omissions.listed())


def _only_given(reduced: Content, items: list[Item]) -> None:
    """Leave out what is told of papers and files that are not given themselves."""
    given = {(label_of(type(item.stored)), item.stored.pk) for item in items}
    given |= {
        (label_of(Upload), item.stored.upload_id)
        for item in items
        if isinstance(item.stored, Preview)
    }
    for label in (label_of(Document), label_of(Upload)):
        rows = [row for row in reduced.shared.get(label, ()) if (label, row["id"]) in given]
        if rows:
            reduced.shared[label] = rows
        else:
            reduced.shared.pop(label, None)


MAIL = OutboxMessage._meta.label


def pack(
    stuff: Stuff, identity: Identity, moment: datetime, target: IO[bytes], *, gaps: bool = False
) -> Packed:
    """Write the bag; raises NotNow when a file is missing or changed, unless gaps are allowed."""
    content = stuff.content
    name = f"{content.site.number}-{stuff.audience}-{identity.number}"
    with Bag(target, name, timezone.localtime(moment)) as bag:
        missing = _fill(bag, stuff, identity, gaps=gaps)
        if stuff.audience == COURT:
            bag.tag("certificate.pdf", _certificate(stuff, identity, bag.manifest()))
        bag.finish(_info(stuff, identity))
    return Packed(content.count, len(stuff.items), len(stuff.omissions), missing)


def _fill(bag: Bag, stuff: Stuff, identity: Identity, *, gaps: bool) -> tuple[str, ...]:
    """Write what the bag carries; return what was missing in the storage."""
    content = stuff.content
    _documents(bag, stuff.items, gaps=gaps)
    if not stuff.is_public:
        _mail(bag, content)
    facts = index.sentences_of(content, public=stuff.is_public)
    made = index.make(index.context_of(content, identity, stuff.items, stuff.omissions, facts))
    bag.add("data/00-index.pdf", made.content)
    bag.add("data/01-case.json", case_json(_head(stuff, identity), content, stuff.items))
    for path, sheet in _sheets(stuff, facts):
        bag.add(f"data/{path}", sheet)
    bag.add("data/record/chain.jsonl", _chain(content, public=stuff.is_public))
    missing = tuple(item.missing for item in stuff.items if item.missing)
    bag.add("data/verify.txt", _verify(stuff, identity, missing).encode())
    return missing


def _documents(bag: Bag, items: list[Item], *, gaps: bool) -> None:
    """Add each paper and file after checking that it is what was stored."""
    for item in items:
        with tempfile.SpooledTemporaryFile(MEMORY) as copy:
            trouble = files.read_checked(item.stored, copy)
            if trouble is None:
                item.sha256 = bag.copy(item.path, copy, size=item.size)
                item.size = copy.tell()
            elif trouble.away:
                raise NotStored(trouble.sentence)
            elif not gaps:
                raise NotNow(
                    f"The file “{item.title}” of this case is missing in the storage or was "
                    "changed, so the case file would not be whole. Nothing was made. Ask the "
                    f"operator to restore it from the backup: {trouble.sentence}"
                )
            else:
                item.missing = f"Missing when this was made (SHA-256 was {item.sha256})."
                item.sha256 = ""


def _mail(bag: Bag, content: Content) -> None:
    for number, message in enumerate(content.objects(OutboxMessage), 1):
        attachment: Document | None = content.documents.get(message.attachment_id or 0)
        bag.add(f"data/mail/{number:03d}-{message.pk}.eml", eml(message, attachment))


def _sheets(stuff: Stuff, facts: list[tuple[CaseEvent, str]]) -> Iterator[tuple[str, bytes]]:
    content = stuff.content
    yield "02-events.csv", sheets.events(facts)
    yield "03-ledger.csv", sheets.ledger(sheets.ledger_lines(content.site))
    yield "04-dates.csv", sheets.dates(content)
    yield "05-people.csv", sheets.people(content)
    yield "06-mailings.csv", sheets.mailings(content)
    yield "07-mails.csv", sheets.mails(content)
    yield "08-documents.csv", sheets.documents(stuff.items)
    if stuff.is_public:
        yield "omissions.csv", sheets.omitted(stuff.omissions)


def _head(stuff: Stuff, identity: Identity) -> dict[str, Any]:
    """Return what the JSON says of itself before the rows."""
    content = stuff.content
    return {
        "schema": SCHEMA,
        "case": content.site.number,
        "export": identity.number,
        "audience": stuff.audience,
        "made_on": identity.made_on,
        "made_by": identity.maker,
        "custodian": custodian(),
        "record_head": {"sequence": content.head.sequence, "hash": content.head.hash},
        "rows": content.count,
    }


def _chain(content: Content, *, public: bool) -> Iterator[bytes]:
    """Yield the record as it is sealed: each line names the seal of the line before."""
    for event in content.objects(CaseEvent):
        line = {
            "sequence": event.sequence,
            "kind": event.kind,
            "occurred_on": event.occurred_on,
            "previous": event.previous_hash,
            "hash": event.hash,
        }
        if not public:
            line["sealed"] = event.sealed_text()
        yield f"{dumps(line)}\n".encode()


def _verify(stuff: Stuff, identity: Identity, missing: tuple[str, ...]) -> str:
    return render_to_string(
        "papers/case_verify.txt",
        {
            "stuff": stuff,
            "identity": identity,
            "head": stuff.content.head,
            "site": stuff.content.site,
            "custodian": custodian(),
            "missing": missing,
        },
    )


def _certificate(stuff: Stuff, identity: Identity, manifest: bytes) -> bytes:
    """Make the sheet that the custodian signs: a true copy, named by the hash of its list."""
    made = papers.make(
        "papers/case_certificate.html",
        {
            "title": f"Certificate of the custodian, case {stuff.content.site.number}",
            "reference": identity.number,
            "on": identity.made_on,
            "today": identity.made_on,
            "identity": identity,
            "site": stuff.content.site,
            "head": stuff.content.head,
            "items": stuff.items,
            "rows": stuff.content.count,
            "manifest": hashlib.sha256(manifest).hexdigest(),
        },
    )
    return made.content


def custodian() -> str:
    """Return who keeps the records."""
    return f"{settings.CITY['name']}, {say('{clerk}')}"


@cache
def software() -> str:
    """Return the name and version of this program."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text("utf-8"))
    return f"Siltfence {project['project']['version']}"


def _info(stuff: Stuff, identity: Identity) -> dict[str, str]:
    content, city = stuff.content, settings.CITY
    return {
        "Source-Organization": f"{city['name']}, {city['office']}",
        "Organization-Address": city["address"],
        "Contact-Phone": city["telephone"],
        "Contact-Email": city["email"],
        "External-Description": f"Case file of {content.site.place}",
        "External-Identifier": content.site.number,
        "Internal-Sender-Identifier": identity.number,
        "Bagging-Date": identity.made_on.isoformat(),
        "Bag-Software-Agent": software(),
        "Custodian": custodian(),
        "Audience": stuff.audience,
        "Made-By": identity.maker,
        "Record-Head-Sequence": str(content.head.sequence),
        "Record-Head-Hash": content.head.hash,
    }
