"""What the pages of an act on records have in common."""

from __future__ import annotations

from typing import Any, ClassVar

from inspections.views.acting import ActView
from portal.desk.records import access
from portal.desk.records.ways import tabs

__all__ = ["RecordsAct"]


class RecordsAct(ActView):
    """An act on a request, a hold or a list: asked, shown, done once.

    The pages of all acts share two templates; the act says its title and what will happen.
    """

    template: ClassVar[str] = "records/act.html"
    confirm_template: ClassVar[str] = "records/confirm.html"
    title: ClassVar[str] = ""
    lede: ClassVar[str] = ""
    go_on: ClassVar[str] = "Go on: see what will happen"
    button: ClassVar[str] = "Record it"
    final: ClassVar[bool] = False
    site: Any = None

    def may(self) -> bool:
        return access.may_keep_records(self.user)

    def back(self) -> str:
        """Return the page to which a person goes back."""
        raise NotImplementedError

    def name(self) -> str:
        """Return what the act is about, as its heading says it."""
        return self.title

    def context(self) -> dict[str, Any]:
        return {
            "tabs": tabs(self.request.path),
            "title": self.name(),
            "lede": self.lede,
            "go_on": self.go_on,
            "button": self.button,
            "final": self.final,
            "back": self.back(),
        }

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return {"will_happen": self.will_happen(form)}

    def will_happen(self, form: Any) -> list[str]:
        """Say what the act does, in sentences."""
        return []
