"""What the database itself refuses about records, and its one narrow door.

Tables whose rows are facts refuse every change. For the contents of a case there is one
exception: while the case stands on a list with two approvals of two persons, neither of them
the one who proposed it, past the society's sixty days, and nothing holds it, the columns that
`records.erasing` names may be blanked, in the transaction that says so, and never again.
Nothing is deleted by this door. Wis. Stat. § 19.21(4)
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Model

from portal import guards
from portal.desk.records.erasing import Table, fact_table, tables
from portal.guards import Guard
from portal.models import Document

__all__ = ["APPEND_ONLY", "GUARDS", "KEPT", "open_doors"]

APPEND_ONLY = (
    "records_acknowledgment",
    "records_answer",
    "records_concernedcase",
    "records_givenrecord",
    "records_hold",
    "records_holdend",
    "records_keptcase",
    "records_listapproval",
    "records_listedcase",
    "records_refusal",
    "records_societynotice",
)
"""The tables whose rows are facts."""

KEPT = (
    "records_destroyedfile",
    "records_destruction",
    "records_destructionlist",
    "records_recordsrequest",
)
"""The tables whose rows have facts and a status; no row goes."""

SAME = {"sqlite": "IS", "postgresql": "IS NOT DISTINCT FROM"}


def _guard(name: str, table: str, when: str, checks: dict[str, str], refused: str) -> Guard:
    """Return a guard that refuses a row while the check is true of it, on both databases."""
    return Guard(
        name,
        table,
        sqlite=(
            f"CREATE TRIGGER {name} BEFORE {when} ON {table} WHEN {checks['sqlite']} "
            f"BEGIN SELECT RAISE(ABORT, '{refused}'); END"
        ),
        postgresql=f"""
