"""The form field with which people choose files, several at once."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from portal.models import Upload

from . import limits
from .collect import Collected
from .kinds import ACCEPT_ATTRIBUTE, XLSX


class ManyFiles(forms.FileInput):
    """A file chooser that takes several files and offers only the kinds we take."""

    allow_multiple_selected = True

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__({"accept": ACCEPT_ATTRIBUTE, **(attrs or {})})

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[Any]:
        return list(files.getlist(name)) if hasattr(files, "getlist") else []


class UploadsField(forms.FileField):
    """Files that `collect` has stored already; the form only tells how it went.

        collected = collect(request, "files", by=request.user, existing=application.files())
        form = PlanForm(request.POST)
        form.fields["files"].take(collected, kept=len(existing))

    `cleaned_data["files"]` are the new uploads. They are stored whether or not the form is
    valid: the view attaches `collected.stored` to the draft in either case.
    """

    widget = ManyFiles
    default_error_messages = {
        "none": "Choose at least one file.",
        "not_collected": "The files could not be taken. Choose them again.",
    }

    def __init__(
        self,
        *,
        label: str = "Files",
        help_text: str = "",
        spreadsheets: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(label=label, help_text=help_text or limits.sentence(), **kwargs)
        if spreadsheets:
            accept = [self.widget.attrs["accept"], *XLSX.endings, XLSX.content_type]
            self.widget.attrs["accept"] = ",".join(accept)
        self.collected: Collected | None = None
        self.kept = 0

    def take(self, collected: Collected, *, kept: int = 0) -> None:
        """Tell the field what became of the files, and how many were there before."""
        self.collected, self.kept = collected, kept

    def clean(self, data: Any, initial: Any = None) -> list[Upload]:
        """Return the new uploads; each refused file is an error of its own."""
        if self.collected is None:
            if data:
                raise ValidationError(self.error_messages["not_collected"], "not_collected")
            self.collected = Collected()
        if self.collected.refused:
            raise ValidationError([str(refusal) for refusal in self.collected.refused])
        here = self.kept + len(self.collected.stored) + len(self.collected.repeated)
        if self.required and not here:
            raise ValidationError(self.error_messages["none"], "required")
        return self.collected.stored

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(self.collected or data)
