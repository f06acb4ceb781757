"""Drafting an agreement from what the case already says. Former § 17.19(4)(f)"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import transaction

from permits.models import (
    Application,
    MaintenanceAgreement,
    NotNow,
    Owner,
    OwnerChange,
    Party,
    Permit,
    Site,
    current_owner,
)
from portal import clock, numbers
from portal.models import Upload, User
from portal.ordinance.devices import DEVICES_BY_KEY
from portal.ordinance.maintenance import PROVISIONS, TASKS

__all__ = [
    "Practice",
    "Task",
    "copy_of",
    "draft",
    "from_grant",
    "save_words",
    "suggested_tasks",
    "write_practices",
]

Kind = MaintenanceAgreement.Kind
MOST_IN_A_FIELD = 200


@dataclass(frozen=True)
class Task:
    """What is done at a practice, how often, and by whom."""

    what: str
    every_months: int
    by_whom: str = "The responsible party"
    first_due_on: date | None = None


@dataclass(frozen=True)
class Practice:
    """A practice that stays, what drains to it, and its upkeep."""

    name: str
    drainage_area: str = ""
    drainage_acres: Decimal | None = None
    device: str = ""
    standard: str = ""
    place: str = ""
    tasks: Sequence[Task] = field(default=())


def suggested_tasks(device: str) -> list[Task]:
    """Return the usual upkeep of a kind of device; the city changes it as the plan says."""
    return [Task(what, months) for what, months in TASKS.get(device, TASKS[""])]


def from_grant(permit: Permit) -> list[Practice]:
    """Return the practices that the grant names, else the permanent devices of the plan."""
    named = [
        Practice(
            name=each.name,
            drainage_area=each.drainage_area,
            drainage_acres=each.drainage_acres,
            device=each.device,
            standard=_standard(each.device),
            place=each.place,
            tasks=suggested_tasks(each.device),
        )
        for each in permit.grant.practices.all()
    ]
    return named or list(_of_plan(permit))


def _of_plan(permit: Permit) -> Iterable[Practice]:
    for line in permit.plan_in_force().devices.filter(permanent=True):
        yield Practice(
            name=line.get_device_display(),
            device=line.device,
            standard=line.standard or _standard(line.device),
            place=line.place,
            tasks=suggested_tasks(line.device),
        )


def _standard(device: str) -> str:
    known = DEVICES_BY_KEY.get(device)
    return known.standard if known else ""


def copy_of(agreement: MaintenanceAgreement) -> list[Practice]:
    """Return the practices of an agreement, for its amendment or a draft in its place."""
    return [
        Practice(
            name=each.name,
            drainage_area=each.drainage_area,
            drainage_acres=each.drainage_acres,
            device=each.device,
            standard=each.standard,
            place=each.place,
            tasks=[
                Task(task.what, task.every_months, task.by_whom, task.first_due_on)
                for task in each.tasks.all()
            ],
        )
        for each in agreement.practices.prefetch_related("tasks")
    ]


COPIED = (
    "owner_body owner_name owner_organization owner_title spouse_name party_kind party_name "
    "party_organization party_address party_email party_telephone parcels legal_description "
    "map additions return_to drafter"
)


@transaction.atomic
def draft(
    site: Site,
    *,
    by: User,
    on: date,
    permit: Permit | None = None,
    before: MaintenanceAgreement | None = None,
    kind: str = Kind.AGREEMENT,
) -> MaintenanceAgreement:
    """Draft an agreement from the case, or an amendment or release from the one in force."""
    site.lock()
    if before is not None:
        before.refresh_from_db()
    refuse_draft(site, permit=permit, before=before, on=on)
    last = before or (permit.agreements.order_by("-pk").first() if permit else None)
    known = _copied(last, on=on) if last else _from_case(site, permit, on=on)
    made = MaintenanceAgreement.objects.create(
        number=numbers.next_number("MA", on=on),
        site=site,
        permit=before.permit if before else permit,
        kind=kind,
        before=before,
        drafted_on=on,
        drafted_by=by,
        **(known | {"drafter": by.name or str(by)}),
    )
    if kind != Kind.RELEASE:
        practices = copy_of(last) if last else from_grant(permit) if permit else []
        write_practices(made, practices)
    site.record(
        "agreement.drafted",
        by=by,
        on=on,
        section="maintenance",
        facts={
            "agreement": made.number,
            "kind": made.kind,
            "before": before.number if before else "",
        },
    )
    return made


def refuse_draft(
    site: Site, *, permit: Permit | None, before: MaintenanceAgreement | None, on: date
) -> None:
    """Refuse a second draft beside one that is under way, and a change of what binds nobody."""
    rows = MaintenanceAgreement.objects.filter(site=site).under_way()
    same = rows.filter(before=before) if before else rows.filter(before=None, permit=permit)
    if running := same.first():
        raise NotNow(
            f"{running.number} is {running.standing_in_words} already. Withdraw it, or go on "
            "with it."
        )
    if before is not None and before.status != before.Status.RECORDED:
        raise NotNow(f"{before.number} binds nobody now: it is {before.standing_in_words}.")
    if before is not None and before.kind == before.Kind.RELEASE:
        raise NotNow(f"{before.number} is a release: it binds nobody, and nothing amends it.")
    if before is None:
        standing = MaintenanceAgreement.objects.filter(site=site, permit=permit).in_force(on)
        if permit is not None and (found := standing.first()):
            raise NotNow(f"{found.number} is recorded and in force. Amend it instead.")


def _copied(last: MaintenanceAgreement, *, on: date) -> dict[str, Any]:
    """Return the words of the instrument before; of land sold since, with its owner now."""
    found = {name: getattr(last, name) for name in COPIED.split()}
    change = OwnerChange.objects.standing(last.site, on=on)
    if change is None or max(change.from_on, clock.local_day(change.at)) < last.drafted_on:
        return found
    if (change.name, change.organization) == (last.owner_name, last.owner_organization):
        return found
    found |= {"owner_body": "", "owner_title": "", "spouse_name": ""}
    found |= {"owner_name": change.name, "owner_organization": change.organization}
    if last.party_kind == last.PartyKind.OWNER:
        found |= _party_of(change.owner)
    return found


def _party_of(owner: Owner) -> dict[str, str]:
    return {
        "party_name": owner.name,
        "party_organization": owner.organization,
        "party_address": owner.mailing_address,
        "party_email": owner.email,
        "party_telephone": owner.telephone,
    }


def _from_case(site: Site, permit: Permit | None, *, on: date) -> dict[str, Any]:
    """Return what the case says of owner, party and land."""
    application = permit.application if permit else _newest(site)
    party = _landowner(application)
    owner = current_owner(site, on=on)
    sold = owner is not None and owner.since is not None
    body = "" if sold or party is None else party.body
    found = {
        "owner_body": body,
        "parcels": "\n".join(site.parcels.values_list("number", flat=True)),
        "legal_description": site.survey_description,
        "return_to": return_address(),
    }
    if owner is not None:
        found |= {
            "owner_name": owner.name,
            "owner_organization": owner.organization,
            "owner_title": "" if sold or party is None else party.title,
            **_party_of(owner),
        }
    return found


def _newest(site: Site) -> Application | None:
    filed = Application.objects.filter(site=site, number__isnull=False)
    return filed.order_by("-pk").first()


def _landowner(application: Application | None) -> Party | None:
    if application is None:
        return None
    return application.parties.filter(role=Party.Role.LANDOWNER).first()


def return_address() -> str:
    """Return where the register sends the recorded instrument: the city's own office."""
    city = settings.CITY
    return "\n".join([city["name"], city["office"], *map(str.strip, _lines(city["address"]))])


