"""The small city through which the browser goes: its people, and a case in every state."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from enforcement.acts import appeals, orders, revision_orders, revocation, violations
from enforcement.persons import persons_of
from inspections.acts import complaints, findings, log, visits
from inspections.acts import upkeep as upkeep_acts
from permits import handover, mailroom, recount
from permits.models import Application
from portal import letter_batches
from portal.desk.export.making import export
from portal.models import LetterBatch, Mailing, Role, User
from portal.uploads.store import store
from tests import factory, scene_agreements, scene_imports, works_scene
from tests import upkeep as kept
from tests.browser import city_money
from tests.escrow import money
from tests.floor.sample_files import jpeg, sent
from tests.records import scene as records_scene

__all__ = ["CLOSED", "City"]

CLOSED = date(2026, 11, 27)


@dataclass
class City:
    """The people and cases of a small city; before it is built, only the people are there."""

    on: date
    people: dict[str, User] = field(default_factory=dict)
    cases: dict[str, Application] = field(default_factory=dict)
    things: dict[str, Any] = field(default_factory=dict)
    works: works_scene.Works | None = None

    def settle(self) -> None:
        """Let one person of each role move in."""
        for role in Role.values:
            self.people[role] = factory.user(role, f"{role}@example.test", f"Sam {role.title()}")

    def build(self) -> None:
        """Put up a case in every state, all held by the one applicant."""
        holder = self.people[Role.APPLICANT]
        recount.change_closure(
            CLOSED,
            name="Day after Thanksgiving",
            closed=True,
            resolution="2026-118",
            by=self.people[Role.CLERK],
            on=self.on,
        )
        for state, make in factory.STATES.items():
            self.cases[state] = make(holder, on=self.on)
        self.cases["late"] = factory.received(holder, on=self.on - timedelta(days=30))
        revised = self.cases["in revision"] = factory.denied(holder, on=self.on)
        revised.begin_revision()
        offered = self.cases["offered"] = factory.received(on=self.on)
        handover.offer(offered, by=offered.applicant, email=holder.email, on=self.on)
        for _ in range(26):
            factory.draft(holder, on=self.on)
        inspected = factory.issued(holder, on=self.on - timedelta(days=40))
        inspected.permit.grant.revision.devices.create(
            device="inlet-protection", place="Rain garden outlet", permanent=True
        )
        self.cases["inspected"] = inspected
        self.inspect(inspected)
        self.post(self.cases["granted"])
        self.appeal()
        self.works = works_scene.build(self.people[Role.INSPECTOR], holder)
        self.stop(holder)
        self.keep_up(holder)
        drawn = factory.issued(holder, on=self.on - timedelta(days=90))
        drawn.permit.refresh_from_db()
        self.cases["drawn"] = drawn
        self.things["draw"] = money.drawn(drawn.permit, "500.00", on=self.on - timedelta(days=60))
        scene_agreements.build(self.things, holder, on=self.on)
        city_money.build(self.cases, self.things, self.people, self.on)
        self.things |= records_scene.rooms()
        made = scene_imports.build(self.people[Role.CLERK])
        self.things |= {
            **{"import done": made.done, "import read": made.read, "import sent": made.sent},
            "earlier permit": made.permit,
        }
        export(self.cases["denied"].site, "public", by=self.people[Role.CLERK], on=self.on)
        self.cases["large"] = factory.complete_draft(holder, on=self.on, area_amount=Decimal(3))

    def keep_up(self, holder: User) -> None:
        """Inspect what a recorded agreement keeps, give notice, and begin to look again."""
        on = self.on
        site = factory.issued(holder, on=on - timedelta(days=300)).site
        bound = kept.agreement(site, recorded_on=on - timedelta(days=250))
        told = kept.inspected(bound, on=on - timedelta(days=40))
        notice = kept.notice(
            told, on=on - timedelta(days=40), correct_by=on - timedelta(days=5), mail=False
        )
        seen = kept.inspected(bound, on=on - timedelta(days=2), problems=(1, 2))
        by = self.people[Role.INSPECTOR]
        begun = upkeep_acts.begin(bound, by=by, on=on)
        for practice in bound.practices.all():
            upkeep_acts.look(begun, practice, by=by, result="problem", words="Reeds again.")
        self.things |= {
            "agreement in force": bound,
            "upkeep notice": notice,
            "upkeep with notice": told,
            "upkeep finished": seen,
            "upkeep begun": begun,
        }

    def stop(self, holder: User) -> None:
        """Record a violation, and revoke a permit whose holder did not stop."""
        by, on = self.people[Role.INSPECTOR], self.on
        case = factory.issued(holder, on=on - timedelta(days=60))
        told = [(each, "email") for each in persons_of(case.site, case.permit) if each.email]
        seen = violations.record(
            case.site, by=by, on=on, section="plan", facts="No silt fence.", found_on=on
        )
        order = orders.issue(
            case.site,
            by=by,
            on=on - timedelta(days=30),
            ground="plan-not-followed",
            facts="There is no silt fence.",
            must_stop="All grading.",
            must_do="Put up the silt fence.",
            permit=case.permit,
            told=told,
        )
        revoked = revocation.revoke(order, by=by, on=on, facts="Grading went on.", told=told)
        self.things |= {"violation": seen, "revoked order": order, "revocation": revoked}

    def appeal(self) -> None:
        """Appeal a denial and a grant; order an additional device at the active site."""
        by, on = self.people[Role.INSPECTOR], self.on
        neighbor = appeals.Appellant("Kim Larsen", "Neighbor", "14 Mill Street\nExample, WI")
        for state in ("denied", "posted"):
            case = self.cases[state]
            token = f"decision-{case.decisions.get().pk}"
            self.things[f"appeal {state}"] = appeals.file(
                case.site, token, on=on, appellant=neighbor, grounds="Too much mud."
            )
        permit = self.cases["issued"].permit
        told = [(each, "email") for each in persons_of(permit.site, permit) if each.email]
        self.things["revision order"] = revision_orders.issue(
            permit,
            by=by,
            on=on,
            cause="rain",
            facts="Mud runs over the north line.",
            lines=[revision_orders.Line("silt-fence", "North line", on + timedelta(days=3))],
            told=told,
        )

    def post(self, case: Application) -> None:
        """Leave letters in the mail room, as they wait, go and come back."""
        by, on = self.people[Role.CLERK], self.on
        names = ("waiting", "handed in", "accepted", "returned")
        for name in names:
            self.things[f"letter {name}"] = Mailing.objects.create(
                reference=case.site.number,
                cause="granted:1",
                means="certified",
                addressee=f"Owner of a letter {name}",
                address="1 Mill Street\nExample, WI 54999",
                subject="Notice of grant",
            )
        letters = [self.things[f"letter {name}"] for name in names]
        mailroom.deposit(letters[1:], on=on, by=by, today=on)
        mailroom.accept(letters[2:], on=on, by=by, today=on)
        mailroom.bring_back(letters[3], on=on, reason="Vacant", by=by, today=on)
        lost = Mailing.objects.create(
            reference=case.site.number, cause="granted:1", means="us_mail", addressee="Nobody"
        )
        for name in ("batch", "batch made", "batch in trouble"):
            self.things[name] = letter_batches.ask([*letters, lost], by=by)
        letter_batches.make(self.things["batch made"])
        LetterBatch.objects.filter(pk=self.things["batch in trouble"].pk).update(
            trouble=letter_batches.NO_ROOM
        )

    def inspect(self, case: Application) -> None:
        """Visit the site under a permit: what was found, answered, logged and reported."""
        by, on, site, permit = self.people[Role.INSPECTOR], self.on, case.site, case.permit
        finished = visits.begin(site, by=by, on=on, today=on)
        line = finished.lines.first()
        photo = store(sent("north line.jpg", jpeg()), by=by)
        visits.attach_photo(finished, photo, by=by, line=line)
        found = {"what": "The fence is down.", "section": "plan", "correct_by": on}
        open_finding = findings.record(finished, by=by, **found)
        found |= {"what": "The inlet is bare.", "who": "contractor", "is_violation": True}
        answered = findings.record(finished, by=by, line=line, **found)
        visits.finish(finished, by=by)
        findings.answer(answered, by=case.applicant, on=on, text="Set again.", photos=[photo])
        entry = log.enter(
            permit,
            by=case.applicant,
            today=on,
            key=open_finding.key,
            inspected_on=on - timedelta(days=12),
            answers=log.Answers(kind="weekly", inspectors="Ana Ruiz", weather="Dry", phase="Roof"),
            lines={"silt_fence": ("yes", "Set again on the north line."), "mat": ("na", "")},
            photos=[photo],
        )
        report = complaints.take(on=on, what="mud", place="Prairie Road at the bridge")
        visit = visits.begin(site, by=by, on=on, today=on)
        self.things |= {"visit": visit, "finished visit": finished, "entry": entry}
        self.things |= {"finding": open_finding, "answered": answered, "report": report}
