"""Ending an application, and handing the case to another person; both are on record."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from permits import access, acts, handover
from permits.forms.sign import HandOverForm, WithdrawForm
from permits.models import Application, HandOver, NotNow
from permits.views.ways import case_url, own_application, see_other, signed_in, to_case
from portal import clock, drafts, operations

__all__ = ["hand_over", "hand_over_accept", "hand_over_recall", "withdraw"]

WITHDRAWN = Application.Status.WITHDRAWN


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, key: UUID) -> HttpResponse:
    """Say what withdrawing does, and do it when that is confirmed."""
    application = own_application(request, key)
    if request.method == "POST":
        return _withdraw(request, application)
    if WITHDRAWN not in application.NEXT[Application.Status(application.status)]:
        return to_case(request, application, application.why_not(WITHDRAWN))
    return _withdraw_page(request, application, WithdrawForm(drafts.data_for(request)))


def _withdraw(request: HttpRequest, application: Application) -> HttpResponse:
    form = WithdrawForm(request.POST)
    if not form.is_valid():
        return _withdraw_page(request, application, form)
    name = application.number or "The draft"

    def run() -> str:
        acts.withdraw(
            application,
            by=signed_in(request),
            on=clock.today(),
            reason=form.cleaned_data["reason"],
        )
        messages.success(request, f"{name} is withdrawn. It stays on record.")
        return case_url(application) if application.number else reverse("home")

    try:
        return see_other(operations.perform(request, f"withdraw {application.key}", run))
    except (NotNow, operations.TokenReused) as refused:
        application.refresh_from_db()
        if application.status == WITHDRAWN:
            return to_case(request, application, "This application was withdrawn already.")
        sentence = getattr(refused, "sentence", "")
        return _withdraw_page(request, application, form, refused=sentence, status=409)


def _withdraw_page(
    request: HttpRequest,
    application: Application,
    form: WithdrawForm,
    *,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "application": application,
        "site": application.site,
        "form": form,
        "refused": refused,
        "deadline": application.decision_deadline(),
        "operation": request.POST.get(operations.FIELD) or operations.new_token(),
    }
    return render(request, "apply/withdraw.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def hand_over(request: HttpRequest, key: UUID) -> HttpResponse:
    """Offer the case to another person, by their e-mail address."""
    application = own_application(request, key)
    if application.status == WITHDRAWN:
        return to_case(request, application, application.why_not(WITHDRAWN))
    form = HandOverForm(drafts.data_for(request))
    if request.method != "POST" or not form.is_valid():
        return _offer_page(request, application, form)

    def run() -> str:
        email = form.cleaned_data["email"]
        handover.offer(application, by=signed_in(request), email=email, on=clock.today())
        messages.success(request, f"The case is offered to {email}. You hold it until they accept.")
        return reverse("hand_over", args=[application.key])

    try:
        return see_other(operations.perform(request, f"hand over {application.key}", run))
    except NotNow as refused:
        return _offer_page(request, application, form, refused=refused.sentence, status=409)
    except operations.TokenReused as reused:
        return see_other(str(reused))


def _offer_page(
    request: HttpRequest,
    application: Application,
    form: HandOverForm,
    *,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    offers = application.handovers.filter(accepted_at__isnull=True, recalled_at__isnull=True)
    held = handover.why_held(application, on=clock.today())
    context = {
        "held": held,
        "application": application,
        "site": application.site,
        "form": form,
        "offer": offers.first(),
        "refused": refused,
        "operation": request.POST.get(operations.FIELD) or operations.new_token(),
    }
    return render(request, "apply/hand_over.html", context, status=status)


@login_required
@require_http_methods(["POST"])
def hand_over_recall(request: HttpRequest, key: UUID) -> HttpResponse:
    """Take an offer back before it is accepted."""
    offer = get_object_or_404(HandOver.objects.select_related("application"), key=key)
    application = own_application(request, offer.application.key)

    def run() -> str:
        handover.recall(offer, by=signed_in(request), on=clock.today())
        messages.success(request, f"The offer to {offer.email} is taken back.")
        return reverse("hand_over", args=[application.key])

    try:
        return see_other(operations.perform(request, f"recall {offer.key}", run))
    except NotNow as refused:
        messages.info(request, refused.sentence)
    except operations.TokenReused:
        pass
    return see_other(reverse("hand_over", args=[application.key]))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def hand_over_accept(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show what is offered, and take the case over when that is confirmed."""
    user = signed_in(request)
    offer = handover.offers_to(user).filter(key=key).first()
    if not access.may_apply(user):
        raise Http404
    if offer is None:
        return _no_offer(request, key)
    if request.method != "POST":
        context = {
            "offer": offer,
            "held": handover.why_held(offer.application, on=clock.today()),
            "application": offer.application,
            "site": offer.application.site,
            "operation": operations.new_token(),
        }
        return render(request, "apply/accept.html", context)

    def run() -> str:
        handover.accept(offer, by=user, on=clock.today())
        messages.success(request, "You hold this case now.")
        return case_url(offer.application)

    try:
        return see_other(operations.perform(request, f"accept {offer.key}", run))
    except NotNow as refused:
        if not handover.offers_to(user).filter(key=key).exists():
            return _no_offer(request, key)
        messages.warning(request, refused.sentence)
        return see_other(reverse("home"))
    except operations.TokenReused:
        return _no_offer(request, key)


def _no_offer(request: HttpRequest, key: UUID) -> HttpResponse:
    """Lead whoever accepted this offer to the case; to anybody else it does not exist."""
    accepted = HandOver.objects.filter(
        key=key, accepted_at__isnull=False, application__applicant=signed_in(request)
    ).select_related("application__site")
    offer = accepted.first()
    if offer is None:
        raise Http404
    return see_other(case_url(offer.application))
