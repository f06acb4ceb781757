"""What holds for every page: headers, the limits of a session, the second factor of staff."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import urlencode, urlsplit

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME, logout
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django_htmx.http import HttpResponseClientRedirect

from portal import clock, drafts
from portal.accounts import SIGNED_IN_AT
from portal.models import User

__all__ = [
    "NulMiddleware",
    "PrivatePagesMiddleware",
    "SessionLimitsMiddleware",
    "StaffSecondFactorMiddleware",
]

Handler = Callable[[HttpRequest], HttpResponse]

SEEN_AT = "seen_at"
SEEN_STEP = 60  # seconds; a session is written at most once a minute
PERSON_MARKED = "person_marked"
PERSON_COOKIE_AGE = 30 * 24 * 60 * 60


class PrivatePagesMiddleware:
    """Give every answer its guarding headers; it stands outermost, so errors have them too.

    A page that may concern somebody is kept by no cache and no back button.
    """

    always = {
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Content-Security-Policy": (
            "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
            "base-uri 'none'; frame-ancestors 'none'"
        ),
    }

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        for name, value in self.always.items():
            response.headers.setdefault(name, value)
        self._name_charset(response)
        if not request.path.startswith(settings.STATIC_URL):
            self._guard_from_caches(request, response)
        return response

    def _name_charset(self, response: HttpResponse) -> None:
        kind = response.headers.get("Content-Type", "")
        if kind.startswith("text/") and "charset" not in kind:
            response.headers["Content-Type"] = f"{kind}; charset=utf-8"

    def _guard_from_caches(self, request: HttpRequest, response: HttpResponse) -> None:
        patch_vary_headers(response, ["Cookie"])
        session = getattr(request, "session", None)
        personal = (session is not None and not session.is_empty()) or request.method != "GET"
        if personal or response.status_code >= 400:
            response.headers["Cache-Control"] = "private, no-store"
        else:
            response.headers.setdefault("Cache-Control", "private, no-cache")


class SessionLimitsMiddleware:
    """End a session after half an hour (staff) or an hour without a page, or twelve in all.

    What was typed into a form that comes too late is kept for its owner: after signing in
    again the same form shows it. It shows it, too, after a fault of ours.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        owner = self._end_or_renew(request)
        response = self.get_response(request)
        if self._leads_to_sign_in(request, response):
            return self._to_sign_in(request, response, owner)
        if request.user.is_authenticated:
            self._mark_person(request, response)
            if request.method == "POST":
                self._keep_or_forget(request, response, request.user.pk)
        return response

    def _keep_or_forget(self, request: HttpRequest, response: HttpResponse, owner: int) -> None:
        if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            drafts.keep_after_fault(request, owner=owner)
        elif drafts.KEPT in request.session:
            drafts.forget(request)

    def _end_or_renew(self, request: HttpRequest) -> int | None:
        """Sign out whoever stayed too long, and return whose the request was."""
        if not isinstance(request.user, User):
            return person_of_cookie(request)
        owner, now = request.user.pk, clock.now().timestamp()
        if why := why_over(request, now):
            logout(request)
            messages.warning(request, why)
        elif now - request.session.get(SEEN_AT, 0) >= SEEN_STEP:
            request.session[SEEN_AT] = now
            request.session.setdefault(SIGNED_IN_AT, now)
        return owner

    def _leads_to_sign_in(self, request: HttpRequest, response: HttpResponse) -> bool:
        if request.user.is_authenticated or response.status_code != 302:
            return False
        return urlsplit(response.headers["Location"]).path == resolve_url(settings.LOGIN_URL)

    def _to_sign_in(
        self, request: HttpRequest, response: HttpResponse, owner: int | None
    ) -> HttpResponse:
        url = response.headers["Location"]
        if request.method == "POST" and REDIRECT_FIELD_NAME in url:
            if owner is not None and drafts.keep(request, owner=owner):
                messages.info(request, "What you typed is kept. Sign in, and it is there again.")
            url = f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': page_of_form(request)})}"
        if request.headers.get("HX-Request"):
            return HttpResponseClientRedirect(url)
        response.headers["Location"] = url
        return response

    def _mark_person(self, request: HttpRequest, response: HttpResponse) -> None:
        """Let the browser remember whose forms it shows; it opens nothing."""
        if request.session.get(PERSON_MARKED):
            return
        request.session[PERSON_MARKED] = True
        response.set_signed_cookie(
            person_cookie(),
            str(request.user.pk),
            salt=PERSON_MARKED,
            max_age=PERSON_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


def why_over(request: HttpRequest, now: float) -> str:
    """Return in a sentence why a session is over, or nothing while it is not."""
    staff = isinstance(request.user, User) and request.user.is_city_staff
    idle: int = settings.SESSION_IDLE_SECONDS["staff" if staff else "public"]
    began: float = request.session.get(SIGNED_IN_AT, now)
    if now - request.session.get(SEEN_AT, began) >= idle:
        return f"You were signed out: no page was opened for {idle // 60} minutes."
    if now - began >= settings.SESSION_COOKIE_AGE:
        hours = settings.SESSION_COOKIE_AGE // 3600
        return f"You were signed out: a session lasts {hours} hours at most."
    return ""


def page_of_form(request: HttpRequest) -> str:
    """Return the page on which a form was filled in: where it came from, else where it went."""
    came_from = urlsplit(request.headers.get("Referer", ""))
    if came_from.netloc != request.get_host() or not came_from.path.startswith("/"):
        return request.get_full_path()
    return f"{came_from.path}?{came_from.query}" if came_from.query else came_from.path


def person_cookie() -> str:
    """Return the cookie's name, bound to the host wherever the session's is."""
    prefix = "__Host-" if settings.SESSION_COOKIE_NAME.startswith("__Host-") else ""
    return f"{prefix}person"


def person_of_cookie(request: HttpRequest) -> int | None:
    """Return who signed in last in this browser, as far as it can prove it."""
    value = request.get_signed_cookie(
        person_cookie(), default="", salt=PERSON_MARKED, max_age=PERSON_COOKIE_AGE
    )
    return int(value) if value and value.isdigit() else None


class StaffSecondFactorMiddleware:
    """Lead staff without a second factor to its set-up before anything else."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.STAFF_SECOND_FACTOR and self._lacks_second_factor(request):
            messages.warning(
                request,
                "Whoever works for the city signs in with a second factor. Set it up once, here.",
            )
            return HttpResponseRedirect(reverse("mfa_activate_totp"))
        return self.get_response(request)

    def _lacks_second_factor(self, request: HttpRequest) -> bool:
        user = request.user
        if not isinstance(user, User) or not (user.is_city_staff or user.is_superuser):
            return False
        if request.path.startswith((accounts_root(), settings.STATIC_URL, "/healthz")):
            return False
        return not is_mfa_enabled(user, [Authenticator.Type.TOTP])


class NulMiddleware:
    """Find nothing at an address with a NUL in it: PostgreSQL refuses even to look for one."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\x00" in request.path_info:
            raise Http404
        return self.get_response(request)


def accounts_root() -> str:
    """Return the path below which the account pages stand."""
    return reverse("account_login").removesuffix("login/")