CREATE OR REPLACE FUNCTION siltfence_{name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF {checks["postgresql"]} THEN
    RAISE EXCEPTION '{refused}' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER {name} BEFORE {when} ON {table}
FOR EACH ROW EXECUTE FUNCTION siltfence_{name}()
""",
    )


def _both(check: str) -> dict[str, str]:
    return dict.fromkeys(SAME, check)


def _changed(columns: str) -> dict[str, str]:
    """Whether any of these columns changes."""
    return {
        vendor: " OR ".join(f'NOT (NEW."{each}" {same} OLD."{each}")' for each in columns.split())
        for vendor, same in SAME.items()
    }


def _fixed(table: str, columns: str) -> Guard:
    refused = f"the facts of {table} never change"
    return _guard(f"{table}_facts_stay", table, "UPDATE", _changed(columns), refused)


# The lock of the door ---------------------------------------------------------------------

_ALLOWED = """EXISTS (
  SELECT 1 FROM records_listedcase c JOIN records_destructionlist l ON l.id = c.list_id
  WHERE c.id = NEW.listed_id AND c.site_id = NEW.site_id AND l.status = 'approved'
  AND c.kept_until < NEW."on"
  AND NOT EXISTS (SELECT 1 FROM records_keptcase k WHERE k.listed_id = c.id)
  AND (SELECT COUNT(DISTINCT a.by_id) FROM records_listapproval a WHERE a.list_id = l.id
       AND a.by_id <> l.proposed_by_id) >= 2
  AND EXISTS (SELECT 1 FROM records_societynotice n
              WHERE n.list_id = l.id AND n.opens_on <= NEW."on"))"""
_HELD = (
    "EXISTS (SELECT 1 FROM records_hold h WHERE h.site_id = NEW.site_id AND NOT EXISTS "
    "(SELECT 1 FROM records_holdend e WHERE e.hold_id = h.id))"
)
_ASKED = (
    "EXISTS (SELECT 1 FROM records_concernedcase a JOIN records_recordsrequest r "
    "ON r.id = a.request_id WHERE a.site_id = NEW.site_id AND r.status = 'open')"
)
_OLD_CHANGED = _changed("listed_id site_id on by_id at events chain_head")
_SHUT = "OLD.erased_at IS NOT NULL"
_WAIT = "NEW.is_waiver = {no} AND {days} < 61"
_AFTER_APPROVAL = (
    "NOT EXISTS (SELECT 1 FROM records_destructionlist l WHERE l.id = NEW.list_id AND l.status = "
    "'approved') OR EXISTS (SELECT 1 FROM records_listapproval a WHERE a.list_id = NEW.list_id "
    'AND a."on" > NEW."on")'
)
_ENDED = _changed("status ended_on ended_by_id ended_why letter_id")
_WRONG_STEP = (
    "NOT (NEW.status = OLD.status OR OLD.status = 'approved' AND NEW.status = 'done' "
    "OR OLD.status IN ('proposed', 'approved') AND NEW.status = 'withdrawn' "
    "OR OLD.status = 'proposed' AND NEW.status = 'approved' AND (SELECT COUNT(*) FROM "
    "records_listapproval a WHERE a.list_id = NEW.id) >= 2)"
)
_CLOSED = _changed("status closed_on")

GUARDS = (
    _guard(
        "records_destruction_is_allowed",
        "records_destruction",
        "INSERT",
        _both(f"NOT {_ALLOWED} OR {_HELD} OR {_ASKED} OR NEW.erased_at IS NOT NULL"),
        "a case is destroyed only from an approved list, after the notice, with no hold on it",
    ),
    _guard(
        "records_destruction_is_done_once",
        "records_destruction",
        "UPDATE",
        {vendor: f"{_SHUT} OR {check}" for vendor, check in _OLD_CHANGED.items()},
        "a destruction that is certified never changes",
    ),
    _guard(
        "records_notice_waits_sixty_days",
        "records_societynotice",
        "INSERT",
        {
            "sqlite": _WAIT.format(no="0", days='julianday(NEW.opens_on) - julianday(NEW."on")'),
            "postgresql": _WAIT.format(no="FALSE", days='NEW.opens_on - NEW."on"'),
        },
        "the society has sixty days from the mailing of the notice",
    ),
    _guard(
        "records_approval_by_another",
        "records_listapproval",
        "INSERT",
        _both(
            "NOT EXISTS (SELECT 1 FROM records_destructionlist l WHERE l.id = NEW.list_id "
            "AND l.status = 'proposed' AND l.proposed_by_id <> NEW.by_id) OR NOT EXISTS "
            "(SELECT 1 FROM portal_user u WHERE u.id = NEW.by_id AND u.role = NEW.role)"
        ),
        "a list is approved by somebody of that office other than who proposed it",
    ),
    _guard(
        "records_notice_after_approval",
        "records_societynotice",
        "INSERT",
        _both(_AFTER_APPROVAL),
        "the society is told of a list that was approved before",
    ),
    _guard(
        "records_listed_before_approval",
        "records_listedcase",
        "INSERT",
        _both(
            "NOT EXISTS (SELECT 1 FROM records_destructionlist l WHERE l.id = NEW.list_id "
            "AND l.status = 'proposed') OR EXISTS (SELECT 1 FROM records_listapproval a "
            "WHERE a.list_id = NEW.list_id)"
        ),
        "no case comes on a list that somebody approved without it",
    ),
    _guard(
        "records_list_begins_as_proposed",
        "records_destructionlist",
        "INSERT",
        _both("NEW.status <> 'proposed'"),
        "a list begins as a proposal",
    ),
    _guard(
        "records_list_goes_its_steps",
        "records_destructionlist",
        "UPDATE",
        {
            vendor: f"OLD.status IN ('done', 'withdrawn') AND ({_ENDED[vendor]}) OR {_WRONG_STEP}"
            for vendor in SAME
        },
        "a list goes from proposal by two approvals to its end, and stays there",
    ),
    _guard(
        "records_request_closed_by_answer",
        "records_recordsrequest",
        "UPDATE",
        {
            vendor: f"OLD.status <> 'open' AND ({_CLOSED[vendor]}) OR NEW.status <> 'open' "  # noqa: S608
            "AND NOT EXISTS (SELECT 1 FROM records_answer a WHERE a.request_id = NEW.id)"
            for vendor in SAME
        },
        "a request is closed by its answer, and stays closed",
    ),
    _guard(
        "records_file_destroyed_by_its_door",
        "records_destroyedfile",
        "INSERT",
        _both(
            "NOT EXISTS (SELECT 1 FROM records_destruction d WHERE d.id = NEW.destruction_id "
            "AND d.erased_at IS NULL)"
        ),
        "a file is named as destroyed only while its case is being destroyed",
    ),
    _guard(
        "permits_site_destroyed_by_its_list",
        "permits_site",
        "UPDATE",
        {
            vendor: f"NOT (NEW.destroyed_on {same} OLD.destroyed_on) AND NOT EXISTS "  # noqa: S608
            "(SELECT 1 FROM records_destruction d WHERE d.site_id = NEW.id "
            'AND d."on" = NEW.destroyed_on)'
            for vendor, same in SAME.items()
        },
        "a case is destroyed only with its certificate",
    ),
    _fixed("records_destructionlist", "number schedule proposed_on proposed_by_id proposed_at"),
    _fixed(
        "records_recordsrequest",
        "number received_on how requester contact asked logged_by_id logged_at",
    ),
    _fixed("records_destroyedfile", "destruction_id what sha256 size name"),
)
"""The triggers beside those of the append-only tables."""


# The door ---------------------------------------------------------------------------------


def _site_of(model: type[Model], path: tuple[str, ...], row: str) -> str:
    """SQL for the site of a row, along its keys; every name in it is ours."""
    if not path:
        return f"{row}.id"
    field = model._meta.get_field(path[0])
    column = f'{row}."{field.column}"'  # type: ignore[union-attr]
    if len(path) == 1:
        return column
    other: type[Model] = field.related_model  # type: ignore[assignment]
    name = f"t{len(path)}"
    inner = _site_of(other, path[1:], name)
    return f"(SELECT {inner} FROM {other._meta.db_table} {name} WHERE {name}.id = {column})"  # noqa: S608


def _open_for(site: str) -> str:
    return (
        "EXISTS (SELECT 1 FROM records_destruction d "  # noqa: S608 - names of our own
        f"WHERE d.erased_at IS NULL AND d.site_id = {site})"
    )


def _door(table: Table, opened: str, *, instead_of: str, and_not: str = "") -> None:
    """Let the erasable columns of a guarded table be blanked while its door is open."""
    kept = " ".join(
        str(field.column)
        for field in table.model._meta.concrete_fields
        if field.name not in table.erased
    )
    changed = _changed(kept)
    checks = {vendor: f"NOT ({opened}) OR {changed[vendor]}" for vendor in SAME}
    if and_not:
        checks = {vendor: f"{and_not} AND ({check})" for vendor, check in checks.items()}
    name = f"{table.name}_but_destroyed"
    refused = f"{table.name} is append-only"
    guards.replace(instead_of, _guard(name, table.name, "UPDATE", checks, refused))


def open_doors() -> None:
    """Give each guarded table of a case its door; what a later part adds gets one, too."""
    known = set(guards.registered())
    for table in tables():
        name = f"{table.name}_no_update"
        if name in known:
            _door(table, _open_for(_site_of(table.model, table.path, "OLD")), instead_of=name)
        elif table.name == "enforcement_citywork":
            _door(
                table,
                _open_for("OLD.site_id"),
                instead_of="enforcement_closed_work_stays",
                and_not="OLD.status = 'closed'",
            )
    site = (
        "(SELECT s.id FROM permits_site s JOIN portal_mailing m ON m.reference = s.number "
        "WHERE m.id = OLD.mailing_id)"
    )
    _door(fact_table(), _open_for(site), instead_of="portal_mailingevent_no_update")
    for table in _papers():
        opened = (
            "EXISTS (SELECT 1 FROM records_destroyedfile f JOIN records_destruction d "
            "ON d.id = f.destruction_id WHERE d.erased_at IS NULL AND f.name = OLD.file)"
        )
        _door(table, opened, instead_of="portal_document_no_update")


def _papers() -> Iterator[Table]:
    """The titles of papers, which may name a person."""
    yield Table(Document, (), ("title",), (), ())
