"""Answers put right after filing: before the decision any answer, after it how to reach people.

The record keeps what was said before, what is said now, who changed it and why. § 40-886(b)
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Protocol

from portal.models import User

from .acting import NotNow
from .application_acts import ApplicationActs

if TYPE_CHECKING:
    from .record import CaseEvent


class Corrected(Protocol):
    """One answer that stands on record otherwise than it is corrected to, both in words."""

    @property
    def label(self) -> str: ...
    @property
    def on_record(self) -> str: ...
    @property
    def typed(self) -> str: ...
    @property
    def for_city_only(self) -> bool: ...


class Correction(Protocol):
    """Other answers to what was filed, checked by the form that asked for them."""

    @property
    def of_contacts(self) -> bool: ...
    def is_stale(self) -> bool: ...
    def differences(self) -> Sequence[Corrected]: ...
    def save(self) -> None: ...


class ApplicationCorrections(ApplicationActs):
    """The two acts by which an answer that is on record becomes another one."""

    class Meta:
        abstract = True

    def why_not_correct(self) -> str:
        """Return why the form cannot be corrected now, or nothing while it can."""
        if self.is_correctable():
            return ""
        if self.status == self.Status.DRAFT:
            return "Nothing is filed yet: change the answer itself."
        why = self.why_not(self.Status.UNDER_REVIEW)
        if self.status == self.Status.DENIED:
            return f"{why} The form can be corrected again once a plan revision is filed."
        return f"{why} What was filed is corrected only before the decision."

    def why_not_change_contacts(self) -> str:
        """Return why no changed contact can be taken now, or nothing while it can.

        A telephone number that is answered day and night matters most while land lies open,
        so this goes on after the decision; before it the form itself is corrected.
        """
        if self.status in (self.Status.DENIED, self.Status.GRANTED):
            return ""
        if self.is_correctable():
            return "The city has not decided yet: correct the people of the application itself."
        return self.why_not_correct()

    def correct(self, *, by: User, on: date, correction: Correction, reason: str) -> CaseEvent:
        """Put other answers on record than those filed; the record keeps old, new and why.

        The plan changes by a plan revision, and papers already made stay as they are.
        """
        contacts = correction.of_contacts
        with self.acting():
            if why := self.why_not_change_contacts() if contacts else self.why_not_correct():
                raise NotNow(why)
            if correction.is_stale():
                raise NotNow("These answers were changed after this page was opened.")
            changes = correction.differences()
            if not changes:
                raise NotNow("Nothing is changed: this is what stands on record already.")
            before = {each.key for each in self.obstacles_to_submit(on=on)}
            correction.save()
            new = [each for each in self.obstacles_to_submit(on=on) if each.key not in before]
            self.refuse(new, "The application would lack what it must have.")
            event: CaseEvent = self.site.record(
                "application.corrected",
                by=by,
                on=on,
                section="permit",
                reason=reason,
                facts={
                    "application": self.number,
                    "changes": [
                        {"what": each.label, "from": each.on_record, "to": each.typed}
                        for each in changes
                    ],
                    **({"contacts": True} if contacts else {}),
                },
            )
            return event
