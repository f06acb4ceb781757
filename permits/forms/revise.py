"""What the applicant did about each required change of a denial. § 40-886(c)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from permits.forms.base import StepForm
from permits.forms.fields import Paragraph, asked
from permits.models import Application, RequiredChange
from portal.city import worded

__all__ = ["ReviseForm"]


class ReviseForm(StepForm):
    """An answer to each required change, and the revision in a few words."""

    summary_of_changes = Paragraph(
        required=False,
        label="What else changed in the plan?",
        help_text=worded("In a few words, so that the {inspector_short} need not search for it."),
    )

    def __init__(
        self, application: Application, data: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> None:
        revision = application.latest_revision()
        assert revision is not None
        self.revision = revision
        self.changes: list[RequiredChange] = list(revision.changes_to_answer())
        super().__init__(application, data, **kwargs)
        for change in self.changes:
            self.fields[_name(change)] = asked(
                Paragraph(label=f"What was done about required change {change.number}?")
            )
        self.order_fields([*(_name(change) for change in self.changes), "summary_of_changes"])

    def asked(self) -> list[tuple[RequiredChange, Any]]:
        """Return each required change with the field of its answer."""
        return [(change, self[_name(change)]) for change in self.changes]

    def read(self) -> dict[str, Any]:
        """Return the answers as they stand on record."""
        texts = dict(self.revision.answers.values_list("change_id", "text"))
        answers = {_name(change): texts.get(change.pk, "") for change in self.changes}
        return {**answers, "summary_of_changes": self.revision.summary_of_changes}

    def write(self, answers: dict[str, Any]) -> None:
        """Put the answers on record; an emptied one is open again."""
        if "summary_of_changes" in answers:
            self.revision.summary_of_changes = answers["summary_of_changes"]
            self.revision.save(update_fields=["summary_of_changes"])
        for change in self.changes:
            text = answers.get(_name(change))
            if text:
                self.revision.answers.update_or_create(change=change, defaults={"text": text})
            elif text is not None:
                self.revision.answers.filter(change=change).delete()


def _name(change: RequiredChange) -> str:
    return f"answer_{change.number}"
