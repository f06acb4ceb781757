"""The database keeps what an instrument says once it was sent for signature.

Former § 17.19(4)(f): what was signed and recorded is not rewritten; an amendment is another
instrument.
"""

from __future__ import annotations

from portal.guards import Guard, refuse_while

__all__ = ["GUARDS", "KEPT"]

KEPT = ("permits_maintenanceagreement",)

WORDS = (
    "number",
    "site_id",
    "permit_id",
    "kind",
    "before_id",
    "entered_as_recorded",
    "owner_body",
    "owner_name",
    "owner_organization",
    "owner_title",
    "spouse_name",
    "party_kind",
    "party_name",
    "party_organization",
    "party_address",
    "party_email",
    "party_telephone",
    "parcels",
    "legal_description",
    "map_id",
    "additions",
    "terms",
    "return_to",
    "drafter",
)
DAYS = (
    "sent_for_signature_on",
    "signed_on",
    "signed_scan_id",
    "sent_to_register_on",
    "withdrawn_on",
    "paper_id",
)

TABLE = "permits_maintenanceagreement"
_MAY_WRITE = (
    "SELECT 1 FROM permits_maintenanceagreement a WHERE a.id = {agreement} "
    "AND (a.status = 'drafted' OR (a.entered_as_recorded AND NOT EXISTS "
    "(SELECT 1 FROM permits_agreementrecording r WHERE r.agreement_id = a.id)))"
)
_OF_TASK = "(SELECT p.agreement_id FROM permits_agreementpractice p WHERE p.id = {row}.practice_id)"
FIXED = "the practices of an agreement are fixed once it was sent for signature"


def _differs(columns: tuple[str, ...]) -> str:
    return " OR ".join(f"NEW.{each} IS DISTINCT FROM OLD.{each}" for each in columns)


def _parts(table: str, agreement: str) -> list[Guard]:
    """Guards of rows that are written only while their agreement is a draft."""
    found = []
    for act, row in (("INSERT", "NEW"), ("UPDATE", "OLD"), ("DELETE", "OLD")):
        may = _MAY_WRITE.format(agreement=agreement.format(row=row))
        name = f"{table}_{act.lower()}_in_draft"
        found.append(refuse_while(name, table, act, f"NOT EXISTS ({may})", FIXED))
    return found


WORDS_STAY = refuse_while(
    "permits_agreement_words_stay",
    TABLE,
    "UPDATE",
    f"OLD.status <> 'drafted' AND (NEW.status = 'drafted' OR {_differs(WORDS)})",
    "what an agreement says is fixed once it was sent for signature",
    of=", ".join((*WORDS, "status")),
)
DAYS_ONCE = refuse_while(
    "permits_agreement_days_once",
    TABLE,
    "UPDATE",
    " OR ".join(
        f"(OLD.{each} IS NOT NULL AND NEW.{each} IS DISTINCT FROM OLD.{each})" for each in DAYS
    ),
    "the days of an agreement are set once",
    of=", ".join(DAYS),
)

GUARDS = (
    WORDS_STAY,
    DAYS_ONCE,
    *_parts("permits_agreementpractice", "{row}.agreement_id"),
    *_parts("permits_agreementtask", _OF_TASK),
)