def _lines(address: str) -> list[str]:
    """Break a street address after the street: it stands in a space three inches wide."""
    street, comma, rest = address.partition(",")
    return [street, rest] if comma else [street]


# What is written into a draft -------------------------------------------------------------


def write_practices(agreement: MaintenanceAgreement, practices: Sequence[Practice]) -> None:
    """Write the practices and their upkeep anew; a draft has no other. Under lock."""
    for old in agreement.practices.all():
        old.tasks.all().delete()
    agreement.practices.all().delete()
    for number, each in enumerate(practices, start=1):
        row = agreement.practices.create(
            number=number,
            name=each.name,
            device=each.device,
            standard=each.standard,
            place=each.place,
            drainage_area=each.drainage_area,
            drainage_acres=each.drainage_acres,
        )
        for count, task in enumerate(each.tasks, start=1):
            row.tasks.create(
                number=count,
                what=task.what,
                every_months=task.every_months,
                by_whom=task.by_whom,
                first_due_on=task.first_due_on,
            )


def save_words(
    agreement: MaintenanceAgreement,
    *,
    answers: Mapping[str, Any],
    practices: Sequence[Practice] | None = None,
    map_upload: Upload | None = None,
) -> None:
    """Keep what was typed into a draft; nothing of it is a fact before it is sent."""
    with agreement.acting():
        if agreement.status != agreement.Status.DRAFTED:
            raise NotNow(
                f"What it says is fixed: {agreement.number} is {agreement.standing_in_words}."
            )
        for name, value in answers.items():
            setattr(agreement, name, value)
        if map_upload is not None:
            agreement.map = map_upload
        agreement.save()
        if practices is not None:
            write_practices(agreement, practices)


def additions_of(answers: Mapping[str, str]) -> dict[str, str]:
    """Return what the city adds, by provision, in the ordinance's order; empty ones left out."""
    return {each.key: answers[each.key] for each in PROVISIONS if answers.get(each.key)}
