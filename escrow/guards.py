"""What the database itself refuses: escrow below zero, a bill paid twice, two paths mixed.

Former § 17.19(4)(c) and (e). On PostgreSQL each guard of a balance takes the lock of the row
that the balance belongs to, so that it holds without the site's lock, too.
"""

from portal.guards import Guard

__all__ = ["APPEND_ONLY", "GUARDS", "KEPT"]

APPEND_ONLY = (
    "escrow_assessment",
    "escrow_billentry",
    "escrow_billline",
    "escrow_checkrequest",
    "escrow_dayclose",
    "escrow_demand",
    "escrow_deposit",
    "escrow_depositline",
    "escrow_division",
    "escrow_divisionshare",
    "escrow_draw",
    "escrow_escrowentry",
    "escrow_instrument",
    "escrow_instrumentowner",
    "escrow_instrumentrenewal",
    "escrow_instrumentreturn",
    "escrow_issuerpayment",
    "escrow_onlineevent",
    "escrow_onlinepayment",
    "escrow_parcelnote",
    "escrow_receipt",
    "escrow_rollcharge",
    "escrow_rollfile",
    "escrow_rolllayout",
    "escrow_rollline",
    "escrow_rolloutcome",
    "escrow_setasidedone",
)
"""The tables whose rows are facts."""

KEPT = ("escrow_bill", "escrow_forfeiture", "escrow_release", "escrow_rollbatch")
"""The tables whose rows have facts and a status: the status may change, no row goes."""


def _guard(
    name: str, table: str, when: str, *, check: str, refused: str, lock: str = "", of: str = ""
) -> Guard:
    """Return a guard that refuses a row while `check` is true of it (NEW, OLD).

    `when` is INSERT or UPDATE, `of` the columns of an update; `lock` is run first on
    PostgreSQL. A sum is compared in whole cents: SQLite keeps decimals as floats.
    """
    event = f"{when} OF {of}" if of else when
    raised = refused.replace("'", "''")
    return Guard(
        name,
        table,
        sqlite=(
            f"CREATE TRIGGER {name} BEFORE {event} ON {table} WHEN {check} "
            f"BEGIN SELECT RAISE(ABORT, '{raised}'); END"
        ),
        postgresql=f"""
CREATE OR REPLACE FUNCTION siltfence_{name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  {lock}
  IF {check} THEN
    RAISE EXCEPTION '{raised}' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER {name} BEFORE {event} ON {table}
FOR EACH ROW EXECUTE FUNCTION siltfence_{name}()
""",
    )


def _sum(table: str, where: str) -> str:
    """Return the sum of rows; both names are ours, never a person's."""
    return f"(SELECT COALESCE(SUM(amount), 0) FROM {table} WHERE {where})"  # noqa: S608


def _fixed(table: str, columns: str, *, name: str = "", may_be_null: str = "") -> Guard:
    """Return a guard that keeps the facts of a row whose status may change.

    `may_be_null` names keys of other rows that need not be there.
    """
    keys = [f"COALESCE({{}}.{key}, 0)" for key in may_be_null.split()]
    facts = [f"{{}}.{column}" for column in columns.split()] + keys
    differ = " OR ".join(f"{fact.format('NEW')} <> {fact.format('OLD')}" for fact in facts)
    return _guard(
        name or f"{table}_facts_stay",
        table,
        "UPDATE",
        of=", ".join([*columns.split(), *may_be_null.split()]),
        check=f"({differ})",
        refused=f"the amounts and days of {table} never change",
    )


