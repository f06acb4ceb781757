"""The database itself holds the city's steps to their order, whoever writes the row.

A first day that was written into a row cannot lie before the fact from which it is counted,
a step needs what it stands on, and what was closed or issued keeps its days.
"""

from __future__ import annotations

from portal.guards import refuse_while

__all__ = ["GUARDS"]


_ORDER = "SELECT 1 FROM enforcement_stopworkorder o WHERE o.id = NEW.order_id"
_INTENT = "SELECT 1 FROM enforcement_noticeofintent n WHERE n.id = NEW.notice_of_intent_id"
_OWNER = "SELECT 1 FROM enforcement_ownernotice n WHERE n.id = NEW.owner_notice_id"
_UPKEEP = "SELECT 1 FROM enforcement_upkeepnotice n WHERE n.id = NEW.upkeep_notice_id"
_MORE_TIME = (
    "SELECT 1 FROM enforcement_upkeepextension e "
    "WHERE e.notice_id = NEW.upkeep_notice_id AND e.until >= NEW.opened_on"
)
_WORK = "SELECT 1 FROM enforcement_citywork w WHERE w.id = NEW.work_id"
_REQUEST = "SELECT 1 FROM enforcement_ceaseanddesistrequest r WHERE r.id = NEW.request_id"
_LATER_STEP = (
    "SELECT 1 FROM enforcement_requeststep s "
    'WHERE s.request_id = NEW.request_id AND s."on" > NEW."on"'
)

NOTICE_AFTER_POSTING = refuse_while(
    "enforcement_notice_after_posting",
    "enforcement_noticeofintent",
    "INSERT",
    f"NOT EXISTS ({_ORDER} AND o.status = 'standing' AND NEW.opened_on > o.posted_on)",
    "a notice of intent needs an order that stands and was posted before its first day",
)

REQUEST_AFTER_ORDER = refuse_while(
    "enforcement_request_after_order",
    "enforcement_ceaseanddesistrequest",
    "INSERT",
    f"NOT EXISTS ({_ORDER} AND o.status = 'standing' AND o.permit_id IS NULL "
    "AND NEW.opened_on > o.issued_on)",
    "a request needs an order against a person without a permit that stands",
)

WORK_AFTER_NOTICE = refuse_while(
    "enforcement_work_after_notice",
    "enforcement_citywork",
    "INSERT",
    f"(NEW.notice_of_intent_id IS NOT NULL AND NOT EXISTS ({_INTENT} "
    "AND n.status IN ('standing', 'done') AND NEW.opened_on > n.issued_on)) "
    f"OR (NEW.owner_notice_id IS NOT NULL AND NOT EXISTS ({_OWNER} "
    "AND n.status IN ('standing', 'done') AND NEW.opened_on > n.accepted_on)) "
    f"OR (NEW.upkeep_notice_id IS NOT NULL AND (NOT EXISTS ({_UPKEEP} "
    "AND n.status IN ('standing', 'done') AND NEW.opened_on > n.correct_by) "
    f"OR EXISTS ({_MORE_TIME})))",
    "city work needs a notice that stands and whose days have run",
)

COST_WHILE_OPEN = refuse_while(
    "enforcement_cost_while_open",
    "enforcement_workcost",
    "INSERT",
    f"NOT EXISTS ({_WORK} AND w.status = 'begun' AND NEW.\"on\" >= w.begun_on)",
    "a cost belongs to work that is under way, from the day it was begun",
)

CLOSED_STAYS = refuse_while(
    "enforcement_closed_work_stays",
    "enforcement_citywork",
    "UPDATE",
    "OLD.status = 'closed'",
    "closed city work is not changed any more",
)

STEP_IN_ORDER = refuse_while(
    "enforcement_step_in_order",
    "enforcement_requeststep",
    "INSERT",
    f'NOT EXISTS ({_REQUEST} AND NEW."on" >= r.requested_on) OR EXISTS ({_LATER_STEP})',
    "a step of the attorney does not lie before the one before it",
)

NOTICE_KEEPS_ITS_DAYS = refuse_while(
    "enforcement_notice_keeps_its_days",
    "enforcement_noticeofintent",
    "UPDATE",
    "OLD.issued_on <> NEW.issued_on OR OLD.opened_on <> NEW.opened_on "
    "OR OLD.safe_on <> NEW.safe_on OR OLD.order_id <> NEW.order_id",
    "the days of a notice are facts",
)

UPKEEP_KEEPS_ITS_DAYS = refuse_while(
    "enforcement_upkeep_notice_keeps_its_days",
    "enforcement_upkeepnotice",
    "UPDATE",
    "OLD.issued_on <> NEW.issued_on OR OLD.correct_by <> NEW.correct_by "
    "OR OLD.agreement_id <> NEW.agreement_id OR OLD.inspection_id <> NEW.inspection_id",
    "the days of a notice of maintenance are facts; more time is another row",
)

GUARDS = (
    NOTICE_AFTER_POSTING,
    REQUEST_AFTER_ORDER,
    WORK_AFTER_NOTICE,
    COST_WHILE_OPEN,
    CLOSED_STAYS,
    STEP_IN_ORDER,
    NOTICE_KEEPS_ITS_DAYS,
    UPKEEP_KEEPS_ITS_DAYS,
)
"""Put up with the append-only guards of this part; see `portal.guards`."""
