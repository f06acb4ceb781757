"""What becomes of an agreement: sent, signed, recorded, corrected, withdrawn; the land sold."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from permits.models import AgreementStatus, MaintenanceAgreement, NotNow, Permit
from permits.photos import Photos
from permits.views.site_acts import ActView, site_of
from portal import clock
from portal.formats import long_date
from portal.ordinance import Obstacle

from . import access, acts, drafting, telling
from .act_forms import (
    CorrectForm,
    EnterForm,
    OwnerForm,
    RecordForm,
    RegisterForm,
    SignForm,
    WithdrawForm,
)
from .draft_views import OfAgreement, one_file
from .views import CURES, wanting_permit

__all__ = ["ChangeOwner", "Correct", "Enter", "Record", "Register", "Send", "Sign", "Withdraw"]


class Step(OfAgreement):
    """A step to the next state: asked, shown, done once."""

    template = "agreements/act.html"
    confirm_template = "agreements/act_shown.html"
    leads_to: AgreementStatus
    confirm_heading = ""
    confirm_button = ""

    def why_not(self) -> NotNow | None:
        try:
            self.agreement.demand(self.leads_to)
        except NotNow as refused:
            return refused
        return None

    def will(self, form: Any) -> list[str]:
        """Return what will happen, sentence by sentence."""
        return []

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return {
            "confirm_heading": self.confirm_heading,
            "confirm_button": self.confirm_button,
            "will": self.will(form),
        }

    def people(self) -> str:
        """Return who is told, in words."""
        names = [each.name for each in telling.concerned(self.agreement, on=clock.today())]
        return ", ".join(names) or "nobody: no address is known"


class Send(Step):
    """The draft is fixed, and its paper goes to whoever signs."""

    act = "agreement send"
    heading = "Send it for signature"
    confirm_heading = "Send this for signature?"
    confirm_button = "Send it for signature"
    done_message = "The paper for the register of deeds is made, and whoever signs is told."
    leads_to = AgreementStatus.SENT_FOR_SIGNATURE
    lede = (
        "The paper is made as the register of deeds must have it. What it says is fixed then; a "
        "change would take another draft."
    )

    def make_form(self, data: Any) -> forms.Form:
        return forms.Form(data)

    def why_not(self) -> NotNow | None:
        if refused := super().why_not():
            return refused
        found = self.agreement.obstacles_to_send(on=clock.today())
        return NotNow("The draft cannot be sent for signature yet.", found) if found else None

    def cure_of(self, obstacle: Obstacle) -> str:
        name = CURES.get(obstacle.cure, "")
        return reverse(name, args=[self.agreement.key]) if name else ""

    def will(self, form: Any) -> list[str]:
        return [
            "What the instrument says is fixed from now on.",
            "Its paper is made once, in black on white, laid out for the register of deeds.",
            f"It goes to: {self.people()}.",
            "Each owner signs before a notary. The city then records the signatures here.",
        ]

    def run(self, form: Any) -> str:
        acts.send_for_signature(self.agreement, by=self.user, on=clock.today())
        return self.agreement.get_absolute_url()


class WithScan(Step):
    """A step that is proven by a scan."""

    takes_photos = True
    needs = "Add the scan: it is the proof."

    def is_valid(self, form: Any) -> bool:
        return super().is_valid(form) and one_file(form, self.photos, needed=self.needs)


class Sign(WithScan):
    """All have signed before a notary; the scan is kept."""

    act = "agreement sign"
    heading = "Record the signatures"
    confirm_heading = "Record these signatures?"
    confirm_button = "Record the signatures"
    done_message = "The signatures are on record. Send the original to the register of deeds."
    leads_to = AgreementStatus.SIGNED
    lede = "Owner, spouse where there is one, responsible party and city have signed and dated it."

    def make_form(self, data: Any) -> SignForm:
        return SignForm(data, sent_on=self.agreement.sent_for_signature_on)

    def will(self, form: Any) -> list[str]:
        day = long_date(form.cleaned_data["signed_on"])
        return [f"It is on record as signed on {day}; the day is not changed afterward."]

    def run(self, form: Any) -> str:
        acts.sign(
            self.agreement,
            by=self.user,
            on=clock.today(),
            signed_on=form.cleaned_data["signed_on"],
            scan=self.photos.uploads[-1],
        )
        return self.agreement.get_absolute_url()


class Register(Step):
    """The signed original went to the register of deeds."""

    act = "agreement register"
    heading = "Record that it went to the register"
    confirm_heading = "Record that it went to the register?"
    confirm_button = "Record it"
    done_message = "It is on record. Enter the document number when the original comes back."
    leads_to = AgreementStatus.SENT_TO_REGISTER
    lede = "The register takes $30 for each instrument, in advance (Wis. Stat. § 59.43(2)(ag)1)."

    def make_form(self, data: Any) -> RegisterForm:
        return RegisterForm(data, signed_on=self.agreement.signed_on)

    def will(self, form: Any) -> list[str]:
        day = long_date(form.cleaned_data["sent_on"])
        return [f"It is on record that the original went to the register on {day}."]

    def run(self, form: Any) -> str:
        acts.send_to_register(
            self.agreement,
            by=self.user,
            on=clock.today(),
            sent_on=form.cleaned_data["sent_on"],
        )
        return self.agreement.get_absolute_url()


class Record(WithScan):
    """The register recorded it: number, day, county and scan. It is complete."""

    act = "agreement record"
    heading = "Record the document number"
    confirm_heading = "Record this document?"
    confirm_button = "Record the document"
    done_message = "It is recorded and complete. Everybody concerned is told."
    leads_to = AgreementStatus.RECORDED
    lede = "Until it is recorded, it does not bind whoever buys the land in good faith."

    def make_form(self, data: Any) -> RecordForm:
        return RecordForm(data, signed_on=self.agreement.signed_on)

    def will(self, form: Any) -> list[str]:
        told = form.cleaned_data
        day = long_date(told["recorded_on"])
        found = [f"Document {told['document_number']}, {told['county']}, recorded on {day}."]
        before = self.agreement.before
        if before is not None:
            found.append(f"{before.number}, document {before.document_number}, ends that day.")
        if self.agreement.kind != self.agreement.Kind.RELEASE:
            found.append("It binds the land and each later owner; its schedule begins to run.")
        return [*found, f"This goes to: {self.people()}."]

    def run(self, form: Any) -> str:
        acts.record(
            self.agreement,
            by=self.user,
            on=clock.today(),
            scan=self.photos.uploads[-1],
            **form.answers(),
        )
        return self.agreement.get_absolute_url()


class Correct(Step):
    """What was entered of a recording is put right; the entry before stays beside it."""

    act = "agreement correct"
    heading = "Correct the recording"
    confirm_heading = "Correct it so?"
    confirm_button = "Correct it"
    done_message = "It is corrected. The entry before stays on record."
    takes_photos = True
    lede = "The entry before is kept, with who made it; this one stands from now on."

    def make_form(self, data: Any) -> CorrectForm:
        return CorrectForm(data, agreement=self.agreement)

    def why_not(self) -> NotNow | None:
        if self.agreement.recorded_on is not None:
            return None
        return NotNow(f"{self.agreement.number} is not recorded: there is nothing to correct.")

    def is_valid(self, form: Any) -> bool:
        return super().is_valid(form) and one_file(form, self.photos)

    def will(self, form: Any) -> list[str]:
        own, told = self.agreement, form.cleaned_data
        return [
            f"Until now: document {own.document_number}, {own.county}, "
            f"{long_date(own.recorded_on)}.",
            f"From now on: document {told['document_number']}, {told['county']}, "
            f"{long_date(told['recorded_on'])}.",
        ]

    def run(self, form: Any) -> str:
        acts.correct_recording(
            self.agreement,
            by=self.user,
            on=clock.today(),
            reason=form.cleaned_data["reason"],
            scan=self.photos.uploads[-1] if self.photos.uploads else None,
            **form.answers(),
        )
        return self.agreement.get_absolute_url()


class Withdraw(Step):
    """An instrument is given up before it is recorded."""

    act = "agreement withdraw"
    heading = "Withdraw it"
    confirm_heading = "Withdraw this?"
    confirm_button = "Withdraw it"
    done_message = "It is withdrawn. Another one can be drafted; it begins with the same words."
    leads_to = AgreementStatus.WITHDRAWN
    lede = "It stays on record as withdrawn. Nobody signs or records it any more."

    def make_form(self, data: Any) -> WithdrawForm:
        return WithdrawForm(data)

    def will(self, form: Any) -> list[str]:
        found = ["It cannot be taken up again; another one may be drafted in its place."]
        if self.agreement.sent_for_signature_on is not None:
            found.append(f"Why it is withdrawn goes to: {self.people()}.")
        return found

    def run(self, form: Any) -> str:
        acts.withdraw(
            self.agreement,
            by=self.user,
            on=clock.today(),
            reason=form.cleaned_data["reason"],
        )
        return self.agreement.get_absolute_url()


class OfSite(ActView):
    """What the acts on the land have in common."""

    permit: Permit | None

    def find(self, key: Any) -> None:
        self.site = site_of(self.request, key)
        self.permit = wanting_permit(self.site)

    def may(self) -> bool:
        return access.may_keep(self.user)

    def subject(self) -> str:
        return self.site.number

    def page_of_case(self) -> str:
        return reverse("agreements_of_case", args=[self.site.number])


class Enter(OfSite):
    """An agreement that was recorded outside of the portal is entered as it stands."""

    act = "agreement enter"
    template = "agreements/enter.html"
    confirm_template = "agreements/enter_shown.html"
    takes_photos = True
    done_message = "The recorded agreement is entered. It counts from the day of its recording."

    def make_form(self, data: Any) -> EnterForm:
        practices = drafting.from_grant(self.permit) if self.permit else []
        return EnterForm(data, practices=practices)

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if request.POST.get("step") == "add":
            self.photos = Photos()
            form = self.make_form(request.POST)
            form.add_rows()
            return self.show_form(form)
        return super().post(request, **kwargs)

    def is_valid(self, form: Any) -> bool:
        needs = "Add the scan of the recorded agreement: it is the proof."
        return form.is_valid() and one_file(form, self.photos, needed=needs)

    def why_not(self) -> NotNow | None:
        try:
            drafting.refuse_draft(self.site, permit=self.permit, before=None, on=clock.today())
        except NotNow as refused:
            return refused
        return None

    def context(self) -> dict[str, Any]:
        return {"permit": self.permit, "county": settings.CITY["county"]}

    def confirm_context(self, form: Any) -> dict[str, Any]:
        shown = MaintenanceAgreement(site=self.site, **form.words())
        return {"practices": form.practices(), "party": shown.responsible_party(clock.today())}

    def run(self, form: Any) -> str:
        made = acts.enter_recorded(
            self.site,
            by=self.user,
            on=clock.today(),
            permit=self.permit,
            scan=self.photos.uploads[-1],
            words=form.words(),
            practices=form.practices(),
            **form.register(),
        )
        return made.get_absolute_url()


class ChangeOwner(OfSite):
    """The land was sold: the new owner is told of each agreement that binds it."""

    act = "owner change"
    template = "agreements/owner.html"
    confirm_template = "agreements/owner_shown.html"
    done_message = "The change of owner is on record."

    def make_form(self, data: Any) -> OwnerForm:
        return OwnerForm(data)

    def binding(self) -> list[MaintenanceAgreement]:
        """Return the agreements that bind the land today."""
        rows = MaintenanceAgreement.objects.filter(site=self.site).in_force(clock.today())
        return list(rows.order_by("pk"))

    def context(self) -> dict[str, Any]:
        return {"binding": self.binding()}

    def run(self, form: Any) -> str:
        acts.change_owner(self.site, by=self.user, on=clock.today(), **form.cleaned_data)
        return self.page_of_case()
