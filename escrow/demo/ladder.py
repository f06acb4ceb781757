"""What the demo's city does where the ordinance is not followed, and what people answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any

from enforcement.acts import (
    appeals,
    board,
    notices,
    orders,
    owner_notices,
    requests,
    revision_orders,
    revocation,
    violations,
    work,
)
from enforcement.appealable import acts_of
from enforcement.models import (
    Addressee,
    Appeal,
    CeaseAndDesistRequest,
    CityWork,
    NoticeOfIntent,
    OwnerNotice,
    RevisionOrder,
    RevisionOrderLine,
    StopWorkOrder,
    UpkeepNotice,
    Violation,
)
from enforcement.persons import Person, persons_of
from inspections.acts.visits import open_site
from inspections.models import Finding, Visit
from permits.models import Permit
from portal.models import Mailing, Upload

from .deeds import Running
from .photos import draw_photo, draw_placard
from .studio import store_jpeg

__all__ = ["DEEDS"]

Told = list[tuple[Person, str]]
Means = Mailing.Means
Role = Addressee.Role

STRANGERS = (
    Person(
        role=Role.LANDOWNER,
        name="Coulee Ridge Holdings LLC",
        mailing_address="P.O. Box 212\nExample, WI 54999",
    ),
    Person(
        role=Role.LAND_USER,
        name="Dale Brandt, Brandt Grading",
        mailing_address="3310 County Road Y\nExample, WI 54999",
        email="brandt.grading@example.org",
    ),
)
"""Who digs in the demo city without a permit, and on whose land."""


# Who is told ------------------------------------------------------------------------------


def _permit(run: Running) -> Permit | None:
    return run.permit() if run.application else None


def _told(people: list[Person]) -> Told:
    """The owner by certified mail, others by letter, or by e-mail where no address is known."""
    found: Told = []
    for person in people:
        if not person.mailing_address:
            found.append((person, Means.EMAIL))
        elif person.role == Role.LANDOWNER:
            found.append((person, Means.CERTIFIED))
        else:
            found.append((person, Means.US_MAIL))
    return found


def _people(run: Running) -> list[Person]:
    return persons_of(run.site, _permit(run)) or list(STRANGERS)


def _photo(run: Running, further: int, *, placard: str = "") -> Upload:
    """A photo of the inspector's; with a number it shows the placard of that order."""
    seed = 900 + run.number
    content = draw_placard(seed, placard) if placard else draw_photo(seed)
    name = f"IMG_{2000 + 10 * seed + further}.jpg"
    return store_jpeg(content, name=name, by=run.cast.inspector)


# Violations and orders --------------------------------------------------------------------


def open_land(run: Running, on: date) -> None:
    """Open a site where nobody has applied."""
    run.opened = open_site(run.case.place, parcels=run.case.parcels, on=on)


def violation(run: Running, on: date, *, text: str, section: str = "permit") -> None:
    violations.record(
        run.site, by=run.cast.inspector, on=on, section=section, facts=text, found_on=on,
        permit=_permit(run), photos=[_photo(run, 0)],
    )  # fmt: skip


def take_up(run: Running, on: date) -> None:
    """Take up the finding that was marked as a violation."""
    finding = Finding.objects.get(site=run.site, is_violation=True)
    violations.from_finding(finding, by=run.cast.inspector, on=on)


def see_again(run: Running, on: date, *, seen: str) -> None:
    """Document another day of the violation, with the visit of that day."""
    seen_at = Visit.objects.filter(site=run.site, visited_on=on).first()
    violations.see_again(
        Violation.objects.get(site=run.site), by=run.cast.inspector, on=on, seen_on=on, seen=seen,
        visit=seen_at,
    )  # fmt: skip


