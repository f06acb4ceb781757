"""What the demo's people do under recorded maintenance agreements, after the permit."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings

from enforcement.acts import corrections, work
from enforcement.acts import upkeep as notice_acts
from enforcement.models import CityWork, UpkeepNotice
from inspections.acts import upkeep as acts
from inspections.models import UpkeepInspection
from permits.agreements import acts as agreements
from permits.agreements.drafting import Practice, Task
from permits.models import AgreementTask, MaintenanceAgreement, Permit

from .deeds import Running
from .ladder import _photo
from .sheets import draw_letter
from .studio import store_pdf

__all__ = ["DEEDS"]

NO_ADDRESS = "P.O. Box 212\nExample, WI 54999"
BASIN = ("Wet detention basin", "1001", "Clean the outlet and the forebay", 6)
SWALE = ("Grassed swale", "1005", "Mow it and take the cuttings away", 12)
REEDS = "Reeds and silt close the outlet; the water stands two feet over its mark."
CURE = "Cut the reeds, take the silt out of the forebay, and free the outlet."


def enter(run: Running, on: date, *, owner: str = "", email: str = "") -> None:
    """Enter an agreement that was recorded with the register of deeds some weeks before."""
    number = str(1123300 + run.number)
    rows = (f"Document {number}, {settings.CITY['county']}.",)
    agreements.enter_recorded(
        run.site,
        by=run.cast.inspector,
        on=on,
        permit=Permit.objects.filter(site=run.site).order_by("pk").last(),
        recorded_on=on - timedelta(days=5),
        document_number=number,
        county=str(settings.CITY["county"]),
        scan=store_pdf(
            draw_letter("Maintenance agreement", "City of Example", rows),
            name=f"{number}.pdf",
            by=run.cast.inspector,
        ),
        words={
            "party_kind": "association" if owner else "owner",
            "party_organization": owner,
            "party_name": "" if owner else run.holder.name,
            "party_address": NO_ADDRESS,
            "party_email": email or ("" if owner else run.holder.email),
            "parcels": "\n".join(run.case.parcels),
        },
        practices=[_practice(*each) for each in (BASIN, SWALE)],
    )


def _practice(name: str, standard: str, what: str, months: int) -> Practice:
    return Practice(
        name=name,
        standard=standard,
        place="At the low end of the land",
        drainage_area="The whole of the parcel and its drive",
        drainage_acres=Decimal("0.40"),
        tasks=[Task(what, months, "the responsible party")],
    )


def _agreement(run: Running) -> MaintenanceAgreement:
    return MaintenanceAgreement.objects.filter(site=run.site).latest("pk")


def report(run: Running, on: date, *, practice: int = 1, what: str) -> None:
    """Report a task of the schedule as done."""
    task = AgreementTask.objects.get(
        practice__agreement=_agreement(run), practice__number=practice, number=1
    )
    acts.report(task, by=run.holder, on=on, done_on=on, what=what)


def inspect(run: Running, on: date, *, problem: bool = True, photo: bool = False) -> None:
    """Look at every practice; the basin has a problem, unless all is well."""
    inspector = run.cast.inspector
    begun = acts.begin(_agreement(run), by=inspector, on=on)
    for practice in _agreement(run).practices.all():
        wrong = problem and practice.number == 1
        acts.look(
            begun, practice, by=inspector, result="problem" if wrong else "fine",
            words=REEDS if wrong else "", correction=CURE if wrong else "",
            photos=[_photo(run, 4)] if wrong and photo else [],
        )  # fmt: skip
    acts.finish(begun, by=inspector, on=on)


def give_notice(run: Running, on: date, *, days: int = 30) -> None:
    """Tell the responsible party what to correct, and by when."""
    found = UpkeepInspection.objects.filter(site=run.site).latest("pk")
    party = notice_acts.persons_told(found.agreement, on=on)[0]
    notice_acts.issue(
        found, by=run.cast.inspector, on=on, correct_by=on + timedelta(days=days),
        lines=[
            notice_acts.Line(look.practice, look.words, look.correction)
            for look in found.problems()
        ],
        told=[(party, "certified")],
        why_enough="A crew does it in two days, and no earth is moved.",
    )  # fmt: skip


def _notice(run: Running) -> UpkeepNotice:
    return UpkeepNotice.objects.filter(site=run.site).latest("pk")


def extend(run: Running, on: date, *, days: int, reason: str) -> None:
    notice = _notice(run)
    until = notice.set_until + timedelta(days=days)
    notice_acts.extend(notice, by=run.cast.inspector, on=on, until=until, reason=reason)


def correct(run: Running, on: date, *, text: str) -> None:
    corrections.report(_notice(run), by=run.holder, on=on, text=text)


def confirm(run: Running, on: date) -> None:
    how = "Seen on the site: the outlet runs free."
    corrections.confirm(_notice(run), by=run.cast.inspector, on=on, corrected_on=on, how=how)


def enter_cost(run: Running, on: date, *, hours: str = "14.00") -> None:
    done = CityWork.objects.filter(site=run.site).latest("pk")
    cost = work.Cost(
        "equipment", on, "Excavator and two trucks, basin cleaned", Decimal(hours), "hours",
        Decimal("92.50"), proof_words="Equipment log, units 31 and 40",
    )  # fmt: skip
    work.add_cost(done, cost, by=run.cast.inspector, on=on)


def close(run: Running, on: date) -> None:
    done = CityWork.objects.filter(site=run.site).latest("pk")
    note = "Reeds cut, 22 cubic yards of silt taken out, the outlet runs free."
    work.close(done, by=run.cast.inspector, on=on, note=note)


DEEDS: dict[str, Callable[..., Any]] = {
    "agreement.enter": enter,
    "upkeep.report": report,
    "upkeep.inspect": inspect,
    "upkeep.notice": give_notice,
    "upkeep.extend": extend,
    "upkeep.correct": correct,
    "upkeep.confirm": confirm,
    "upkeep.cost": enter_cost,
    "upkeep.close": close,
}
"""The acts of upkeep that the stories name."""
