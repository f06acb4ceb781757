"""A site with one form inside the portal's frame, for the tests that speak to a real server."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path

from portal.uploads.check import Refused, check_received
from portal.uploads.complete import whole_form_required


@whole_form_required
def form(request: HttpRequest) -> HttpResponse:
    """Say what arrived; show the form when nothing was sent."""
    if request.method != "POST":
        return render(request, "partials/end_of_form.html")
    said = [f"scale={request.POST.get('scale')}"]
    for file in request.FILES.getlist("files"):
        try:
            check_received(file)
            said.append(f"{file.name}={file.size}")
        except Refused as refused:
            said.append(f"{file.name}: {refused.reason}")
    return HttpResponse("\n".join(said), content_type="text/plain")


urlpatterns = [
    path("test/form/", form),
    path("", form, name="front"),  # what the frame of every page links to
    path("accounts/", include("allauth.urls")),
]
handler400 = "portal.views.errors.bad_request"