_HELD = _sum("escrow_escrowentry", "permit_id = NEW.id")
_OF_INSTRUMENT = _sum("escrow_escrowentry", "instrument_id = NEW.instrument_id")
_OF_BILL = _sum("escrow_billentry", "bill_id = NEW.bill_id")
_OF_DEMAND = _sum("escrow_issuerpayment", "demand_id = NEW.demand_id")
_DEMANDED = (
    "(SELECT e.amount FROM escrow_demand d JOIN escrow_escrowentry e ON e.id = d.entry_id "
    "WHERE d.id = NEW.demand_id)"
)
"""What an entry took, below zero: what is demanded of the issuer."""
_REFUSED = _sum("escrow_escrowentry", "demand_refused_id = NEW.demand_id")
_OF_REFUSED = "NEW.demand_refused_id"
_LEFT_TO_REFUSE = " + ".join(
    (
        _sum("escrow_escrowentry", f"demand_refused_id = {_OF_REFUSED}"),
        _sum("escrow_issuerpayment", f"demand_id = {_OF_REFUSED}"),
        _DEMANDED.replace("NEW.demand_id", _OF_REFUSED),
    )
)
"""Paid and refused of a demand, less what is demanded: never above zero."""
_AFTER = f"ROUND(({_OF_INSTRUMENT} + NEW.amount) * 100)"

ISSUE_NEEDS_ESCROW = Guard(
    "permits_permit_needs_escrow",
    "permits_permit",
    sqlite=f"""
CREATE TRIGGER permits_permit_needs_escrow BEFORE UPDATE OF issued_on, status ON permits_permit
WHEN NEW.issued_on IS NOT NULL AND OLD.issued_on IS NULL
 AND ROUND({_HELD} * 100) < ROUND(NEW.escrow_amount * 100)
BEGIN SELECT RAISE(ABORT, 'the escrow of this permit is not posted in full'); END
""",
    postgresql=f"""
CREATE OR REPLACE FUNCTION siltfence_needs_escrow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.issued_on IS NOT NULL AND OLD.issued_on IS NULL AND {_HELD} < NEW.escrow_amount THEN
    RAISE EXCEPTION 'the escrow of this permit is not posted in full'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER permits_permit_needs_escrow BEFORE UPDATE ON permits_permit
FOR EACH ROW EXECUTE FUNCTION siltfence_needs_escrow()
""",
)

