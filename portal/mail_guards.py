"""The database keeps a letter's days equal to the facts on record, and knows Sundays.

A day in `portal_mailing` must be the day of the newest row of its kind in
`portal_mailingevent`, whose rows are never changed; so no statement can move a legal clock
without leaving its trace.
"""

from __future__ import annotations

from portal.guards import Guard

__all__ = ["GUARDS"]

_FACTS = {
    "deposited_on": ("deposited", 'e."on"'),
    "accepted_on": ("accepted", 'e."on"'),
    "returned_on": ("returned", 'e."on"'),
    "tracking_number": ("number", "e.number"),
}


def _fact(kind: str, column: str) -> str:
    """The newest fact of a kind about the row."""
    return (
        f"(SELECT {column} FROM portal_mailingevent e "  # noqa: S608 - names of our own
        f"WHERE e.mailing_id = NEW.id AND e.kind = '{kind}' ORDER BY e.id DESC LIMIT 1)"
    )


def _unborne(differs: str) -> str:
    """Whether an update gives a column something that no fact bears out."""
    parts = []
    for column, (kind, fact) in _FACTS.items():
        value = _fact(kind, fact)
        if column == "tracking_number":
            value = f"COALESCE({value}, '')"
        changed = f"NEW.{column} {differs} OLD.{column}"
        parts.append(f"({changed} AND NEW.{column} {differs} {value})")
    return " OR ".join(parts)


_BORN_WITH_FACTS = (
    "NEW.deposited_on IS NOT NULL OR NEW.accepted_on IS NOT NULL OR NEW.returned_on IS NOT NULL"
)
_WHY = "a day of this letter is not borne out by a fact on record"

FACTS_ONLY = Guard(
    "portal_mailing_facts_only",
    "portal_mailing",
    sqlite=(
        "CREATE TRIGGER portal_mailing_facts_only BEFORE UPDATE ON portal_mailing "
        f"WHEN {_unborne('IS NOT')} BEGIN SELECT RAISE(ABORT, '{_WHY}'); END"
    ),
    postgresql=f"""
CREATE OR REPLACE FUNCTION siltfence_mailing_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF {_unborne("IS DISTINCT FROM")} THEN
    RAISE EXCEPTION '{_WHY}' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER portal_mailing_facts_only BEFORE UPDATE ON portal_mailing
FOR EACH ROW EXECUTE FUNCTION siltfence_mailing_facts()
""",
)

BORN_WAITING = Guard(
    "portal_mailing_born_waiting",
    "portal_mailing",
    sqlite=(
        "CREATE TRIGGER portal_mailing_born_waiting BEFORE INSERT ON portal_mailing "
        f"WHEN {_BORN_WITH_FACTS} BEGIN SELECT RAISE(ABORT, '{_WHY}'); END"
    ),
    postgresql=f"""
CREATE OR REPLACE FUNCTION siltfence_mailing_born() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF {_BORN_WITH_FACTS} THEN
    RAISE EXCEPTION '{_WHY}' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER portal_mailing_born_waiting BEFORE INSERT ON portal_mailing
FOR EACH ROW EXECUTE FUNCTION siltfence_mailing_born()
""",
)

NO_SUNDAY = Guard(
    "portal_mailingevent_no_sunday",
    "portal_mailingevent",
    sqlite=(
        "CREATE TRIGGER portal_mailingevent_no_sunday BEFORE INSERT ON portal_mailingevent "
        "WHEN NEW.kind = 'accepted' AND strftime('%w', NEW.\"on\") = '0' "
        "BEGIN SELECT RAISE(ABORT, 'the post accepts no mail on a Sunday'); END"
    ),
    postgresql="""
CREATE OR REPLACE FUNCTION siltfence_no_sunday() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.kind = 'accepted' AND EXTRACT(DOW FROM NEW."on") = 0 THEN
    RAISE EXCEPTION 'the post accepts no mail on a Sunday'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER portal_mailingevent_no_sunday BEFORE INSERT ON portal_mailingevent
FOR EACH ROW EXECUTE FUNCTION siltfence_no_sunday()
""",
)

GUARDS = (FACTS_ONLY, BORN_WAITING, NO_SUNDAY)