def order(
    run: Running, on: date, *, facts: str, must_do: str, ground: str = "plan-not-followed"
) -> None:
    orders.issue(
        run.site,
        by=run.cast.inspector,
        on=on,
        ground=ground,
        facts=facts,
        must_stop="All grading, and all hauling of soil onto the land and off it.",
        must_do=must_do,
        told=_told(_people(run)),
        permit=_permit(run),
        violations=Violation.objects.filter(site=run.site),
    )


def _order(run: Running) -> StopWorkOrder:
    return StopWorkOrder.objects.filter(site=run.site).latest("pk")


def post(run: Running, on: date, *, place: str = "On the gate, facing the street") -> None:
    placed = _order(run)
    photo = _photo(run, 1, placard=placed.number)
    orders.post(placed, by=run.cast.inspector, on=on, posted_on=on, place=place, photos=[photo])


def lift(run: Running, on: date, *, why: str) -> None:
    """Lift the order with the last visit."""
    shown = Visit.objects.filter(site=run.site, status=Visit.Status.FINISHED).latest("pk")
    orders.lift(_order(run), by=run.cast.inspector, on=on, visit=shown, why=why)


def revoke(run: Running, on: date, *, facts: str) -> None:
    told = _told(_people(run))
    revocation.revoke(_order(run), by=run.cast.inspector, on=on, facts=facts, told=told)


# The attorney -----------------------------------------------------------------------------


def request(run: Running, on: date, *, facts: str) -> None:
    requests.make(_order(run), by=run.cast.inspector, on=on, facts=facts)


def take_step(run: Running, on: date, *, step: str, **more: str) -> None:
    made = CeaseAndDesistRequest.objects.get(order=_order(run))
    requests.take_step(made, step, by=run.cast.attorney, on=on, day=on, **more)


# Notices and city work --------------------------------------------------------------------

FENCE = "Put up 240 feet of silt fence on the low side, mulch the bare slope and seed it."


def intend(run: Running, on: date, *, cost: str = "2400.00") -> None:
    notice_to = _order(run)
    people = [each for each in notices.persons_for(notice_to) if each.mailing_address]
    notices.issue(
        notice_to, by=run.cast.inspector, on=on, work=FENCE, estimated_cost=Decimal(cost),
        told=_told(people),
    )  # fmt: skip


def tell_owner(run: Running, on: date, *, cost: str = "3100.00") -> None:
    permit = run.permit()
    told = _told(owner_notices.owners_of(permit))
    owner_notices.make(
        permit, by=run.cast.inspector, on=on, work=FENCE, estimated_cost=Decimal(cost), told=told
    )


def begin_work(run: Running, on: date, *, doer: str = "Street department") -> None:
    """Begin under the notice of intent, of maintenance, or else to the owner."""
    kinds = (NoticeOfIntent, UpkeepNotice, OwnerNotice)
    rows = (each.objects.filter(site=run.site) for each in kinds)
    notice = next(row for found in rows if (row := found.order_by("pk").last()) is not None)
    work.begin(
        notice, by=run.cast.inspector, on=on, begun_on=on, done_by="crew", doer=doer,
        before_safe_why="Heavy rain was forecast for the next day.", photos=[_photo(run, 2)],
    )  # fmt: skip


def _work(run: Running) -> CityWork:
    return CityWork.objects.filter(site=run.site).latest("pk")


COSTS: tuple[dict[str, str], ...] = (
    {"kind": "labor", "description": "Crew of three, fence and mulch", "quantity": "16.50",
     "unit": "hours", "rate": "48.75", "proof_words": "Time sheets 3114 to 3116, street office"},
    {"kind": "equipment", "description": "Skid steer with auger", "quantity": "6.00",
     "unit": "hours", "rate": "71.20", "proof_words": "Equipment log, unit 27"},
    {"kind": "material", "description": "Silt fence, stakes and straw mulch", "quantity": "1.00",
     "unit": "lot", "rate": "386.40", "proof_words": "Store slip 8872, street office"},
)  # fmt: skip


