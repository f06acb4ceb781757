"""Certificates of occupancy: what one does is shown before it is saved."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse

from inspections import access
from inspections.acts import cover as acts
from inspections.forms.cover import CertificateForm
from inspections.photos import Photos
from permits import holds
from permits.models import NotNow
from permits.people import notice_parties
from portal import clock

from .cover import PermitAct, held

__all__ = ["Record"]


class Record(PermitAct):
    """A certificate of occupancy is recorded for one building. Former § 17.19(4)(d)"""

    act = "certificate"
    template = "cover/certificate.html"
    confirm_template = "cover/certificate_shown.html"
    done_message = "The certificate is recorded, and the parties are told."

    def may(self) -> bool:
        return access.may_record_certificate(self.user)

    def why_not(self) -> NotNow | None:
        if why := acts.why_not_certificate(self.permit):
            return NotNow(why)
        return held(self.permit, holds.Act.CERTIFICATE)

    def make_form(self, data: Any) -> CertificateForm:
        return CertificateForm(data, permit=self.permit)

    def context(self) -> dict[str, Any]:
        certificates = list(self.permit.certificates.all())
        for certificate in certificates:
            certificate.permit = self.permit
        return {
            **super().context(),
            "cover": self.permit.permanent_cover_deadline(),
            "certificates": [(each, next(iter(each.clocks()), None)) for each in certificates],
        }

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        step, form = request.POST.get("step", "check"), self.make_form(request.POST)
        self.photos = Photos()
        if step == "confirm":
            return self.do(form)
        form.is_valid()
        form.shown_again()
        if step == "change" or not form.first_is_valid():
            return self.show_form(form)
        if refused := self.why_not():
            return self.show_form(form, refused=refused, status=409)
        return self.show_confirm(form)

    def show_invalid(self, form: Any) -> HttpResponse:
        """Show again where the answer is asked: beside the effect, or before it."""
        return self.show_confirm(form) if form.first_is_valid() else self.show_form(form)

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return {
            "effect": form.effect,
            "building": form.cleaned_data["building"],
            "issued_on": form.cleaned_data["issued_on"],
            "recipients": notice_parties(self.permit.application),
        }

    def run(self, form: Any) -> str:
        acts.record_certificate(self.permit, by=self.user, on=clock.today(), **form.cleaned_data)
        return self.site.get_absolute_url()
