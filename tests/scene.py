"""A scene for the tests of access: one person of each kind, and things that belong to one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from typing import Any

from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.urls import URLPattern, URLResolver, get_resolver

from enforcement.acts import appeals, orders, revision_orders, revocation, violations
from enforcement.models import (
    Addressee,
    Appeal,
    RevisionOrder,
    Revocation,
    StopWorkOrder,
    Violation,
)
from enforcement.persons import persons_of
from escrow.models import Demand, Deposit, Draw
from inspections.acts import complaints, findings, visits
from inspections.models import Complaint, Finding, LogEntry, Visit
from permits import handover
from permits.models import Application, CaseExport, CasePaper, HandOver
from portal import letter_batches
from portal.desk.export.making import export
from portal.models import Closure, Document, LetterBatch, Mailing, Preview, Role, Upload, User
from tests import (
    factory,
    scene_agreements,
    scene_demand,
    scene_imports,
    scene_money,
    scene_records,
    works_scene,
)
from tests.escrow import money

ROLES = (
    "anonymous",
    "holder",
    "other",
    "inspector",
    "clerk",
    "administrator",
    "attorney",
    "board",
)
"""Who the matrix asks for: the holder of the case, another applicant, and the city's people."""


def addresses() -> list[str]:
    """Return every address of the portal as its URLconf writes it."""
    return sorted(set(_walk(get_resolver(), "")))


def _walk(resolver: URLResolver, prefix: str) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern, path)
        else:
            assert isinstance(pattern, URLPattern)
            yield path


@dataclass(eq=False)
class Scene:
    """People by role, the holder's cases by state, and what an address may ask for."""

    people: dict[str, User] = field(default_factory=dict)
    cases: dict[str, Application] = field(default_factory=dict)
    paper: CasePaper | None = None
    upload: Upload | None = None
    offer: HandOver | None = None
    visit: Visit | None = None
    finding: Finding | None = None
    entry: LogEntry | None = None
    report: Complaint | None = None
    letter: Mailing | None = None
    batch: LetterBatch | None = None
    order: StopWorkOrder | None = None
    violation: Violation | None = None
    revocation: Revocation | None = None
    appeal: Appeal | None = None
    revision_order: RevisionOrder | None = None
    works: dict[str, str] = field(default_factory=dict)
    draw: Draw | None = None
    demand: Demand | None = None
    deposit: Deposit | None = None
    money: dict[str, str] = field(default_factory=dict)
    records: dict[str, str] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    exported: CaseExport | None = None

    def person(self, role: str) -> User | None:
        """Return the person of a role; nobody for `anonymous`."""
        return self.people.get(role)

    @cache  # noqa: B019 (a scene lasts as long as its tests)
    def arguments(self, state: str) -> dict[str, Any]:
        """Return what the addresses of a case in a state are made of, by placeholder."""
        case = self.cases[state]
        assert self.paper is not None
        assert self.upload is not None
        assert self.offer is not None
        assert self.visit is not None
        assert self.finding is not None
        assert self.entry is not None
        assert self.report is not None
        assert self.letter is not None
        return {
            **self.records,  # its addresses have those of others in them, so they come first
            "mail/batches/<uuid:key>": f"mail/batches/{self.batch.key if self.batch else ''}",
            **self.imports,
            **self.enforced(),
            **self.appealed(case),
            **self.works,
            **self.money,
            "applications/<uuid:key>": f"applications/{case.key}",
            "cases/<str:number>": f"cases/{case.site.number}",
            "sites/<str:number>": f"sites/{case.site.number}",
            "escrow/<uuid:key>": f"escrow/{case.key}",
            "pay/fee/<uuid:key>": f"pay/fee/{case.key}",
            "draws/<str:number>": f"draws/{self.draw.number if self.draw else ''}",
            **scene_demand.places(self.demand),
            "papers/<uuid:key>": f"papers/{self.paper.document.key}",
            "/case-files/<uuid:key>": f"/case-files/{self.exported.key if self.exported else ''}",
            "files/<uuid:key>": f"files/{self.upload.key}",
            "hand-over/<uuid:key>": f"hand-over/{self.offer.key}",
            "visits/<uuid:key>": f"visits/{self.visit.key}",
            "findings/<uuid:key>": f"findings/{self.finding.key}",
            "log/<uuid:key>": f"log/{self.entry.key}",
            "report/<uuid:key>": f"report/{self.report.key}",
            "reports/<uuid:key>": f"reports/{self.report.key}",
            "<uuid:photo>": f"{self.report.photos.get().key}",
            "deposits/<uuid:key>": f"deposits/{self.deposit.key if self.deposit else ''}",
            "calendar/<str:key>.ics": f"calendar/{self.people['holder'].feed_key}.ics",
            "closures/<str:day>": "closures/2026-12-24",
            "council/<slug:key>": "council/fee",
            "law/<slug:section>": "law/permit",
            "mail/<int:pk>": f"mail/{self.letter.pk}",
            "people/<int:pk>": f"people/{self.people['clerk'].pk}",
            "<step:step>": "work",
            "plan/<int:number>": "plan/1",
            "page/<int:page>": "page/1",
        }

    def enforced(self) -> dict[str, Any]:
        """Return what the addresses of orders are made of; the longer words come first."""
        assert self.order is not None
        assert self.violation is not None
        assert self.revocation is not None
        told = Addressee.objects.of(self.order).order_by("pk").values_list("pk", flat=True)
        return {
            "/orders/<uuid:key>": f"/orders/{self.order.key}",
            "served/<int:pk>": f"served/{told[0]}",
            "stop-work/<uuid:key>": f"stop-work/{self.order.key}",
            "violations/<uuid:key>": f"violations/{self.violation.key}",
            "revocations/<uuid:key>": f"revocations/{self.revocation.key}",
        }

    def appealed(self, case: Application) -> dict[str, Any]:
        """Return what the addresses of appeals and revision orders are made of."""
        assert self.appeal is not None
        assert self.revision_order is not None
        return {
            "/appeal/filed/<uuid:key>": f"/appeal/filed/{self.appeal.key}",
            "/appeal/<str:number>": f"/appeal/{case.site.number}",
            "/appeals/<uuid:key>": f"/appeals/{self.appeal.key}",
            "/revision-orders/<uuid:key>": f"/revision-orders/{self.revision_order.key}",
            "lines/<int:number>": "lines/1",
        }

    def path(self, pattern: str, state: str) -> str:
        """Return a real address for a pattern."""
        pattern = f"/{pattern}"
        for placeholder, value in self.arguments(state).items():
            pattern = pattern.replace(placeholder, value)
        return pattern