GUARDS = (
    ISSUE_NEEDS_ESCROW,
    _guard(
        "escrow_balance_not_below_zero",
        "escrow_escrowentry",
        "INSERT",
        lock="PERFORM 1 FROM escrow_instrument WHERE id = NEW.instrument_id FOR UPDATE;",
        check=f"{_AFTER} < 0",
        refused="the escrow of an instrument cannot go below zero",
    ),
    _guard(
        "escrow_released_whole",
        "escrow_escrowentry",
        "INSERT",
        check=f"NEW.kind IN ('released', 'forfeited', 'replaced') AND {_AFTER} <> 0",
        refused="an instrument is released, forfeited or replaced whole",
    ),
    _guard(
        "escrow_entry_of_its_permit",
        "escrow_escrowentry",
        "INSERT",
        check=(
            "NEW.permit_id <> (SELECT permit_id FROM escrow_instrument "
            "WHERE id = NEW.instrument_id)"
        ),
        refused="an entry belongs to the permit of its instrument",
    ),
    _guard(
        "draw_stays_while_billed",
        "escrow_escrowentry",
        "INSERT",
        check=(
            "NEW.reverses_id IS NOT NULL AND EXISTS ("
            "SELECT 1 FROM escrow_escrowentry d "
            "JOIN escrow_billentry e ON e.draw_id = d.draw_id AND e.kind = 'escrow' "
            "JOIN escrow_bill b ON b.id = e.bill_id AND b.status = 'standing' "
            "WHERE d.id = NEW.reverses_id)"
        ),
        refused="a draw is not taken back while its work is billed with it",
    ),
    _guard(
        "issuer_pays_what_is_demanded",
        "escrow_issuerpayment",
        "INSERT",
        lock="PERFORM 1 FROM escrow_demand WHERE id = NEW.demand_id FOR UPDATE;",
        check=(
            f"ROUND(({_OF_DEMAND} + NEW.amount) * 100) < 0 OR "
            f"ROUND(({_OF_DEMAND} + NEW.amount + {_DEMANDED}) * 100) > 0"
        ),
        refused="an issuer pays at most what is demanded, and no less than nothing is left of it",
    ),
    _guard(
        "issuer_pays_what_it_did_not_refuse",
        "escrow_issuerpayment",
        "INSERT",
        lock="PERFORM 1 FROM escrow_demand WHERE id = NEW.demand_id FOR UPDATE;",
        check=(
            f"{_REFUSED} <> 0 AND "
            f"ROUND(({_OF_DEMAND} + {_REFUSED} + NEW.amount + {_DEMANDED}) * 100) > 0"
        ),
        refused="an issuer pays no more than what it did not refuse",
    ),
    _guard(
        "issuer_refuses_what_is_left",
        "escrow_escrowentry",
        "INSERT",
        lock=f"PERFORM 1 FROM escrow_demand WHERE id = {_OF_REFUSED} FOR UPDATE;",
        check=(
            "NEW.demand_refused_id IS NOT NULL AND NEW.kind = 'refused' AND "
            f"ROUND(({_LEFT_TO_REFUSE} + NEW.amount) * 100) > 0"
        ),
        refused="an issuer refuses at most what is left of a demand",
    ),
    _guard(
        "draw_is_not_refused_while_billed",
        "escrow_escrowentry",
        "INSERT",
        check=(
            "NEW.kind = 'refused' AND EXISTS ("
            "SELECT 1 FROM escrow_billentry e "
            "JOIN escrow_bill b ON b.id = e.bill_id AND b.status = 'standing' "
            "WHERE e.draw_id = NEW.draw_id AND e.kind = 'escrow')"
        ),
        refused="a draw is not taken back while its work is billed with it",
    ),
    _guard(
        "bill_balance_not_below_zero",
        "escrow_billentry",
        "INSERT",
        lock="PERFORM 1 FROM escrow_bill WHERE id = NEW.bill_id FOR UPDATE;",
        check=f"ROUND(({_OF_BILL} + NEW.amount) * 100) < 0",
        refused="no more can be paid, credited or certified than a bill owes",
    ),
    _guard(
        "roll_line_of_one_instrument",
        "escrow_rollline",
        "INSERT",
        check=(
            "(SELECT path FROM escrow_bill WHERE id = NEW.bill_id) <> "
            "(SELECT instrument FROM escrow_rollbatch WHERE id = NEW.batch_id)"
        ),
        refused="special charges and assessments are never in one batch",
    ),
    _guard(
        "roll_line_only_while_proposed",
        "escrow_rollline",
        "INSERT",
        check="(SELECT status FROM escrow_rollbatch WHERE id = NEW.batch_id) <> 'proposed'",
        refused="nothing is added to a batch that is certified or withdrawn",
    ),
    _guard(
        "roll_charge_as_signed",
        "escrow_rollcharge",
        "INSERT",
        check=(
            "NOT EXISTS (SELECT 1 FROM escrow_rollline WHERE id = NEW.line_id "
            "AND batch_id = NEW.batch_id AND bill_id = NEW.bill_id "
            "AND parcel_id = NEW.parcel_id AND amount = NEW.amount)"
        ),
        refused="what is exported is what was signed",
    ),
    _guard(
        "assessment_of_its_own_path",
        "escrow_assessment",
        "INSERT",
        check="(SELECT path FROM escrow_bill WHERE id = NEW.bill_id) <> 'assessment'",
        refused="a special charge is never assessed",
    ),
    _guard(
        "roll_batch_is_frozen",
        "escrow_rollbatch",
        "UPDATE",
        check="OLD.status <> 'proposed'",
        refused="a certified or withdrawn batch never changes",
    ),
    _fixed("escrow_rollbatch", "year number instrument purpose count total sha256 proposed_by_id"),
    _fixed("escrow_bill", "number site_id ground path cost escrow_applied amount billed_on due_on"),
    # Of another name than the one above: a guard that stands already is not put up anew.
    _fixed(
        "escrow_bill",
        "due_days due_resolution payer payer_name payer_address agreement",
        name="escrow_bill_terms_stay",
        may_be_null="permit_id work_id",
    ),
    _fixed("escrow_forfeiture", "number permit_id amount proposed_on proposed_by_id due_on"),
    _fixed("escrow_release", "number permit_id amount proposed_on proposed_by_id"),
)
"""The triggers beside those of the append-only tables."""
