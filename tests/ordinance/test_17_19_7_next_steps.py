"""former § 17.19(7): what may follow a stop-work order, and why not yet."""

from datetime import date

import pytest

from portal.ordinance.editions import edition_on
from portal.ordinance.next_steps import (
    STEPS,
    Situation,
    StepKey,
    held_by_application,
    obstacles_to,
)
from portal.ordinance.revocation import revocation_opens
from portal.ordinance.stays import Stay, with_stays
from portal.ordinance.stop_work import permit_deadline

DAY = date(2026, 6, 12)
PERMITTEE = {"against_permittee": True}


@pytest.mark.parametrize(
    ("step", "facts", "keys"),
    [
        ("revocation", PERMITTEE, []),
        ("revocation", {}, ["no-permit"]),
        ("revocation", {**PERMITTEE, "permit_status": "closed"}, ["permit-not-issued"]),
        ("revocation", {**PERMITTEE, "permit_status": "revoked", "revoked": True}, ["revoked"]),
        ("revocation", {**PERMITTEE, "reversed": True}, ["reversed"]),
        ("revocation", {**PERMITTEE, "stands": False, "ended": "lifted"}, ["order-ended"]),
        ("revocation", {**PERMITTEE, "stayed": True}, ["stayed"]),
        ("cease-and-desist", {}, []),
        ("cease-and-desist", PERMITTEE, ["permittee"]),
        ("cease-and-desist", {**PERMITTEE, "revoked": True}, ["permittee-before"]),
        ("cease-and-desist", {"permit_since": DAY}, ["permit-obtained"]),
        ("cease-and-desist", {"requested": True}, ["requested"]),
        ("notice-of-intent", {"posted_on": DAY}, []),
        ("notice-of-intent", {}, ["not-posted"]),
        ("notice-of-intent", {"posted_on": DAY, "notice_stands": True}, ["notice-stands"]),
        ("notice-of-intent", {"posted_on": DAY, "stayed": True}, ["stayed"]),
        ("city-work", {"notice_stands": True}, []),
        ("city-work", {}, ["no-notice"]),
        ("city-work", {"work_begun": True}, ["work-begun"]),
        ("owner-notice", {"escrow_held": True}, []),
        ("owner-notice", {}, ["no-escrow"]),
        (
            "owner-notice",
            {"escrow_held": True, "owner_notice_stands": True},
            ["owner-notice-stands"],
        ),
    ],
)
def test_what_stands_in_the_way(step, facts, keys):
    found = obstacles_to(StepKey(step), Situation(**facts), None, on=DAY)
    assert [each.key for each in found] == keys
    assert all(each.text.endswith(".") and each.cure for each in found)


def test_before_its_day_the_first_lawful_day_is_named(calendar):
    opens = revocation_opens(date(2026, 6, 1), calendar=calendar)
    found = obstacles_to(StepKey.REVOCATION, Situation(**PERMITTEE), opens, on=date(2026, 6, 11))
    assert [each.text for each in found] == [
        "The permit may be revoked from Friday, June 12, 2026."
    ]
    assert not obstacles_to(StepKey.REVOCATION, Situation(**PERMITTEE), opens, on=DAY)


def test_a_stay_closes_an_open_step(calendar):
    opens = revocation_opens(date(2026, 6, 1), calendar=calendar)
    stayed = with_stays(opens, [Stay(date(2026, 6, 5), None)], calendar)
    found = obstacles_to(StepKey.REVOCATION, Situation(**PERMITTEE), stayed, on=DAY)
    assert "stayed" in {each.key for each in found}


def test_an_application_in_time_is_a_reason_to_wait_and_a_late_one_is_none(calendar):
    last = permit_deadline(date(2026, 6, 1), calendar=calendar)
    assert held_by_application(date(2026, 6, 11), last)
    assert not held_by_application(date(2026, 6, 12), last)
    assert not held_by_application(None, last)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.key)
def test_each_step_says_its_ground_with_the_numbers_of_the_edition(step):
    sentence = step.ground_of(edition_on(DAY))
    assert sentence.endswith(".")
    assert sentence[0].isupper()
    assert "{" not in sentence
