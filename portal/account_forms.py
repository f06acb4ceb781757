"""The account forms in plain words: same fields, our labels and hints, no placeholders."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.account import forms as account
from allauth.mfa.base import forms as second_factor
from allauth.mfa.totp import forms as totp
from django import forms
from django.core.validators import MaxLengthValidator

from portal import formats
from portal.accounts import SignupDetailsForm, one_line
from portal.models import User

__all__ = [
    "ActivateTotpForm",
    "AddEmailForm",
    "AuthenticateForm",
    "ChangePasswordForm",
    "DetailsForm",
    "LoginForm",
    "ReauthenticateCodeForm",
    "ReauthenticateForm",
    "ResetPasswordForm",
    "ResetPasswordKeyForm",
    "SetPasswordForm",
    "SignupForm",
]

CHOOSING = (
    "At least 12 characters. Three or four words that only you would put together do well. "
    "Very common passwords are refused."
)
CODE = "The six digits that your authenticator app shows now, or one of your recovery codes."


TOO_LONG = "Write at most %(limit_value)s characters; there are %(show_value)s."
LONGEST_EMAIL = 254
"""What the record can hold, and what SMTP can carry. RFC 5321"""


class PlainWords(forms.Form):
    """Labels and hints by field name; a placeholder vanishes when it is needed, so none.

    An address that is too long is refused, never cut: a cut one is somebody else's.
    """

    words: ClassVar[dict[str, tuple[str, str]]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            if name in self.words:
                field.label, field.help_text = self.words[name]
            if isinstance(field, forms.EmailField):
                field.validators.append(MaxLengthValidator(LONGEST_EMAIL, TOO_LONG))


class LoginForm(PlainWords, account.LoginForm):
    """Sign in by e-mail and password."""

    words = {"login": ("E-mail address", ""), "password": ("Password", "")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autocomplete"] = "username"


class SignupForm(PlainWords, account.SignupForm):
    """Make an account."""

    field_order = SignupDetailsForm.field_order
    words = {
        "email": ("E-mail address", "We send a link to it, to be sure that it is yours."),
        "password1": ("Password", CHOOSING),
        "password2": ("The same password again", ""),
    }


class AddEmailForm(PlainWords, account.AddEmailForm):
    """Add an address."""

    words = {"email": ("Another e-mail address", "We send a link to it before we use it.")}


class ChangePasswordForm(PlainWords, account.ChangePasswordForm):
    """Change the password; every other session of the account ends."""

    words = {
        "oldpassword": ("Present password", ""),
        "password1": ("New password", CHOOSING),
        "password2": ("The new password again", ""),
    }


class SetPasswordForm(PlainWords, account.SetPasswordForm):
    """Set the first password of an account that the city made."""

    words = {
        "password1": ("New password", CHOOSING),
        "password2": ("The new password again", ""),
    }


class ResetPasswordForm(PlainWords, account.ResetPasswordForm):
    """Ask for a link to set a new password."""

    words = {"email": ("E-mail address", "The one with which you sign in.")}


class ResetPasswordKeyForm(PlainWords, account.ResetPasswordKeyForm):
    """Set a new password by the link from the mail."""

    words = SetPasswordForm.words


class ReauthenticateForm(PlainWords, account.ReauthenticateForm):
    """Give the password once more before a change to the account."""

    words = {"password": ("Password", "")}


class AuthenticateForm(PlainWords, second_factor.AuthenticateForm):
    """The second step of signing in."""

    words = {"code": ("Code", CODE)}


class ReauthenticateCodeForm(PlainWords, second_factor.ReauthenticateForm):
    """Give a code once more before a change to the account."""

    words = {"code": ("Code", CODE)}


class ActivateTotpForm(PlainWords, totp.ActivateTOTPForm):
    """Prove that the authenticator app shows the right codes."""

    words = {"code": ("Code", "The six digits that the app shows for this portal now.")}


class DetailsForm(forms.ModelForm):
    """Name and telephone; the role is not a person's own to change."""

    class Meta:
        model = User
        fields = ["name", "telephone"]
        labels = {"name": "Your name", "telephone": "Telephone"}
        help_texts = {
            "name": "As it should stand on letters and permits.",
            "telephone": "Only the city sees it.",
        }
        widgets = {
            "name": forms.TextInput(attrs={"autocomplete": "name"}),
            "telephone": forms.TextInput(attrs={"autocomplete": "tel", "type": "tel"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = True

    def clean_name(self) -> str:
        """Keep the name on one line."""
        return one_line(self.cleaned_data["name"])

    def clean_telephone(self) -> str:
        """Keep the number on one line, once it can be called."""
        number = one_line(self.cleaned_data["telephone"])
        if number and not formats.can_be_called(number):
            raise forms.ValidationError(formats.ASK_FOR_TELEPHONE)
        return number
