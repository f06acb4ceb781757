"""The database refuses a permit whose escrow is short by a cent. Former § 17.19(4)(c)"""

from portal.guards import Guard

__all__ = ["ISSUE_NEEDS_ESCROW"]

_HELD = """
(SELECT COALESCE(SUM(amount), 0) FROM escrow_escrowentry WHERE permit_id = NEW.id)
"""

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