def build() -> Scene:
    """Make the people and the holder's cases."""
    holder = factory.applicant("Mai Vang")
    scene = Scene(people={"holder": holder, "other": factory.applicant("Tom Reyes")})
    for role in ROLES[3:]:
        scene.people[role] = factory.user(role, f"{role}@example.test", role.title())
    for state in ("draft", "submitted", "received", "denied", "granted", "posted", "issued"):
        scene.cases[state] = factory.STATES[state](holder)
    received = scene.cases["received"]
    scene.paper = CasePaper.objects.filter(site=received.site).get()
    scene.upload = Upload.objects.filter(sheets__revision__application=received).get()
    picture = default_storage.save("previews/one.jpg", ContentFile(b"\xff\xd8\xff\xd9"))
    Preview.objects.create(upload=scene.upload, page=1, file=picture, width=1, height=1)
    third = factory.user(Role.APPLICANT, "third@example.test", "Third Person")
    scene.offer = handover.offer(received, by=holder, email=third.email, on=factory.MONDAY)
    _visit(scene, scene.cases["issued"])
    _stop(scene, holder)
    _appeal(scene)
    scene.works = works_scene.add(scene.people["inspector"], holder)
    scene.letter = Mailing.objects.create(
        reference=received.site.number,
        cause="received:1",
        means="us_mail",
        addressee="Ann Meyer",
        address="4418 Ridge Road",
    )
    scene.batch = letter_batches.ask([scene.letter], by=scene.people["clerk"])
    scene.batch.document = quick_paper("", {}, kind="mail_batch", title="Letters")
    scene.batch.save()
    _escrow(scene, holder)
    scene.money = scene_money.arguments(holder) | scene_agreements.add(holder)
    scene.deposit = _deposit(scene.people["clerk"])
    scene.records = scene_records.places()
    scene.imports = scene_imports.build(scene.people["clerk"]).places()
    Closure.objects.create(day="2026-12-24", name="Christmas Eve", resolution="2026-1")
    made = export(received.site, "full", by=scene.people["clerk"], on=factory.MONDAY)
    scene.exported = made.export
    return scene


def _deposit(by: User) -> Deposit:
    """Money that went to the bank, with its slip."""
    slip = quick_paper("", {}, kind="deposit_slip", title="Deposit slip DP-2026-0001")
    return Deposit.objects.create(
        number="DP-2026-0001", cash="25.00", checks=0, slip=slip, on=factory.MONDAY, by=by
    )


