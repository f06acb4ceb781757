"""Signing in: what differs from the accounts package's own behaviour, and why.

Links in e-mails are built from the configured address, never from the request's Host
header. No answer tells whether an address has an account. Nobody can lock another
person out: failed tries are counted per address and network place together.
"""

from __future__ import annotations

import logging
import re
import uuid
from smtplib import SMTPException
from typing import TYPE_CHECKING, Any

from allauth.account.adapter import DefaultAccountAdapter
from django import forms
from django.apps import apps
from django.conf import settings
from django.core.mail import EmailMessage
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.http import url_has_allowed_host_and_scheme

from portal import clock, formats, outbox
from portal.models import Role, User

if TYPE_CHECKING:
    from allauth.account.models import EmailConfirmation

__all__ = [
    "DEMO_PASSWORD",
    "DEMO_PEOPLE",
    "SIGNED_IN_AT",
    "AccountAdapter",
    "SignupDetailsForm",
    "demo_accounts",
    "mark_verified",
    "one_line",
    "public_url",
]

logger = logging.getLogger(__name__)

DEMO_PASSWORD = "siltfence demo"  # noqa: S105 - shown on the demo's own sign-in page
"""The password of every demo account; the accounts exist in the demo city only."""

DEMO_PEOPLE: tuple[tuple[str, str, Role], ...] = (
    ("vang@people.example", "Mai Vang", Role.APPLICANT),
    ("builder@northfield.example", "Tom Reyes, Northfield Builders", Role.APPLICANT),
    ("olson@city.example", "Dana Olson", Role.INSPECTOR),
    ("clerk@city.example", "Ruth Keller", Role.CLERK),
    ("administrator@city.example", "Paul Novak", Role.ADMINISTRATOR),
    ("attorney@city.example", "Irene Castillo", Role.ATTORNEY),
    ("board@city.example", "Samuel Wright", Role.BOARD),
)
"""Who can be signed in as at the demo: e-mail, name, role."""

SIGNED_IN_AT = "signed_in_at"
JUST_NOW = 5 * 60  # seconds
_CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")


def one_line(text: str) -> str:
    """Return the text on one line, so that a name can start no header of a mail."""
    return _CONTROL.sub(" ", text).strip()


def public_url(path: str) -> str:
    """Return the full address of a path under the configured name of the portal."""
    return f"{settings.PUBLIC_URL}{path}"


def mark_verified(user: User) -> None:
    """Record that an account's address is known to be theirs, as for staff and the demo."""
    EmailAddress = apps.get_model("account", "EmailAddress")
    EmailAddress.objects.update_or_create(
        user=user, email=user.email, defaults={"verified": True, "primary": True}
    )


def demo_accounts() -> list[User]:
    """Return the demo's accounts in their order; none outside the demo."""
    if not settings.DEMO:
        return []
    wanted = [email for email, _name, _role in DEMO_PEOPLE]
    found = {user.email: user for user in User.objects.filter(email__in=wanted, is_active=True)}
    return [found[email] for email in wanted if email in found]


