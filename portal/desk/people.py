"""The accounts of those who work for the city, kept by the administrator; none is deleted."""

from __future__ import annotations

import logging
from typing import Any

from allauth.account.forms import ResetPasswordForm
from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from permits import access
from permits.forms.fields import EmailLine, Line
from permits.views.doors import only, who
from portal import drafts
from portal.accounts import mark_verified, one_line
from portal.models import STAFF_ROLES, Role, User
from portal.models.accounts import role_title

from .acting import act_once, token_of

__all__ = ["people", "person", "person_add"]

logger = logging.getLogger(__name__)


def roles() -> list[tuple[str, str]]:
    """Return the roles of those who work for the city, by the titles the city gives them."""
    return [(role.value, role_title(role)) for role in Role if role in STAFF_ROLES]


@only(access.may_manage_accounts)
@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """List everybody who works for the city, or did."""
    staff = User.objects.filter(role__in=STAFF_ROLES).order_by("-is_active", "name", "email")
    return render(request, "desk/people.html", {"people": staff})


class PersonForm(forms.Form):
    """A new account: name, address, role."""

    name = Line(label="Name", max_length=200, help_text="As it should stand in the record.")
    email = EmailLine(
        label="E-mail address", help_text="A link to set a password is sent there at once."
    )
    role = forms.ChoiceField(label="Role", choices=lambda: [("", "Choose one"), *roles()])

    def clean_name(self) -> str:
        """Keep the name on one line."""
        return one_line(self.cleaned_data["name"])

    def clean_email(self) -> str:
        """Refuse an address that has an account: an applicant's cases must stay apart."""
        email = str(self.cleaned_data["email"]).lower()
        known = User.objects.filter(email=email).first()
        if known is None:
            return email
        if known.is_city_staff:
            raise forms.ValidationError("This address has a staff account already.")
        raise forms.ValidationError(
            "This is the address of an applicant's account. Whoever works for the city uses "
            "another address for it."
        )


class RoleForm(forms.Form):
    """Another role for an account."""

    role = forms.ChoiceField(label="Role", choices=roles)


@only(access.may_manage_accounts)
@require_http_methods(["GET", "HEAD", "POST"])
def person_add(request: HttpRequest) -> HttpResponse:
    """Make an account for somebody who works for the city."""
    form = PersonForm(drafts.data_for(request))
    if request.method == "POST" and form.is_valid():
        return act_once(request, "person.add", lambda: add(request, form.cleaned_data))
    context = {"form": form, "operation": token_of(request)}
    return render(request, "desk/person_add.html", context)


def add(request: HttpRequest, answers: dict[str, Any]) -> str:
    """Make the account and send its holder the link to set a password."""
    user = User.objects.create_user(answers["email"], name=answers["name"], role=answers["role"])
    mark_verified(user)
    logger.info("An account was made", extra=note(request, user) | {"role": user.role})
    transaction.on_commit(lambda: send_link(request, user))
    messages.success(request, f"{user} can sign in once the password is set by the link sent now.")
    return reverse("people")


@only(access.may_manage_accounts)
@require_http_methods(["GET", "HEAD", "POST"])
def person(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a role, close or open an account, send its link again."""
    user = get_object_or_404(User, pk=pk, role__in=STAFF_ROLES)
    form = RoleForm(request.POST if "role" in request.POST else None, initial={"role": user.role})
    if request.method == "POST":
        if user.pk == who(request).pk or (user.is_superuser and not who(request).is_superuser):
            raise Http404  # nobody can lock the last administrator out
        if (act := ACTS.get(request.POST.get("act", ""))) and act(request, user, form):
            return HttpResponseRedirect(reverse("people"))
    context = {"person": user, "form": form, "is_self": user.pk == who(request).pk}
    return render(request, "desk/person.html", context)


def change_role(request: HttpRequest, user: User, form: RoleForm) -> bool:
    """Give an account another role; it holds from the next page on."""
    if not form.is_valid():
        return False
    before, user.role = user.role, form.cleaned_data["role"]
    user.save(update_fields=["role"])
    extra = note(request, user) | {"before": before, "role": user.role}
    logger.info("A role was changed", extra=extra)
    messages.success(request, f"{user} is {user.get_role_display().lower()} from now on.")
    return True


def close(request: HttpRequest, user: User, form: RoleForm) -> bool:
    """Close an account: its sessions end, its password and its calendar link open nothing."""
    user.is_active = False
    user.set_unusable_password()  # a session is tied to the password, so it cannot come back
    user.save(update_fields=["is_active", "password"])
    logger.info("An account was closed", extra=note(request, user))
    messages.success(request, f"The account of {user} is closed. What {user} did stays on record.")
    return True


def reopen(request: HttpRequest, user: User, form: RoleForm) -> bool:
    """Open a closed account again; its holder sets a new password."""
    user.is_active = True
    user.save(update_fields=["is_active"])
    logger.info("An account was opened again", extra=note(request, user))
    send_link(request, user)
    messages.success(
        request, f"The account of {user} is open again; a link to set a password is sent."
    )
    return True


def link(request: HttpRequest, user: User, form: RoleForm) -> bool:
    """Send the link to set a password again."""
    if not user.is_active:
        return False
    send_link(request, user)
    messages.success(request, f"A link to set a password is sent to {user.email}.")
    return True


ACTS = {"role": change_role, "close": close, "reopen": reopen, "link": link}


def send_link(request: HttpRequest, user: User) -> None:
    """Send the same link that somebody gets who forgot the password."""
    form = ResetPasswordForm(data={"email": user.email})
    if form.is_valid():
        form.save(request)


def note(request: HttpRequest, user: User) -> dict[str, Any]:
    """Return who did it to whom, for the log."""
    return {"by": who(request).pk, "person": user.pk}
