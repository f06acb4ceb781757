"""What an application asks of the ordinance: facts in, deadlines and obstacles out."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from portal import city, city_calendar, council
from portal.ordinance import (
    Building,
    Calendar,
    Citation,
    Deadline,
    Determination,
    Obstacle,
    Proposal,
    completeness,
    determine,
)
from portal.ordinance.decision import decision_deadline
from portal.ordinance.permit_needed import AreaUnit, VolumeUnit, cubic_yards, square_feet
from portal.ordinance.plan import missing_contents

from .application_facts import AGENT, ApplicationFacts

if TYPE_CHECKING:
    from .decision import Decision
    from .plan import PlanRevision

STEPS = ("site", "people", "work", "plan", "acknowledgements", "fee", "check")


def is_agent(capacity: str) -> bool:
    """Whether somebody signs in another's name; title and company may follow the capacity."""
    return capacity.partition(",")[0] == AGENT


class ApplicationClocks(ApplicationFacts):
    """The questions of an application: model methods gather, the rules decide."""

    class Meta:
        abstract = True

    # Facts --------------------------------------------------------------------------------

    @property
    def area_sq_ft(self) -> Decimal | None:
        """The disturbed area in square feet, whatever unit was typed."""
        if self.area_amount is None:
            return None
        return square_feet(self.area_amount, AreaUnit(self.area_unit))

    @property
    def signed_as_agent(self) -> bool:
        """Whether an agent signed, whose right to do so is in writing."""
        return is_agent(self.signed_capacity)

    def names_authorization(self) -> bool:
        """Whether the agent's written authorization is named with its date, or uploaded."""
        agent = self.parties.filter(role="agent").first()
        if agent is not None and agent.authorization:
            return True
        return self.latest_revision().sheets.filter(purpose="authority").exists()

    @property
    def volume_cu_yd(self) -> Decimal | None:
        """Excavation and fill together in cubic yards, whatever unit was typed."""
        if self.volume_amount is None:
            return None
        return cubic_yards(self.volume_amount, VolumeUnit(self.volume_unit))

    def proposal(self) -> Proposal:
        """Return the work as the rules on permits need it."""
        larger = self.larger_plan_acres
        return Proposal(
            area_sq_ft=self.area_sq_ft,
            volume_cu_yd=self.volume_cu_yd,
            street_work=self.street_work,
            pipe_ft=self.pipe_ft,
            dewatering=self.dewatering,
            agriculture=False,
            state_project=False,
            larger_plan_sq_ft=square_feet(larger, AreaUnit.ACRES) if larger else None,
            building=Building(self.building) if self.building else None,
        )

    def determination(self, *, on: date) -> Determination:
        """Say which activities of § 40-887 the work reaches, and which state rules go with it."""
        return determine(self.proposal(), edition=city.edition_on(on))

    def fee_due(self, *, on: date) -> Decimal:
        """Return the fee in dollars of the day of filing, or of `on` before it. § 40-886(b)"""
        return council.fee(on=self.form_received_on or on)

    def is_correctable(self) -> bool:
        """Whether what was filed can still be corrected: while the city has to decide."""
        return self.status in (self.Status.SUBMITTED, self.Status.UNDER_REVIEW)

    def latest_revision(self) -> PlanRevision:
        """Return the newest plan revision, filed or not; there is always one."""
        return self.revisions.latest("number")

    def filed_revision(self) -> PlanRevision | None:
        """Return the newest revision that is before the inspector."""
        return self.revisions.filter(filed_on__isnull=False).order_by("-number").first()

    def latest_decision(self) -> Decision | None:
        """Return the newest decision, or None while there is none."""
        return self.decisions.order_by("-pk").first()

    # Clocks -------------------------------------------------------------------------------

    def decided_at(self) -> datetime | None:
        """Return when the first decision was recorded; the count stays as it was known then."""
        first = self.decisions.order_by("pk").first()
        return first.decided_at if first else None

    def decision_deadline(self, *, calendar: Calendar | None = None) -> Deadline | None:
        """Return the last day to grant or deny; None until all is received. § 40-886(c)"""
        if self.received_on is None:
            return None
        if calendar is None:
            calendar = city_calendar.current_calendar(as_of=self.decided_at())
        return decision_deadline(
            self.received_on, calendar=calendar, edition=city.edition_on(self.received_on)
        )

    def running_deadline(self) -> Deadline:
        """Return the deadline of the review that is open. Raises LookupError without one."""
        revision = self.filed_revision()
        deadline = (revision.review_deadline() if revision else None) or self.decision_deadline()
        if deadline is None:
            raise LookupError(f"{self} is not under review.")
        return deadline

    def decision_if_received(self, on: date) -> Deadline:
        """Return the decision date if the last of form, plan and fee arrived `on`."""
        calendar = city_calendar.current_calendar()
        return decision_deadline(on, calendar=calendar, edition=city.edition_on(on))

    def clocks(self) -> list[Deadline]:
        """Return the running clocks of the application, as the docket must have them."""
        if self.status != self.Status.UNDER_REVIEW or self.decided_at() is not None:
            return []
        deadline = self.decision_deadline()
        return [deadline] if deadline else []

    # Obstacles ----------------------------------------------------------------------------

    def missing_to_receive(self, *, on: date) -> list[Obstacle]:
        """Return what is still out before the ten working days start. § 40-886(b)"""
        return completeness.missing(
            self.form_received_on,
            self.plan_received_on,
            self.fee_received_on,
            edition=city.edition_on(on),
            fee=self.fee_due(on=on),
        )

    def obstacles_to_submit(self, *, on: date) -> list[Obstacle]:
        """Return every answer the form still lacks, each with the step that cures it."""
        edition = city.edition_on(on)
        found = [
            Obstacle(key, text, edition.citation("permit", "(b)"), cure)
            for key, text, cure in self._missing_answers(on)
        ]
        return found + missing_contents(self.latest_revision().facts(), edition)

    def obstacles_to_sign(self, capacity: str, *, on: date) -> list[Obstacle]:
        """Return why the form cannot be signed in this capacity: an agent acts by a writing."""
        if not is_agent(capacity) or self.names_authorization():
            return []
        text = (
            "An agent signs with a written authorization: name who gave it and its date with the "
            "agent, or upload it with the plan."
        )
        citation = city.edition_on(on).citation("permit", "(b)")
        return [Obstacle("authorization", text, citation, "people")]

    def _passed_days(self, on: date) -> list[tuple[str, str, str]]:
        """Return each day of work that has passed before the form is filed."""
        if self.form_received_on is not None:
            return []
        found = []
        if self.starts_on is not None and self.starts_on < on and not self.work_begun:
            text = "The first day of work has passed: say that it has begun, or give a later day."
            found.append(("started", text, "work"))
        if self.ends_on is not None and self.ends_on < on:
            found.append(("ended", "The last day of work has passed: give a later day.", "work"))
        return found

    def _missing_answers(self, on: date) -> list[tuple[str, str, str]]:
        site = self.site
        roles = {party.role: party for party in self.parties.all()}
        owner, night = roles.get("landowner"), roles.get("emergency")
        checks = [
            (site.address or site.survey_description, "place", "Say where the site is.", "site"),
            (site.parcels.exists(), "parcel", "Give at least one parcel number.", "site"),
            ("landowner" in roles, "landowner", "Name the landowner.", "people"),
            (
                owner is None or owner.mailing_address,
                "landowner-address",
                "Give the landowner's mailing address: the city's mailed notices go there.",
                "people",
            ),
            (
                owner is None or not owner.is_company_unnamed,
                "landowner-company",
                "Name the company, trust or public body that owns the land.",
                "people",
            ),
            *(
                (
                    role not in roles or roles[role].can_be_told,
                    f"{role}-reach",
                    f"Give the {role.replace('_', ' ')}'s e-mail or mailing address: the city's "
                    "notices go there.",
                    "people",
                )
                for role in ("contractor", "land_user", "agent")
            ),
            ("emergency" in roles, "emergency", "Name a 24-hour contact.", "people"),
            (
                night is None or night.telephone,
                "emergency-telephone",
                "Give the telephone number of the 24-hour contact.",
                "people",
            ),
            (
                "controls" in roles,
                "controls",
                "Name who is responsible for the control devices.",
                "people",
            ),
            (self.description, "description", "Describe the work.", "work"),
            (self.activities, "activities", "Choose at least one activity.", "work"),
            (self.area_amount is not None, "area", "Say how much ground is disturbed.", "work"),
            (self.building, "building", "Say what kind of building it is.", "work"),
            (
                self.street_work is not None and self.dewatering is not None,
                "work-questions",
                "Answer the questions on street work and on pumping water.",
                "work",
            ),
            (self.starts_on and self.ends_on, "dates", "Give start and end of work.", "work"),
            (
                self.wetlands_acknowledged and self.entry_allowed and self.records_agreed,
                "acknowledgements",
                "Read and agree to the three acknowledgements.",
                "acknowledgements",
            ),
        ]
        missing = [(key, text, cure) for there, key, text, cure in checks if not there]
        return missing + self._passed_days(on)

    def obstacles_to_grant(self, *, on: date) -> list[Obstacle]:
        """Return what stands against granting the plan that is before the inspector."""
        edition = city.edition_on(on)
        found = self.missing_to_receive(on=on)
        revision = self.filed_revision()
        if revision is not None:
            found += missing_contents(revision.facts(), edition)
        if self.status != self.Status.UNDER_REVIEW:
            text = f"The application is not under review: {self.get_status_display().lower()}."
            found.append(Obstacle("status", text, edition.citation("permit", "(c)"), "case page"))
        return found

    def citation(self, section: str, paragraph: str = "", *, on: date) -> Citation:
        """Return where something stands written in the edition in force on a day."""
        return city.edition_on(on).citation(section, paragraph)