class SignupDetailsForm(forms.Form):
    """What a new applicant tells besides address and password; everybody starts as applicant."""

    field_order = ["name", "email", "telephone", "password1", "password2"]

    name = forms.CharField(
        label="Your name",
        max_length=200,
        help_text="As it should stand on letters and permits.",
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    telephone = forms.CharField(
        label="Telephone",
        max_length=40,
        required=False,
        help_text="Only the city sees it.",
        widget=forms.TextInput(attrs={"autocomplete": "tel", "type": "tel"}),
    )

    def clean_name(self) -> str:
        """Keep the name on one line."""
        return one_line(self.cleaned_data["name"])

    def clean_telephone(self) -> str:
        """Keep the number on one line, once it can be called."""
        number = one_line(self.cleaned_data["telephone"])
        if number and not formats.can_be_called(number):
            raise forms.ValidationError(formats.ASK_FOR_TELEPHONE)
        return number

    def signup(self, request: HttpRequest, user: User) -> None:
        """Save name and telephone; the role is the applicant's, whatever was sent."""
        user.name = self.cleaned_data["name"]
        user.telephone = self.cleaned_data["telephone"]
        user.role = Role.APPLICANT
        user.save(update_fields=["name", "telephone", "role"])


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """The city's way with accounts."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "account_inactive": "This account is closed. Call us to have it opened again.",
        "cannot_remove_primary_email": "This is the address we write to. Choose another one first.",
        "duplicate_email": "This address is already on your account.",
        "email_password_mismatch": "The e-mail address or the password is not right.",
        "enter_current_password": "This is not your present password.",
        "incorrect_password": "This is not your password.",
        "invalid_password_reset": "This link no longer works. Ask for a new one.",
        "rate_limited": "Too many tries in a short time. Wait a few minutes and try again.",
        "too_many_login_attempts": (
            "Too many tries in a short time. Wait a quarter of an hour and try again, "
            "or ask for a new password."
        ),
        "unverified_primary_email": "Confirm this address first: open the link we sent to it.",
    }

    # Where people go --------------------------------------------------------------------

    def is_safe_url(self, url: str | None) -> bool:
        """Allow only paths of this portal as the next page."""
        return url_has_allowed_host_and_scheme(url or "", allowed_hosts=None)

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Lead to the person's own first page."""
        try:
            return reverse("home")
        except NoReverseMatch:
            return reverse("front")

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Build the reset link from the configured address."""
        uid, _, token = key.partition("-")
        path = reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": token})
        return public_url(path)

    def get_email_confirmation_url(
        self, request: HttpRequest, emailconfirmation: EmailConfirmation
    ) -> str:
        """Build the confirmation link from the configured address."""
        return public_url(reverse("account_confirm_email", args=[emailconfirmation.key]))

    # Who comes in -----------------------------------------------------------------------

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Count failed tries per address and network place, so nobody locks out another."""
        address = str(credentials.get("email", "")).lower()
        return f"{self.get_client_ip(request)}:{address}"

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Log the refusal without the password and without a full address."""
        _, _, domain = str(credentials.get("email", "")).partition("@")
        place = self.get_client_ip(request)
        logger.warning("Sign-in refused", extra={"domain": one_line(domain), "from": place})

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign the person in and note when: a session ends twelve hours later."""
        super().login(request, user)
        request.session[SIGNED_IN_AT] = clock.now().timestamp()
        logger.info("Signed in", extra={"person": user.pk, "role": user.role})

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Ask once more before a change to the account, unless somebody has just signed in."""
        began: float = self.request.session.get(SIGNED_IN_AT, 0)
        if clock.now().timestamp() - began < JUST_NOW:
            return False
        return bool(super().is_reauthentication_required(app=app, **kwargs))

    # What goes out ----------------------------------------------------------------------

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail in our words; where the mail server is down, it waits in the outbox."""
        words = {"city": settings.CITY, "public_url": settings.PUBLIC_URL, "email": email}
        message = self.render_mail(template_prefix, email, words | context)
        try:
            message.send()
        except (OSError, SMTPException):
            logger.exception("The mail server took no account mail; it waits in the outbox")
            self._let_wait(message, template_prefix)

    def _let_wait(self, message: EmailMessage, template_prefix: str) -> None:
        cause = template_prefix.rsplit("/", 1)[-1]
        outbox.queue(
            key=f"account:{uuid.uuid4()}",
            recipient=message.to[0],
            subject=str(message.subject),
            body=str(message.body),
            cause=f"account.{cause}"[:60],
        )

    def get_http_user_agent(self, request: HttpRequest) -> str:
        """Return the browser's own name for itself, short and on one line."""
        return one_line(super().get_http_user_agent(request))[:120]
