"""Days of work that have passed: a slip of the pen, or work without a permit. § 40-886(a)"""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from permits import acts
from permits.models import NotNow
from tests import factory
from tests.apply.page import fill

BEGUN = "say whether the work has begun"
LATER = "Write a day from today on."


def errors_of(page) -> dict[str, list[str]]:
    return page.context["answers"].errors


@pytest.mark.parametrize(
    ("start", "begun", "amiss"),
    [
        ("2026-11-15", "", "work_begun"),
        ("2026-11-15", "no", "starts_on"),
        ("2026-11-15", "yes", None),
        ("2026-11-16", "", None),
        ("2026-11-16", "no", None),
    ],
)
def test_a_first_day_that_has_passed_asks_whether_the_work_has_begun(
    client, complete, start, begun, amiss
):
    url = complete.get_step_url("work")
    page = fill(client, url, starts_on=start, work_begun=begun or None)
    if amiss is None:
        assert page.status_code == 303
        complete.refresh_from_db()
        assert complete.starts_on.isoformat() == start
    else:
        assert list(errors_of(page)) == [amiss]
        assert (BEGUN if amiss == "work_begun" else LATER) in page.content.decode()
        assert f'value="{start}"' in page.content.decode()


@pytest.mark.parametrize(("end", "taken"), [("2026-11-15", False), ("2026-11-16", True)])
def test_a_last_day_that_has_passed_is_asked_again(client, complete, end, taken):
    url = complete.get_step_url("work")
    page = fill(client, url, starts_on="2026-11-02", work_begun="yes", ends_on=end)
    assert (page.status_code == 303) is taken
    if not taken:
        assert list(errors_of(page)) == ["ends_on"]


def test_a_draft_whose_first_day_passed_meanwhile_is_not_filed_unasked(client, complete):
    on = complete.starts_on.replace(year=2027)
    keys = {each.key for each in complete.obstacles_to_submit(on=on)}
    assert keys >= {"started", "ended"}
    with pytest.raises(NotNow):
        acts.submit(
            complete, by=complete.applicant, on=on, signed_name="M", signed_capacity="Landowner"
        )


def test_what_was_filed_in_time_stays_as_it_is(vang):
    """Neither a plan revision nor a correction stumbles over days that pass under review."""
    application = factory.denied(vang)
    after = application.ends_on.replace(year=2028)
    assert not application.obstacles_to_submit(on=after)


def test_a_correction_of_something_else_does_not_ask_for_days_that_passed(client, vang, at):
    application = factory.received(vang)
    at("2027-11-16")
    client.force_login(vang)
    url = reverse("correct_work", args=[application.key])
    page = fill(client, url, step="check", zoning="R-1", reason="Left out.")
    assert "Make this correction?" in page.content.decode()


def test_the_inspector_sees_that_work_began_without_a_permit(complete):
    complete.starts_on, complete.work_begun = factory.MONDAY.replace(day=2), True
    complete.save()
    acts.submit(
        complete,
        by=complete.applicant,
        on=factory.MONDAY,
        signed_name="Mai Vang",
        signed_capacity="Landowner",
    )
    inspector = Client()
    inspector.force_login(factory.inspector())
    page = inspector.get(reverse("review", args=[complete.key])).content.decode()
    assert "Yes, says the application." in page
    case = inspector.get(complete.get_absolute_url()).content.decode()
    assert "By its own word the work had begun already." in case
