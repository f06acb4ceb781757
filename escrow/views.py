"""The clerk's counter for escrow: posting it whole, and reversing an error in time."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_safe

from escrow import acts
from escrow.forms import SCAN_NAME, PostForm
from escrow.models import Instrument
from permits import access
from permits.forms.review import ReasonForm
from permits.models import CasePaper, NotNow, Permit
from permits.people import notice_parties
from permits.views.casework import ActView, find_application
from portal import clock
from portal.uploads.collect import Collected, collect
from portal.uploads.complete import whole_form_required

__all__ = ["PostEscrow", "ReverseEscrow", "how"]


@login_required
@require_safe
def how(request: HttpRequest, key: UUID) -> HttpResponse:
    """Say to whoever may see the case what to post, in which form, where, and what follows."""
    application = find_application(request, key)
    found = Permit.objects.select_related("grant").filter(application=application)
    context = {
        "application": application,
        "site": application.site,
        "permit": found.exclude(status=Permit.Status.WITHDRAWN).first(),
    }
    return render(request, "escrow/how.html", context)


class EscrowView(ActView):
    """What posting and reversing have in common."""

    def may(self, user: Any) -> bool:
        return access.may_post_escrow(user)

    def permit(self) -> Permit | None:
        """The permit of the application, once it is granted."""
        return Permit.objects.select_related("site").filter(application=self.application).first()

    def get_permit(self) -> Permit:
        """Return the permit; raises NotNow while the application is not granted."""
        permit = self.permit()
        if permit is None:
            raise NotNow("No escrow is due: the application is not granted.")
        return permit

    def standing(self, permit: Permit | None) -> list[Instrument]:
        """The instruments that are posted and not reversed."""
        if permit is None:
            return []
        found = permit.instruments.exclude(entries__kind="reversed")  # type: ignore[attr-defined]
        return list(found.select_related("scan", "posted_by"))

    def context(self) -> dict[str, Any]:
        permit = self.permit()
        instruments = self.standing(permit)
        papers = CasePaper.objects.select_related("document")
        return {
            "permit": permit,
            "instruments": instruments,
            "total": sum((item.amount for item in instruments), Decimal("0.00")),
            "is_posted": permit is not None and permit.escrow_posted_on is not None,
            "receipt": papers.filter(
                application=self.application, kind=CasePaper.Kind.ESCROW_RECEIPT
            ).last(),
        }


@method_decorator(whole_form_required, name="post")
class PostEscrow(EscrowView):
    """The clerk posts what was handed in; a cent short is refused. Former § 17.19(4)(c)"""

    act = "post escrow"
    template = "escrow/post.html"
    confirm_template = "escrow/post_confirm.html"
    done_message = "The escrow for {} is posted. The parties are told."

    def make_form(self, data: Any) -> PostForm | None:  # type: ignore[override]
        """Return the form with the scans that came with it; none before there is a permit."""
        permit = self.permit()
        if permit is None:
            return None
        scans = self.collect_scans()
        if data is not None and scans:
            data = data.copy()
            for name, collected in scans.items():
                for upload in collected.stored:
                    data[f"{name}_key"] = str(upload.key)
        return PostForm(data, permit=permit, user=self.user, scans=scans)

    def collect_scans(self) -> dict[str, Collected]:
        """Store each scan that was sent, so that a mistake elsewhere does not lose it."""
        sent = filter(SCAN_NAME.fullmatch, self.request.FILES)
        return {name: collect(self.request, name, by=self.user) for name in sent}

    def why_not(self) -> NotNow | None:
        permit = self.permit()
        if permit is None:
            return NotNow("No escrow is due: the application is not granted.")
        if permit.status != Permit.Status.AWAITING_ESCROW or permit.escrow_posted_on is not None:
            return NotNow("The escrow of this permit is posted already, or no longer needed.")
        return None

    def is_valid(self, form: Any) -> bool:
        return form is not None and form.is_valid()

    def with_another_row(self, form: Any) -> Any:
        if form is not None:
            form.add_row()
        return form

    def confirm_context(self, form: Any) -> dict[str, Any]:
        permit, offered = self.get_permit(), form.instruments()
        total = sum((item.amount for item in offered), Decimal("0.00"))
        return {
            "permit": permit,
            "offered": offered,
            "total": total,
            "excess": total - permit.escrow_amount,
            "good_until": acts.good_until(permit, offered),
            "recipients": notice_parties(self.application),
        }

    def run(self, form: Any) -> str:
        acts.post(self.get_permit(), form.instruments(), by=self.user, on=clock.today())
        return reverse("escrow_post", args=[self.application.key])


class ReverseEscrow(EscrowView):
    """The clerk reverses a posting entered in error, before the permit is issued."""

    act = "reverse escrow"
    template = "escrow/reverse.html"
    confirm_template = "escrow/reverse_confirm.html"
    done_message = "The posting for {} is reversed. The parties are told."

    def make_form(self, data: Any) -> ReasonForm:
        return ReasonForm(data)

    def why_not(self) -> NotNow | None:
        permit = self.permit()
        waiting = permit is not None and permit.status == Permit.Status.AWAITING_ESCROW
        if permit is not None and waiting and permit.escrow_posted_on is not None:
            return None
        return NotNow("Only escrow posted for a permit that is not issued can be reversed.")

    def confirm_context(self, form: Any) -> dict[str, Any]:
        return {**self.context(), "recipients": notice_parties(self.application)}

    def run(self, form: Any) -> str:
        reason = form.cleaned_data["reason"]
        acts.reverse(self.get_permit(), by=self.user, on=clock.today(), reason=reason)
        return reverse("escrow_post", args=[self.application.key])
