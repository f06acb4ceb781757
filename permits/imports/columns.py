"""What a row of earlier permits may tell, and by which headings and words it is guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from permits.models import EarlierStatus

__all__ = ["FIELDS", "Field", "clean_columns", "guess_columns", "guess_word", "same_words"]


@dataclass(frozen=True)
class Field:
    """One fact that a column may hold; `called` are headings by which it is guessed."""

    key: str
    label: str
    hint: str
    called: tuple[str, ...]
    needed: bool = False


FIELDS: tuple[Field, ...] = (
    Field(
        "number",
        "Permit number",
        "By it a row is known again; it is kept and found by search.",
        ("permit number", "permitnum", "permit no", "permit", "permit id", "number", "record id"),
        needed=True,
    ),
    Field(
        "status",
        "Status",
        "In the words of your books; the next page says what each means.",
        ("status", "statuscurrent", "permit status", "current status", "state of permit"),
    ),
    Field(
        "address",
        "Address of the site",
        "A row needs an address or a parcel number.",
        ("address", "site address", "originaladdress1", "location", "property address", "street"),
    ),
    Field(
        "parcel",
        "Parcel number",
        "As written, with its zeros and punctuation; several parted by semicolons.",
        ("parcel", "parcel number", "parcel no", "parcels", "taxkey", "tax key", "pin", "tax id"),
    ),
    Field(
        "description",
        "What the work is",
        "Kept as it is written; not on the public page.",
        ("description", "work", "project", "work description", "project description", "scope"),
    ),
    Field(
        "area",
        "Area disturbed",
        "In acres unless it says sq ft.",
        ("acres", "area", "area acres", "disturbed acres", "disturbed area", "acreage"),
    ),
    Field(
        "applied_on",
        "Applied for on",
        "Days as 7/4/2021 (month first), 2021-07-04 or July 4, 2021.",
        ("applieddate", "applied", "applied on", "application date", "date applied", "filed"),
    ),
    Field(
        "issued_on",
        "Issued on",
        "",
        ("issueddate", "issued", "issued on", "issue date", "date issued", "permit date"),
    ),
    Field(
        "permanent_controls_by",
        "Permanent controls by",
        "The day that the permit names. With it a duty that runs can be computed.",
        ("permanent controls by", "stabilize by", "completion due", "cover due", "due", "due date"),
    ),
    Field(
        "ended_on",
        "Closed or ended on",
        "",
        ("completeddate", "completed", "closed", "closed on", "date closed", "final date", "ended"),
    ),
    Field(
        "owner",
        "Landowner",
        "",
        ("owner", "landowner", "owner name", "owner_name_1", "property owner", "applicant"),
    ),
    Field(
        "owner_address",
        "Mailing address of the landowner",
        "",
        ("owner address", "mailing address", "owner_mail_addr", "owner mailing address"),
    ),
    Field("owner_email", "E-mail of the landowner", "", ("owner email", "email", "e-mail")),
    Field(
        "owner_telephone",
        "Telephone of the landowner",
        "",
        ("owner phone", "phone", "telephone", "owner telephone", "tel"),
    ),
    Field("contractor", "Contractor", "", ("contractor", "contractor name", "builder")),
    Field("latitude", "Latitude", "Such as 43.0389; with the longitude.", ("latitude", "lat")),
    Field("longitude", "Longitude", "Such as -87.9065.", ("longitude", "long", "lon", "lng")),
)
BY_KEY = {field.key: field for field in FIELDS}

STATUS_WORDS: dict[str, EarlierStatus] = {
    **dict.fromkeys(
        ("issued", "active", "open", "permit issued", "issued permit", "inspection phase"),
        EarlierStatus.ISSUED,
    ),
    **dict.fromkeys(
        ("closed", "completed", "complete", "final", "finaled", "finalled", "permit finaled"),
        EarlierStatus.CLOSED,
    ),
    **dict.fromkeys(("expired", "lapsed"), EarlierStatus.EXPIRED),
    "revoked": EarlierStatus.REVOKED,
    **dict.fromkeys(
        ("withdrawn", "cancelled", "canceled", "permit cancelled", "void"), EarlierStatus.WITHDRAWN
    ),
    **dict.fromkeys(("denied", "rejected", "refused"), EarlierStatus.DENIED),
    **dict.fromkeys(
        ("applied", "pending", "in review", "under review", "submitted", "received"),
        EarlierStatus.APPLIED,
    ),
}
"""Words that leave no doubt; any other is asked for."""


def same_words(text: str) -> str:
    """Return words so that they compare: one blank between them, no capitals."""
    return " ".join(text.split()).casefold()[:200]


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def guess_columns(headings: Sequence[str], before: Mapping[str, str] | None = None) -> dict:  # type: ignore[type-arg]
    """Return which heading holds which fact: as it was the last time, else by its name."""
    found = clean_columns(before or {}, headings)
    left = {_bare(heading): heading for heading in reversed(headings)}
    taken = set(found.values())
    for field in FIELDS:
        names = (left.get(_bare(name)) for name in (field.label, *field.called))
        heading = next((name for name in names if name and name not in taken), None)
        if field.key not in found and heading:
            found[field.key] = heading
            taken.add(heading)
    return found


def clean_columns(columns: Mapping[str, object], headings: Iterable[str]) -> dict[str, str]:
    """Return what of a mapping fits a table: facts we know, headings that it has."""
    known = set(headings)
    return {
        key: heading
        for key, heading in columns.items()
        if key in BY_KEY and isinstance(heading, str) and heading in known
    }


def guess_word(word: str) -> str:
    """Return what a word of the books means where that is beyond doubt, else nothing."""
    found = STATUS_WORDS.get(same_words(word))
    return found.value if found else ""
