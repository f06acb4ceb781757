"""A person's own account: name and telephone, and the way to everything else about it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from portal import drafts
from portal.account_forms import DetailsForm
from portal.models import User

__all__ = ["account"]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """Show and change one's own name and telephone number."""
    assert isinstance(request.user, User)
    person = User.objects.get(pk=request.user.pk)  # a copy: a refused name is shown nowhere else
    form = DetailsForm(drafts.data_for(request), instance=person)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Your details are saved.")
        return redirect("account")
    return render(request, "account/details.html", {"form": form})
