"""What is entered of a stop-work order: its ground and facts, its posting, its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from enforcement.models import Posting, StopWorkOrder, Violation
from enforcement.persons import Person
from enforcement.suggestions import ACTIVITIES, MUST_DO, MUST_STOP
from inspections.models import Visit
from inspections.photos import PhotosField
from permits.forms.counter import PastDayField
from permits.forms.fields import Line, OneOf, Paragraph, SeveralOf
from permits.models import Permit
from portal.city import worded
from portal.formats import long_date
from portal.ordinance.stop_work import GROUNDS

from .told import TellForm

__all__ = ["LiftForm", "OrderForm", "PostForm", "ReasonForm", "RevokeForm", "ServeForm"]

LONGEST = 4000
OTHER = "other"


class OrderForm(TellForm):
    """The ground with the facts it needs, what must stop and be done, and who is told."""

    ground = OneOf(label="On which ground?")
    activities = SeveralOf(
        label="Which activity did you see?",
        help_text="Needed for work without a permit.",
        choices=list(ACTIVITIES.items()),
        required=False,
    )
    broken = Line(
        label="Which part of the plan is not carried out?",
        help_text="Needed where the plan is not followed. For example: Silt fence, north line; "
        "sheet C-1.",
        max_length=500,
        required=False,
    )
    conditions = SeveralOf(
        label="Which conditions of the permit are not met?",
        help_text="Needed where conditions are not met.",
        required=False,
    )
    facts = Paragraph(
        label="What did you see?",
        help_text="Day, place and what it looked like. It stands in the order as you write it.",
        rows=4,
        max_length=LONGEST,
    )
    violations = SeveralOf(
        label="Violations that the order rests on",
        help_text="Their documented days go with the order as evidence.",
        required=False,
    )
    stop = SeveralOf(
        label="What must stop",
        choices=list(MUST_STOP.items()),
        initial=["all"],
        required=False,
    )
    stop_more = Paragraph(label="What else must stop", rows=2, max_length=LONGEST, required=False)
    do = SeveralOf(label="What must be done", choices=list(MUST_DO.items()), required=False)
    do_more = Paragraph(label="What else must be done", rows=2, max_length=LONGEST, required=False)

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        known: Sequence[Person],
        permit: Permit | None,
        violations: Iterable[Violation],
        chosen: str = "",
        more: int = 0,
    ) -> None:
        self.permit = permit
        self.open_violations = {str(each.key): each for each in violations}
        super().__init__(data, known=known, more=more)
        self._offer("ground", self._grounds())
        conditions = list(permit.grant.conditions) if permit else []
        self.offered = {str(n): text for n, text in enumerate(conditions, start=1)}
        if permit is not None:
            self._offer("conditions", [*self.offered.items(), (OTHER, "A condition of the plan")])
        else:
            del self.fields["conditions"], self.fields["broken"]
            self.initial["ground"] = "no-permit"
        self._offer(
            "violations",
            [
                (key, f"Violation {each.number} of {long_date(each.found_on)}: {each.facts[:90]}")
                for key, each in self.open_violations.items()
            ],
        )
        if not self.open_violations:
            del self.fields["violations"]
        elif chosen in self.open_violations:
            self.initial["violations"] = [chosen]
        self.initial["do"] = ["controls", "plan"] if permit else ["controls", "apply"]

    def _offer(self, name: str, choices: Sequence[tuple[str, str]]) -> None:
        field: Any = self.fields[name]
        field.choices = choices

    def _grounds(self) -> list[tuple[str, str]]:
        return [
            (ground.key, f"{ground.title}: {ground.sentence}")
            for ground in GROUNDS
            if self.permit is not None or ground.key == "no-permit"
        ]

    NEEDED = {
        "no-permit": ("activities", "Choose what you saw of the work that needs a permit."),
        "plan-not-followed": ("broken", "Say which part of the plan is not carried out."),
        "conditions-not-met": ("conditions", "Choose the conditions that are not met."),
    }

    def clean(self) -> dict[str, Any]:
        """Ask for the facts that the ground needs, and for what must stop and be done."""
        cleaned = super().clean()
        name, sentence = self.NEEDED.get(cleaned.get("ground", ""), ("", ""))
        if name and name not in self.errors and not cleaned.get(name):
            self.add_error(name, sentence)
        for ticked, more, verb in (("stop", "stop_more", "stop"), ("do", "do_more", "be done")):
            if not cleaned.get(ticked) and not cleaned.get(more) and more not in self.errors:
                self.add_error(ticked, f"Say what must {verb}.")
        return cleaned

    # The order in words -------------------------------------------------------------------

    @property
    def ordered_permit(self) -> Permit | None:
        """The permit under which the work is done; none on the ground that there is none."""
        return None if self.cleaned_data["ground"] == "no-permit" else self.permit

    @property
    def facts_in_words(self) -> str:
        """The facts that the ground needs, and what was seen."""
        return "\n\n".join(filter(None, [self._ground_facts(), self.cleaned_data["facts"]]))

    def _ground_facts(self) -> str:
        cleaned, ground = self.cleaned_data, self.cleaned_data["ground"]
        if ground == "no-permit":
            seen = "; ".join(ACTIVITIES[key].lower() for key in cleaned["activities"])
            return f"Work that needs a permit: {seen}. No permit was issued for it."
        if ground == "plan-not-followed":
            return f"Not carried out of the approved plan: {cleaned['broken']}"
        named = [self.offered[key] for key in cleaned["conditions"] if key in self.offered]
        if OTHER in cleaned["conditions"]:
            named.append("a condition of the plan, named below")
        return f"Conditions of the permit that are not met: {'; '.join(named)}"

    @property
    def must_stop(self) -> str:
        """What must stop, one line for each."""
        return self._lines("stop", MUST_STOP)

    @property
    def must_do(self) -> str:
        """What must be done, one line for each."""
        return self._lines("do", MUST_DO)

    def _lines(self, name: str, words: Mapping[str, str]) -> str:
        ticked = [words[key] for key in self.cleaned_data[name]]
        return "\n".join(filter(None, [*ticked, self.cleaned_data[f"{name}_more"].strip()]))

    def chosen_violations(self) -> list[Violation]:
        """The violations on which the order rests."""
        return [self.open_violations[key] for key in self.cleaned_data.get("violations", [])]


class PostForm(forms.Form):
    """Where and when the placard was put up; the photo is the proof."""

    posted_on = PastDayField(
        label="On which day was it put up?",
        help_text=worded("{Notice_wait_period} from this day a notice of intent may be issued."),
    )
    place = Line(
        label="Where does it hang?",
        help_text="For example: On the gate at Prairie Road, facing the street.",
        max_length=300,
    )
    photos = PhotosField()

    def __init__(self, data: Any = None, *, order: StopWorkOrder, today: date) -> None:
        super().__init__(data, initial={"posted_on": today})
        self.order = order
        photos: Any = self.fields["photos"]
        photos.label = "Photo of the placard where it hangs"
        photos.widget.attrs["capture"] = "environment"

    def clean_posted_on(self) -> date:
        """Refuse a day before the order was issued."""
        day: date = self.cleaned_data["posted_on"]
        if day < self.order.issued_on:
            issued = long_date(self.order.issued_on)
            raise ValidationError(f"The order was issued on {issued}. Choose that day or later.")
        return day


class CorrectPostingForm(forms.Form):
    """The right day and place of a posting, and why the entry was wrong."""

    posted_on = PastDayField(label="On which day was it put up?")
    place = Line(label="Where does it hang?", max_length=300)
    reason = Paragraph(
        label="Why is the entry corrected?",
        help_text="Everybody who was told of the order reads this, and it stays on record.",
        rows=3,
        max_length=LONGEST,
    )

    def __init__(self, data: Any = None, *, posting: Posting) -> None:
        super().__init__(data, initial={"posted_on": posting.posted_on, "place": posting.place})
        self.posting = posting

    def clean(self) -> dict[str, Any]:
        """Refuse a day before the order was issued, and a correction that changes nothing."""
        day, place = self.cleaned_data.get("posted_on"), self.cleaned_data.get("place")
        issued = self.posting.order.issued_on
        if day is not None and day < issued:
            text = f"The order was issued on {long_date(issued)}. Choose that day or later."
            self.add_error("posted_on", text)
        if (day, place) == (self.posting.posted_on, self.posting.place):
            self.add_error("posted_on", "Nothing is changed: the record says this already.")
        return self.cleaned_data


class ServeForm(forms.Form):
    """That a paper was handed over: when, where, by whom."""

    served_on = PastDayField(label="On which day was it handed over?")
    place = Line(label="Where?", max_length=300)
    served_by = Line(
        label="Who handed it over?",
        help_text="Name and office, such as: Officer J. Reed, police department.",
        max_length=200,
    )
    photos = PhotosField()

    def __init__(self, data: Any = None, *, since: date, by: str) -> None:
        super().__init__(data, initial={"served_by": by})
        self.since = since
        photos: Any = self.fields["photos"]
        photos.label = "The signed receipt, or a photo"

    def clean_served_on(self) -> date:
        """Refuse a day before the paper existed."""
        day: date = self.cleaned_data["served_on"]
        if day < self.since:
            made = long_date(self.since)
            raise ValidationError(f"The paper is of {made}. Choose that day or a later one.")
        return day


class LiftForm(forms.Form):
    """Which visit shows that the order is obeyed, and what it showed."""

    visit = OneOf(
        label="Which visit shows that the order is obeyed?",
        error_messages={"required": "Choose the visit that shows it."},
    )
    why = Paragraph(
        label="What did it show?",
        help_text="It stands in the paper that lifts the order.",
        rows=3,
        max_length=LONGEST,
    )

    def __init__(self, data: Any = None, *, visits: Sequence[Visit]) -> None:
        super().__init__(data)
        self.visits = {str(visit.key): visit for visit in visits}
        field: Any = self.fields["visit"]
        field.choices = [
            (key, f"{visit.number} of {long_date(visit.visited_on)}, by {visit.inspector}")
            for key, visit in self.visits.items()
        ]
        if len(self.visits) == 1:
            self.initial["visit"] = next(iter(self.visits))

    @property
    def chosen(self) -> Visit:
        """The visit that was chosen."""
        return self.visits[self.cleaned_data["visit"]]


class ReasonForm(forms.Form):
    """Why an order is withdrawn: it was issued in error."""

    why = Paragraph(
        label="Why was it issued in error?",
        help_text="Everybody who was told of the order reads this, and it stays on record.",
        rows=3,
        max_length=LONGEST,
    )


class RevokeForm(TellForm):
    """Why the permit is revoked, and who is told."""

    facts = Paragraph(
        label="How did the permittee neither stop nor comply?",
        help_text="What was seen, and on which days. It stands in the revocation.",
        rows=4,
        max_length=LONGEST,
    )
    before_safe_why = Paragraph(
        label="Why can it not wait until the safe day?",
        help_text="It stands on record.",
        rows=2,
        max_length=LONGEST,
        required=False,
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        known: Sequence[Person],
        needs_reason: bool,
        more: int = 0,
    ) -> None:
        super().__init__(data, known=known, more=more)
        if needs_reason:
            self.fields["before_safe_why"].required = True
        else:
            del self.fields["before_safe_why"]
