"""The pages that are measured, each as the person who opens it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.test import Client
from django.test.utils import override_settings
from django.urls import NoReverseMatch, reverse

from enforcement.models import StopWorkOrder
from escrow.models import Bill, Path, Receipt, RollBatch
from inspections.models import Complaint, Visit
from permits.models import Application, Permit, Site
from portal import clock
from portal.models import Role, User

__all__ = ["ANNUAL", "BARE", "BUSIEST", "Page", "november", "pages"]

ANNUAL = "Annual report"
BUSIEST = "Cash book, busiest day"
"""Hundreds of receipts in the large city, a dozen in the small one: its ratio says nothing."""

BARE = "Bare view, 25 rows"
BARE_SIGNED_IN = "Bare view, signed in"


@dataclass
class Page:
    """A page as somebody opens it; an address that leads nowhere is left empty."""

    name: str
    url: str
    client: Client


def pages() -> Iterator[Page]:
    """Return every page to be measured, in the order of the table."""
    for name, find, person in PAGES:
        user = person()
        try:
            url = find()
        except NoReverseMatch:
            url = ""
        client = _client()
        if user is not None:
            client.force_login(user, settings.AUTHENTICATION_BACKENDS[0])
        yield Page(name, url, client)
    yield from _bare()


def _client() -> Client:
    """A browser to which a page that fails is a status, not the end."""
    return Client(raise_request_exception=False, SERVER_NAME="127.0.0.1")


def _bare() -> Iterator[Page]:
    """The yardstick by itself, and with the portal's middleware and a session."""
    signed_in = _client()
    signed_in.force_login(_inspector(), settings.AUTHENTICATION_BACKENDS[0])
    alone = _client()
    with override_settings(MIDDLEWARE=[]):
        alone.handler.load_middleware()
    for name, client in ((BARE, alone), (BARE_SIGNED_IN, signed_in)):
        yield Page(name, "/bare/", client)


# Who opens it -----------------------------------------------------------------------------


def _inspector() -> User:
    return User.objects.filter(role=Role.INSPECTOR).earliest("pk")


def _clerk() -> User:
    return User.objects.filter(role=Role.CLERK).earliest("pk")


def _nobody() -> None:
    return None


def _builder() -> User:
    """An applicant with some thirty cases."""
    return User.objects.filter(email__startswith="builder").earliest("pk")


def _writer() -> User:
    return _draft().applicant


# What is opened ---------------------------------------------------------------------------


def _draft() -> Application:
    """A draft from the middle of the city."""
    return _middle(Application.objects.filter(status="draft"))  # type: ignore[no-any-return]


def _case() -> str:
    """A case with a denial, a revision, a grant and a permit."""
    issued = Permit.objects.filter(status="issued")
    revised = issued.annotate(revisions=Count("application__revisions")).filter(revisions=2)
    return _middle(revised or issued).get_absolute_url()  # type: ignore[no-any-return]


def _day_of_cash() -> str:
    """The cash book of a day with ten or twelve receipts: as long in both cities."""
    few = _days_of_cash().filter(number__gte=10, number__lte=12) or _days_of_cash()
    return reverse("cash_book") + f"?since={few.latest('on')['on'].isoformat()}"


def _busiest_day_of_cash() -> str:
    """The cash book of the day on which the most came in by receipt."""
    day = _days_of_cash().latest("number", "on")["on"]
    return reverse("cash_book") + f"?since={day.isoformat()}"


def _days_of_cash() -> Any:
    return Receipt.objects.order_by().values("on").annotate(number=Count("pk"))


def _bill(**which: Any) -> Callable[[], Bill]:
    return lambda: _middle(Bill.objects.filter(**which))  # type: ignore[no-any-return]


def _account() -> str:
    """The escrow account of a permit whose work was billed."""
    bill = _bill(entries__kind="reversal")()
    return reverse("escrow_account", args=[bill.permit.application.key])  # type: ignore[union-attr]


def _batch() -> str:
    """The batch that was certified, with the first of its charges."""
    return RollBatch.objects.latest("count").get_absolute_url()


def november() -> Page:
    """The preview of what goes on the tax roll, as the clerk opens it."""
    client = _client()
    client.force_login(_clerk(), settings.AUTHENTICATION_BACKENDS[0])
    return Page("Preview", reverse("roll_propose", args=[Path.SPECIAL_CHARGE]), client)


def _site() -> Site:
    plain = Site.objects.public().exclude(address__contains="County Road")
    return _middle(plain.exclude(address__startswith="N"))  # type: ignore[no-any-return]


def _middle(rows):  # type: ignore[no-untyped-def]
    keys = rows.order_by("pk").values_list("pk", flat=True)
    return rows.get(pk=keys[keys.count() // 2])


def _visit() -> str:
    """A visit that is being written, at a site that was visited often."""
    return _middle(Visit.objects.filter(status="open")).get_absolute_url()  # type: ignore[no-any-return]


def _report() -> str:
    """A report by the public, with the sites near its place."""
    report = _middle(Complaint.objects.filter(answered_on__isnull=True))
    return reverse("report_case", args=[report.key])


def _order(name: str) -> Callable[[], str]:
    """A page of an order that stands, on its own or among what else the site has seen."""
    return lambda: reverse(name, args=[_middle(StopWorkOrder.objects.standing()).key])


def _look_up(text: Callable[[], str]) -> Callable[[], str]:
    return lambda: reverse("lookup") + "?q=" + text().replace(" ", "+")


PAGES: tuple[tuple[str, Callable[[], str], Callable[[], User | None]], ...] = (
    ("Desk", lambda: reverse("desk"), _inspector),
    ("Desk, one list", lambda: reverse("desk") + "?list=week", _inspector),
    ("Cases", lambda: reverse("cases"), _inspector),
    ("Case page", _case, _inspector),
    ("Applicant's home", lambda: reverse("home"), _builder),
    ("Look-up by address", _look_up(lambda: _site().address.partition(",")[0]), _nobody),
    ("Look-up by parcel", _look_up(lambda: str(_site().parcels.earliest("pk"))), _nobody),
    ("Look-up by one word", _look_up(lambda: "prairie"), _nobody),
    ("Law page", lambda: reverse("law_section", args=["permit"]), _nobody),
    ("Application step", lambda: _draft().get_step_url("work"), _writer),
    ("Day plan", lambda: reverse("round"), _inspector),
    ("Day plan by place", lambda: reverse("round") + "?sort=place", _inspector),
    ("Visit, being written", _visit, _inspector),
    ("Report by the public", _report, _inspector),
    ("Orders", lambda: reverse("orders"), _inspector),
    ("Order", _order("order"), _inspector),
    ("What may be done today", _order("order_next"), _inspector),
    ("Mail room", lambda: reverse("mailroom"), _clerk),
    ("Mail room, 200 letters", lambda: reverse("mailroom") + "?many=1", _clerk),
    (ANNUAL, lambda: f"{reverse('annual')}?year={clock.today().year}", _inspector),
    ("Cash book, a day", _day_of_cash, _clerk),
    (BUSIEST, _busiest_day_of_cash, _clerk),
    ("Escrow account", _account, _clerk),
    ("Bill", lambda: _bill(entries__kind="reversal")().get_absolute_url(), _clerk),
    ("Bills to be paid", lambda: reverse("bills"), _clerk),
    ("Batch of the tax roll", _batch, _clerk),
)