def enter_costs(run: Running, on: date, *, number: int = len(COSTS)) -> None:
    for row in COSTS[:number]:
        numeric = {name: Decimal(row[name]) for name in ("quantity", "rate")}
        cost: Any = {**row, **numeric}
        work.add_cost(_work(run), work.Cost(day=on, **cost), by=run.cast.inspector, on=on)


def close_work(run: Running, on: date) -> None:
    work.close(
        _work(run), by=run.cast.inspector, on=on, photos=[_photo(run, 3)],
        note="Fence up, slope mulched and seeded; the crew left the gate closed.",
    )  # fmt: skip


# Appeals ----------------------------------------------------------------------------------


def appeal(run: Running, on: date, *, grounds: str, relief: str = "") -> None:
    """Let the holder appeal the order."""
    against = _order(run)
    token = next(act.token for act in acts_of(run.site) if act.subject == against)
    appellant = appeals.Appellant(
        name=run.holder.name,
        capacity="Permittee",
        mailing_address=f"{run.case.place.partition(',')[0]}\nExample, WI 54999",
        email=run.holder.email,
    )
    appeals.file(
        run.site, token, appellant=appellant, grounds=grounds, relief=relief, on=on, by=run.holder
    )


def _appeal(run: Running) -> Appeal:
    return Appeal.objects.filter(site=run.site).latest("pk")


def transmit(run: Running, on: date) -> None:
    board.transmit(_appeal(run), by=run.cast.inspector, on=on)


def set_hearing(run: Running, on: date, *, days: int = 21) -> None:
    board.set_hearing(
        _appeal(run), by=run.cast.board, on=on, held_on=on + timedelta(days), at=time(18, 30),
        place="City hall, council chamber, 100 Main Street",
    )  # fmt: skip


def decide(run: Running, on: date, *, outcome: str, text: str) -> None:
    board.decide(
        _appeal(run), by=run.cast.board, on=on, filed_on=on, outcome=outcome, text=text
    )  # fmt: skip


# Revision orders --------------------------------------------------------------------------


def order_revision(
    run: Running, on: date, *, facts: str, lines: tuple[tuple[str, str, int], ...]
) -> None:
    """Order more devices: each line says which, where, and in how many days it is due."""
    permit = run.permit()
    revision_orders.issue(
        permit,
        by=run.cast.inspector,
        on=on,
        cause=RevisionOrder.Cause.RAIN,
        facts=facts,
        lines=[revision_orders.Line(key, at, on + timedelta(due)) for key, at, due in lines],
        told=_told(_people(run)),
        visit=Visit.objects.filter(site=run.site).latest("pk"),
    )


def _line(run: Running, number: int) -> RevisionOrderLine:
    return RevisionOrderLine.objects.get(order__site=run.site, number=number)


def report_line(run: Running, on: date, *, number: int, text: str) -> None:
    revision_orders.report(
        _line(run, number), by=run.holder, on=on, text=text, photos=[_photo(run, 4)]
    )


def confirm_line(run: Running, on: date, *, number: int) -> None:
    seen_at = Visit.objects.filter(site=run.site, visited_on=on).latest("pk")
    revision_orders.confirm(
        _line(run, number), by=run.cast.inspector, on=on, visit=seen_at, done_on=on
    )


DEEDS: dict[str, Callable[..., Any]] = {
    "land": open_land,
    "violation": violation,
    "violation.take_up": take_up,
    "violation.again": see_again,
    "order": order,
    "order.post": post,
    "order.lift": lift,
    "revoke": revoke,
    "request": request,
    "request.step": take_step,
    "intent": intend,
    "owner_notice": tell_owner,
    "work.begin": begin_work,
    "work.cost": enter_costs,
    "work.close": close_work,
    "appeal": appeal,
    "appeal.transmit": transmit,
    "appeal.hearing": set_hearing,
    "appeal.decide": decide,
    "revision": order_revision,
    "revision.report": report_line,
    "revision.confirm": confirm_line,
}
"""The acts of enforcement that the stories name."""
