"""Where the pages of an application lead, and who may open them."""

from __future__ import annotations

from typing import Any, cast
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import NoReverseMatch, reverse

from permits import access
from permits.models import Application, Site
from portal.models import User

__all__ = ["case_url", "own_application", "receipt_url", "see_other", "signed_in", "to_case", "way"]


def see_other(url: str) -> HttpResponseRedirect:
    """Answer a form that was taken: the next page is another one, read with GET."""
    response = HttpResponseRedirect(url)
    response.status_code = 303
    return response


def way(*names: str, args: tuple[Any, ...] = ()) -> str:
    """Return the address of the first of these pages that the portal has."""
    for name in names:
        try:
            return reverse(name, args=args)
        except NoReverseMatch:
            continue
    return "/"


def signed_in(request: HttpRequest) -> User:
    """Return the person who is signed in; the page asks for sign-in before."""
    return cast(User, request.user)


def own_application(request: HttpRequest, key: UUID) -> Application:
    """Return the application if the person holds its case; a stranger gets 404."""
    application = get_object_or_404(
        Application.objects.select_related("site", "applicant"),
        key=key,
        site__in=Site.objects.visible_to(request.user),
    )
    if not access.may_edit(request.user, application):
        raise Http404
    return application


def case_url(application: Application) -> str:
    """Return the page of the case."""
    return application.get_absolute_url()


def receipt_url(application: Application) -> str:
    """Return the receipt: the number, the date, what comes next."""
    return reverse("receipt", args=[application.key])


def to_case(request: HttpRequest, application: Application, sentence: str) -> HttpResponse:
    """Lead to the case page and say why."""
    messages.info(request, sentence)
    return see_other(case_url(application))