def _escrow(scene: Scene, holder: User) -> None:
    """Draw a part of what closed city work has cost on the escrow of a permit."""
    case = scene.cases["drawn"] = factory.issued(holder, on=factory.MONDAY - timedelta(days=90))
    case.permit.refresh_from_db()
    scene.draw = money.drawn(case.permit, "500.00", on=factory.MONDAY - timedelta(days=60))
    scene.demand = scene_demand.demand(holder, on=factory.MONDAY - timedelta(days=90))
    scene.cases["demanded"] = scene.demand.entry.permit.application


def _visit(scene: Scene, case: Application) -> None:
    """Visit an active site: an open visit with a finding, an entry of the log, a report."""
    inspector, on = scene.people["inspector"], factory.MONDAY
    scene.visit = visits.begin(case.site, by=inspector, on=on, today=on)
    scene.finding = findings.record(
        scene.visit,
        by=inspector,
        what="The silt fence is down along the east line.",
        section="plan",
        correct_by=on,
    )
    scene.entry = LogEntry.objects.create(
        permit=case.permit,
        kind="weekly",
        inspected_on=on,
        inspectors="Ana Ruiz",
        entered_by=scene.people["holder"],
    )
    scene.report = complaints.take(on=on, what="mud", place="Prairie Road at the bridge")
    photo = factory.upload()
    picture = default_storage.save("previews/mud.jpg", ContentFile(b"\xff\xd8\xff\xd9"))
    Preview.objects.create(upload=photo, page=1, file=picture, width=1, height=1)
    scene.report.photos.add(photo)


def _stop(scene: Scene, holder: User) -> None:
    """Stop the work at two sites of the holder; at one of them the permit is revoked since."""
    inspector, on = scene.people["inspector"], factory.MONDAY
    long_ago = on - timedelta(days=60)
    found = []
    for name in ("stopped", "revoked"):
        case = factory.issued(holder, on=long_ago)
        scene.cases[name], site = case, case.site
        told = [(person, "email") for person in persons_of(site, case.permit) if person.email]
        scene.violation = violations.record(
            site, by=inspector, on=on, section="plan", facts="No silt fence.", found_on=long_ago
        )
        found.append(
            orders.issue(
                site,
                by=inspector,
                on=on - timedelta(days=30),
                ground="plan-not-followed",
                facts="There is no silt fence.",
                must_stop="All grading.",
                must_do="Put up the silt fence.",
                permit=case.permit,
                told=told,
                violations=[scene.violation],
            )
        )
    scene.order = found[0]
    scene.violation = scene.order.violations.get()
    told = [(person, "email") for person in persons_of(found[1].site, found[1].permit)]
    scene.revocation = revocation.revoke(
        found[1],
        by=inspector,
        on=on - timedelta(days=5),
        facts="Grading went on.",
        told=[(person, means) for person, means in told if person.email],
    )


def _appeal(scene: Scene) -> None:
    """Appeal a denial, without an account; order an additional device at the active site."""
    on, denied, permit = factory.MONDAY, scene.cases["denied"], scene.cases["issued"].permit
    scene.appeal = appeals.file(
        denied.site,
        f"decision-{denied.decisions.get().pk}",
        on=on,
        appellant=appeals.Appellant("Kim Larsen", "Neighbor", "14 Mill Street\nExample, WI"),
        grounds="The plan was good enough.",
    )
    scene.revision_order = revision_orders.issue(
        permit,
        by=scene.people["inspector"],
        on=on,
        cause="rain",
        facts="Mud runs over the north line.",
        lines=[revision_orders.Line("silt-fence", "North line", on + timedelta(days=3))],
        told=[(person, "email") for person in persons_of(permit.site, permit) if person.email],
    )


def quick_paper(template: str, context: dict[str, Any], *, kind: str, title: str) -> Document:
    """Make a paper without typesetting it."""
    content = f"%PDF-1.7 {title}".encode()
    name = default_storage.save("papers/quick.pdf", ContentFile(content))
    digest = hashlib.sha256(content).hexdigest()
    return Document.objects.create(
        kind=kind, title=title, file=name, sha256=digest, size=len(content), pages=1
    )


LOGS = frozenset({"django_session"})
"""Tables that reading a page may write: who is signed in since when."""


def fingerprint() -> dict[str, str]:
    """Return a digest of every table, so that a change anywhere is seen."""
    found = {}
    for model in apps.get_models():
        table = model._meta.db_table
        if table not in LOGS:
            rows = repr(list(model._default_manager.order_by("pk").values_list()))
            found[table] = hashlib.sha256(rows.encode()).hexdigest()
    return found
