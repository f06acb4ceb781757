"""Django's admin: for superusers only, and to read only.

Cases change by the acts of the portal's own pages, which check, record and tell; here
nothing can be added, changed or deleted. For everybody else there is no such page.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse

from portal.models import (
    Closure,
    CouncilValue,
    Document,
    Mailing,
    NumberCounter,
    Operation,
    OutboxMessage,
    Preview,
    Upload,
    User,
)

__all__ = ["ReadOnly", "site"]

View = Callable[..., HttpResponse]


def is_superuser(request: HttpRequest) -> bool:
    """Whether somebody may read the tables themselves."""
    user = request.user
    return bool(user.is_active and user.is_superuser)


class SuperusersSite(admin.AdminSite):
    """The admin of whoever runs the machine."""

    site_header = site_title = "Siltfence: the tables, to read"
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request)

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Answer strangers with an unknown page instead of a sign-in form."""
        inner = super().admin_view(view, cacheable)

        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not is_superuser(request):
                raise Http404
            return inner(request, *args, **kwargs)

        return guarded

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """There is no second way to sign in."""
        raise Http404


class ReadOnly(admin.ModelAdmin):
    """Rows to look at."""

    list_per_page = 50
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_superuser(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_superuser(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class Accounts(ReadOnly):
    """People, without what would let somebody act as them."""

    list_display = ["email", "name", "role", "is_active", "last_login"]
    list_filter = ["role", "is_active"]
    fields = [*list_display, "telephone", "is_staff", "is_superuser", "date_joined"]


site = SuperusersSite()
site.register(User, Accounts)
site.register(
    [
        Closure,
        CouncilValue,
        Document,
        Mailing,
        NumberCounter,
        Operation,
        OutboxMessage,
        Preview,
        Upload,
    ],
    ReadOnly,
)
