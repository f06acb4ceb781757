"""The practices that stay, what drains to each, and their upkeep: rows of a form."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django import forms

from permits.forms.fields import AmountField, DayField, Line
from permits.forms.repeated import RowsFormSet, typed_rows
from permits.forms.staying import (
    MOST_PRACTICES,
    PracticeRow,
    StayingRows,
    StayingSet,
    no_social_security,
    practice_of,
)
from permits.models import MaintenanceAgreement
from permits.photos import PhotosField
from portal.ordinance.devices import DEVICES_BY_KEY

from .drafting import Practice, Task, copy_of

__all__ = ["PracticesForm", "ScheduleRows"]

MOST_TASKS = 120
PARTY = "The responsible party"


class MapField(PhotosField):
    """The map: a PDF or a picture, of which the first page is printed in gray."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.label = "Map of the practices and of what drains to them"
        self.help_text = (
            "One PDF or picture; its first page is printed as Exhibit B, in black, white and gray."
        )


class TaskRow(forms.Form):
    """What is done at a practice, how often and by whom. Former § 17.19(4)(f)(2)"""

    practice = AmountField(
        label="For practice number",
        help_text="As they are numbered above.",
        places=0,
        least=1,
        most=MOST_PRACTICES,
        example="1",
        required=False,
    )
    what = Line(label="What is done", max_length=300, required=False, width="w-wide")
    every_months = AmountField(
        label="Every how many months?",
        places=0,
        least=1,
        most=600,
        example="6, or 12 for once a year",
        required=False,
    )
    by_whom = Line(label="By whom", max_length=200, required=False, initial=PARTY)
    first_due_on = DayField(
        label="First due by",
        help_text="Empty: so many months after the recording.",
        required=False,
    )

    def has_changed(self) -> bool:
        """Whether the row says something; by whom alone is nothing."""
        return any(name != "by_whom" for name in self.changed_data)

    def clean(self) -> dict[str, Any]:
        answers: dict[str, Any] = super().clean() or {}
        if self.has_changed():
            for name, ask in (
                ("practice", "Write the number of the practice."),
                ("what", "Say what is done."),
                ("every_months", "Say how often, in months."),
                ("by_whom", "Say by whom."),
            ):
                if name in answers and not answers[name]:
                    self.add_error(name, ask)
            no_social_security(self)
        return answers


class ScheduleRows(RowsFormSet[TaskRow]):
    """The upkeep of all practices, row by row."""


ScheduleSet: type[Any] = forms.formset_factory(
    TaskRow, formset=ScheduleRows, extra=1, max_num=MOST_TASKS, absolute_max=MOST_TASKS
)


class PracticesForm(forms.Form):
    """The map, and two tables: practices, and what is done at them."""

    photos = MapField()

    def __init__(
        self, data: Any = None, *, practices: Sequence[Practice] = (), more: bool = False
    ) -> None:
        super().__init__(data)
        self.more = more
        if data is not None and "practice-TOTAL_FORMS" in data:
            self.rows: StayingRows = StayingSet(data, prefix="practice")
            self.tasks: ScheduleRows = ScheduleSet(data, prefix="task")
        else:
            self.rows = StayingSet(prefix="practice", initial=_initial(practices))
            self.tasks = ScheduleSet(prefix="task", initial=_initial_tasks(practices))

    @classmethod
    def of(cls, data: Any, agreement: MaintenanceAgreement) -> PracticesForm:
        """Return the form with what the draft says."""
        return cls(data, practices=copy_of(agreement))

    def add_rows(self) -> None:
        """Show the rows as they were typed, unjudged, and empty ones after them."""
        self._errors = forms.utils.ErrorDict()
        self.rows = StayingSet(prefix="practice", initial=typed_rows(self.rows))
        self.tasks = ScheduleSet(prefix="task", initial=typed_rows(self.tasks))

    def is_valid(self) -> bool:
        """Whether everything can be taken, row by row."""
        found = [super().is_valid(), self.rows.is_valid(), self.tasks.is_valid()]
        if not all(found):
            return False
        for row in self.tasks.forms:
            number = row.cleaned_data.get("practice")
            if row.has_changed() and int(number or 0) not in self._numbers():
                row.add_error("practice", "There is no practice with this number above.")
        return all(not row.errors for row in self.tasks.forms)

    def _numbers(self) -> dict[int, PracticeRow]:
        rows = enumerate(self.rows.forms, start=1)
        return {number: row for number, row in rows if row.has_changed()}

    def practices(self) -> list[Practice]:
        """Return the practices with their upkeep."""
        tasks: dict[int, list[Task]] = {}
        for answers in self.tasks.filled():
            task = Task(
                what=answers["what"],
                every_months=int(answers["every_months"]),
                by_whom=answers["by_whom"],
                first_due_on=answers["first_due_on"],
            )
            tasks.setdefault(int(answers["practice"]), []).append(task)
        return [
            _with_tasks(practice_of(row.cleaned_data), tasks.get(number, []))
            for number, row in self._numbers().items()
        ]


def _with_tasks(answers: dict[str, Any], tasks: list[Task]) -> Practice:
    known = DEVICES_BY_KEY.get(answers["device"])
    return Practice(**answers, standard=known.standard if known else "", tasks=tasks)


def _initial(practices: Sequence[Practice]) -> list[dict[str, Any]]:
    names = ("device", "name", "place", "drainage_area", "drainage_acres")
    return [{name: getattr(each, name) for name in names} for each in practices]


def _initial_tasks(practices: Sequence[Practice]) -> list[dict[str, Any]]:
    return [
        {
            "practice": Decimal(number),
            "what": task.what,
            "every_months": Decimal(task.every_months),
            "by_whom": task.by_whom,
            "first_due_on": task.first_due_on,
        }
        for number, each in enumerate(practices, start=1)
        for task in each.tasks
    ]
