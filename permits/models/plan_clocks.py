"""What a plan revision asks of the ordinance and of the city's own promise."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db import models

from portal import city, city_calendar, council
from portal.ordinance import Calendar, Deadline, Obstacle
from portal.ordinance.decision import revision_review_deadline
from portal.ordinance.plan import PlanFacts
from portal.ordinance.plan import PlannedActivity as ActivityFacts

FIRST_REVISION = 1


class PlanClocks(models.Model):
    """The questions of a plan revision."""

    class Meta:
        abstract = True

    @property
    def site(self) -> Any:
        """The site of the application."""
        return self.application.site  # type: ignore[attr-defined]

    def facts(self) -> PlanFacts:
        """Return what the plan holds, as the rules on its contents need it. § 40-939"""
        self_: Any = self
        sheets, devices = list(self_.sheets.all()), list(self_.devices.all())
        return PlanFacts(
            drawings=sum(sheet.purpose == "drawing" for sheet in sheets),
            scale=self_.drawing_scale,
            factors_on_site=self_.factors_on_site,
            factors_adjacent=self_.factors_adjacent,
            devices=len(devices),
            devices_placed=sum(bool(line.place.strip()) for line in devices),
            activities=tuple(
                ActivityFacts(
                    name=line.activity,
                    begins_on=line.starts_on,
                    ends_on=line.ends_on,
                    area_sq_ft=line.area_sq_ft,
                    temporary=line.temporary,
                    permanent=line.permanent,
                )
                for line in self_.activities.all()
            ),
            disturbed_sq_ft=self_.application.area_sq_ft,
            soil_loss_tons=self_.soil_loss_rate,
            soil_loss_from=self_.soil_loss_from,
            soil_loss_until=self_.soil_loss_until,
        )

    def find_decision(self) -> Any:
        """Return the decision on this revision, or None while there is none."""
        return getattr(self, "decision", None)

    @property
    def is_ordered(self) -> bool:
        """Whether it was filed under a permit, because an order asked for it. (7)(b)"""
        granted: bool = self.application.status == "granted"  # type: ignore[attr-defined]
        return granted and self.find_decision() is None

    def review_deadline(self, *, calendar: Calendar | None = None) -> Deadline | None:
        """Return the day by which the city promises to review a revised plan.

        The ordinance sets none: it is the city's own promise. None for the first
        revision, which the decision's deadline covers, before it is filed, and for one that
        an order asked for: the inspector has ordered what it adds.
        """
        self_: Any = self
        filed_on: date | None = self_.filed_on
        if filed_on is None or self_.number == FIRST_REVISION or self.is_ordered:
            return None
        if calendar is None:
            decision = self.find_decision()
            as_of = decision.decided_at if decision else None
            calendar = city_calendar.current_calendar(as_of=as_of)
        return revision_review_deadline(
            filed_on,
            working_days=council.revision_review_days(on=filed_on),
            calendar=calendar,
            edition=city.edition_on(filed_on),
        )

    def clocks(self) -> list[Deadline]:
        """Return the running clocks of the revision, as the docket must have them."""
        self_: Any = self
        under_review = self_.application.status == "under_review"
        if not under_review or self.find_decision() is not None:
            return []
        deadline = self.review_deadline()
        return [deadline] if deadline else []

    def changes_to_answer(self) -> Any:
        """Return the required changes of the denial before this revision, in their order."""
        self_: Any = self
        before = self_.application.decisions.filter(
            kind="deny", revision__number__lt=self_.number
        ).order_by("-pk")
        denial = before.first()
        return denial.changes.all() if denial else []

    def unanswered(self, *, on: date) -> list[Obstacle]:
        """Return each required change that this revision does not answer yet. § 40-886(c)"""
        self_: Any = self
        answered = set(self_.answers.values_list("change_id", flat=True))
        citation = city.edition_on(on).citation("permit", "(c)")
        return [
            Obstacle(
                f"change-{change.number}",
                f"Say what was done about required change {change.number}.",
                citation,
                "answers",
            )
            for change in self.changes_to_answer()
            if change.pk not in answered
        ]
