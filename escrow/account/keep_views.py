"""The clerk renews and replaces instruments, and records whose they are."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.decorators import method_decorator

from escrow.forms import SCAN_NAME
from permits.models import NotNow
from permits.people import notice_parties
from portal import clock
from portal.uploads.collect import collect
from portal.uploads.complete import whole_form_required

from . import keeping
from .held import asked_whose
from .keep_forms import OwnerForm, RenewForm, ReplaceForm, held_of
from .views import AccountAct

__all__ = ["NameOwner", "Renew", "Replace"]


class Renew(AccountAct):
    """Record a renewal by the bank or surety."""

    act = "renew an instrument"
    template = "escrow/renew.html"
    confirm_template = "escrow/renew_confirm.html"
    done_message = "The renewal for {} is recorded. The parties are told."

    def make_form(self, data: Any) -> RenewForm:
        return RenewForm(data, permit=self.permit, on=clock.today())

    def why_not(self) -> NotNow | None:
        if held_of(self.permit, on=clock.today(), promised=True):
            return None
        return NotNow("No bond or letter of credit is held for this permit.")

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return self.context() | {"recipients": notice_parties(self.application)}

    def run(self, form: forms.Form) -> str:
        answers = form.cleaned_data
        keeping.renew(
            answers["instrument"],
            expires_on=answers["expires_on"],
            number=answers["number"],
            note=answers["note"],
            by=self.user,
            on=clock.today(),
        )
        return self.account_url()


@method_decorator(whole_form_required, name="dispatch")
class Replace(AccountAct):
    """Post a new instrument in the place of an old one, in one act."""

    act = "replace an instrument"
    template = "escrow/replace.html"
    confirm_template = "escrow/replace_confirm.html"
    done_message = "The replacement for {} is recorded. The parties are told."

    def make_form(self, data: Any) -> ReplaceForm:
        """Return the form with the scan that came with it, which is kept whatever else is wrong."""
        sent = filter(SCAN_NAME.fullmatch, self.request.FILES)
        scans = {name: collect(self.request, name, by=self.user) for name in sent}
        if data is not None and scans:
            data = data.copy()
            for name, collected in scans.items():
                for upload in collected.stored:
                    data[f"{name}_key"] = str(upload.key)
        return ReplaceForm(data, permit=self.permit, on=clock.today(), user=self.user, scans=scans)

    def why_not(self) -> NotNow | None:
        if held_of(self.permit, on=clock.today()):
            return None
        return NotNow("Nothing is held for this permit that could be replaced.")

    def confirm_context(self, form: Any) -> dict[str, Any]:
        old = form.cleaned_data["old"]
        return self.context() | {
            "old": form.held[old],
            "new": form.instrument(),
            "recipients": notice_parties(self.application),
        }

    def run(self, form: forms.Form) -> str:
        assert isinstance(form, ReplaceForm)
        old = form.cleaned_data["old"]
        keeping.replace(old, form.instrument(), by=self.user, on=clock.today())
        return self.account_url()


class NameOwner(AccountAct):
    """Record whose an instrument is; asked after a hand-over, never guessed."""

    act = "say whose the escrow is"
    template = "escrow/owner.html"
    confirm_template = "escrow/owner_confirm.html"
    done_message = "The owner of the escrow for {} is recorded."

    def make_form(self, data: Any) -> OwnerForm:
        return OwnerForm(data, permit=self.permit, on=clock.today())

    def why_not(self) -> NotNow | None:
        if held_of(self.permit, on=clock.today()):
            return None
        return NotNow("Nothing is held for this permit.")

    def context(self) -> dict[str, Any]:
        shared = super().context()
        return shared | {"whose": asked_whose(self.permit, shared["held"])}

    def run(self, form: forms.Form) -> str:
        answers = form.cleaned_data
        keeping.name_owner(
            answers["instrument"],
            name=answers["name"],
            address=answers["address"],
            why=answers["why"],
            by=self.user,
            on=clock.today(),
        )
        return self.account_url()
