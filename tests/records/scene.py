"""Cases, requests and lists for the tests of records, made by the acts that people use."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from permits.models import Application, Site
from portal import clock
from portal.desk.records.acts import destroying, holds, lists, requests
from portal.desk.records.models import DestructionList, Hold, RecordsRequest
from portal.models import Role, User
from tests import factory

TODAY = date(2026, 11, 16)
LONG_AGO = date(2018, 5, 14)


def attorney() -> User:
    return factory.user(Role.ATTORNEY, "attorney@example.test", "Irene Castillo")


def old_case(at: Any, *, on: date = LONG_AGO, **fields: Any) -> Application:
    """A case that was withdrawn long ago: nothing is open, and its years are over."""
    at(on)
    made = factory.withdrawn(on=on, **fields)
    at(TODAY)
    made.site.refresh_from_db()
    return made


def old_case_of_today() -> Application:
    """The same without a clock to move: only the day on which the row was made is set back."""
    made = factory.withdrawn(on=LONG_AGO)
    long_ago = datetime.combine(LONG_AGO, time(12), tzinfo=UTC)
    Site.objects.filter(pk=made.site.pk).update(created_at=long_ago)
    made.site.refresh_from_db()
    return made


def rooms() -> dict[str, Any]:
    """Things that the addresses about records are made of, in some of their states."""
    destroyed, listed, held_site, answered = (old_case_of_today().site for _ in range(4))
    done = approved(destroyed)
    lists.waive_notice(done, words="Letter of May 4.", by=factory.clerk(), on=TODAY)
    destroying.carry_out(done, by=factory.clerk(), on=TODAY)
    open_now = approved(old_case_of_today().site)
    lists.waive_notice(open_now, words="Letter of May 4.", by=factory.clerk(), on=TODAY)
    old_case_of_today()  # a case that may be proposed
    closed = asked(answered)
    reply = requests.Reply("given", also=["The plan sheets."])
    requests.answer(closed, reply, by=factory.clerk(), on=TODAY)
    return {
        "request": asked(answered, on=TODAY - timedelta(30)),
        "request answered": closed,
        "hold": held(held_site),
        "list": approved(listed),
        "list ready": open_now,
        "list proposed": proposed(old_case_of_today().site),
        "list done": done,
        "destroyed": destroyed,
    }


def asked(*sites: Any, on: date = TODAY, **more: Any) -> RecordsRequest:
    """A request for records, logged by the clerk."""
    known = {"received_on": on, "how": "email", "asked": "The plan and the permit."}
    return requests.log(
        requests.Asked(**{**known, **more}), sites=sites, by=factory.clerk(), on=TODAY
    )


def held(site: Any, *, on: date = TODAY) -> Hold:
    return holds.place(site, reason="A suit is likely.", by=attorney(), on=on)


def proposed(*sites: Any, on: date = TODAY) -> DestructionList:
    return lists.propose(sites, by=factory.clerk(), on=on)


def approved(*sites: Any, on: date = TODAY) -> DestructionList:
    made = proposed(*sites, on=on)
    lists.approve(made, by=attorney(), on=on)
    lists.approve(made, by=factory.administrator(), on=on)
    made.refresh_from_db()
    return made


def ready(at: Any, *sites: Any) -> tuple[DestructionList, date]:
    """A list whose sixty days are over, and the day on which they are."""
    made = approved(*sites)
    notice = lists.mail_notice(made, mailed_on=TODAY, tracking_number="", by=factory.clerk())
    at(notice.opens_on)
    made.refresh_from_db()
    return made, notice.opens_on


def day_before(on: date) -> date:
    return on - timedelta(1)


def today() -> date:
    return clock.today()
