"""The edges of orders and revocation, each by its name. Former § 17.19(7)"""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction

from enforcement import ladder
from enforcement.acts import orders, revocation, violations
from enforcement.models import Addressee, Posting, Revocation, StopWorkOrder
from enforcement.persons import persons_of
from permits import acts, holds, verify
from permits.models import CaseEvent, DocketEntry, NotNow, Permit
from portal.models import Mailing
from tests import factory as of_cases

from .factory import (
    active_permit,
    finished_visit,
    inspector,
    lifted,
    order_of_permit,
    order_standing,
    order_without_permit,
    owner,
    photo,
    posted_order,
    site_without_permit,
    told,
    violation,
)

pytestmark = pytest.mark.django_db


def permit_of(day: date) -> Permit:
    return active_permit(issued_on=day - timedelta(days=60))


def revoke(order: StopWorkOrder, on: date, **more) -> Revocation:
    return revocation.revoke(
        order,
        by=inspector(),
        on=on,
        facts="Grading went on.",
        told=told(order.site, order.permit),
        **more,
    )


def test_issued_on_saturday_and_posted_on_monday():
    saturday, monday = date(2026, 10, 24), date(2026, 10, 26)
    order = order_standing(permit_of(saturday), on=saturday, posted_on=monday)
    assert order.compliance_deadline().on == date(2026, 11, 4)  # day 10 is Election Day
    assert order.revocation_opens().on == date(2026, 11, 5)
    assert order.notice_of_intent_opens().on == date(2026, 11, 5)  # ten days from Monday


def test_day_10_on_juneteenth():
    order = order_of_permit(permit_of(date(2026, 6, 9)), on=date(2026, 6, 9))
    assert order.compliance_deadline().on == date(2026, 6, 20)
    opens = order.revocation_opens()
    assert (opens.on, opens.safe_on) == (date(2026, 6, 21), date(2026, 6, 23))
    with pytest.raises(NotNow, match="not open"):
        revoke(order, date(2026, 6, 20))
    with pytest.raises(NotNow, match="could be contested"):
        revoke(order, date(2026, 6, 21))
    made = revoke(order, date(2026, 6, 21), before_safe_why="Mud runs into the creek.")
    assert made.before_safe_why == "Mud runs into the creek."


def test_day_10_on_saturday_july_4():
    order = order_of_permit(permit_of(date(2026, 6, 24)), on=date(2026, 6, 24))
    assert order.compliance_deadline().on == date(2026, 7, 6)
    assert ladder.step(order, "revocation", on=date(2026, 7, 6)).obstacles
    assert ladder.step(order, "revocation", on=date(2026, 7, 7)).is_open


def test_day_10_on_sunday_july_4_with_monday_observed():
    order = order_of_permit(permit_of(date(2027, 6, 24)), on=date(2027, 6, 24))
    assert order.compliance_deadline().on == date(2027, 7, 6)
    step = ladder.step(order, "revocation", on=date(2027, 7, 6))
    assert "from Wednesday, July 7, 2027" in step.obstacles[0].text


def test_posted_before_daylight_saving_changes(at):
    at("2026-10-31", "23:30")
    order = order_standing(permit_of(date(2026, 10, 31)), on=date(2026, 10, 31))
    assert order.notice_of_intent_opens().on == date(2026, 11, 10)
    spring = order_standing(permit_of(date(2027, 3, 13)), on=date(2027, 3, 13))
    assert spring.notice_of_intent_opens().on == date(2027, 3, 23)


def test_a_permit_granted_on_day_9_to_a_person_without_a_permit():
    issued_on, day_9 = date(2026, 6, 1), date(2026, 6, 10)
    application = of_cases.received(on=date(2026, 6, 8))
    order = order_without_permit(application.site, on=issued_on)
    until = date(2026, 12, 1)
    acts.grant(application, by=inspector(), on=day_9, permanent_controls_by=until, **of_cases.GRANT)
    step = ladder.step(order, "cease-and-desist", on=date(2026, 6, 12))
    assert step.is_open
    assert step.is_held
    assert "It is a reason to wait." in step.hold
    of_cases.post_escrow(application.permit, on=day_9)
    permit = Permit.objects.get(pk=application.permit.pk)
    assert permit.obstacles_to_issue(on=date(2026, 6, 11)) == []
    acts.issue(permit, by=of_cases.clerk(), on=date(2026, 6, 11))
    step = ladder.step(order, "cease-and-desist", on=date(2026, 6, 12))
    assert [each.key for each in step.obstacles] == ["permit-obtained"]


def test_the_days_to_obtain_a_permit_end_when_it_is_issued_and_stay_in_the_history():
    application = of_cases.received(on=date(2026, 6, 8))
    order = order_without_permit(application.site, on=date(2026, 6, 1))
    running = DocketEntry.objects.of(order).running()
    assert {"permit-after-stop-work", "cease-and-desist"} <= {each.rule for each in running}
    until = date(2026, 12, 1)
    on = date(2026, 6, 10)
    acts.grant(application, by=inspector(), on=on, permanent_controls_by=until, **of_cases.GRANT)
    of_cases.post_escrow(application.permit, on=on)
    permit = Permit.objects.get(pk=application.permit.pk)
    acts.issue(permit, by=of_cases.clerk(), on=on)
    assert [each.rule for each in running.all()] == ["appeal"]
    entries = {each.rule: each for each in DocketEntry.objects.of(order)}
    assert entries["permit-after-stop-work"].met_on == on
    assert entries["cease-and-desist"].closed_on == on
    order.refresh_from_db()
    assert order.is_standing
    assert [clock.key for clock in order.clocks()] == ["appeal"]
    (read,) = StopWorkOrder.objects.with_steps()
    assert [clock.key for clock in read.clocks()] == ["appeal"]
    assert [each for each in verify.faults() if order.number in each] == []


def test_a_second_order_while_the_first_stands():
    first = order_standing(permit_of(date(2026, 6, 1)), on=date(2026, 6, 1))
    second = order_of_permit(first.permit, on=date(2026, 6, 5), ground="conditions-not-met")
    assert first.pk != second.pk
    assert first.compliance_deadline().on == date(2026, 6, 11)
    assert second.compliance_deadline().on == date(2026, 6, 15)
    lifted(first, on=date(2026, 6, 8))
    assert second.is_standing
    assert len(holds.holds(first.site, holds.Act.CLOSE, on=date(2026, 6, 8))) == 1
    faults = [each for each in verify.faults() if "SW-" in each]
    assert faults == []


def test_the_landowner_changed_between_order_and_notice():
    order = order_standing(permit_of(date(2026, 6, 1)), on=date(2026, 6, 1))
    party = order.permit.application.parties.get(role="landowner")
    before = str(party)
    party.name, party.organization, party.email = "Noor Haddad", "", "noor@example.test"
    party.save()
    owners = [
        each.name for each in persons_of(order.site, order.permit) if each.role == "landowner"
    ]
    assert owners == ["Noor Haddad", before]


def test_the_permit_holder_is_dead_and_only_the_landowner_is_told():
    permit = permit_of(date(2026, 6, 1))
    only = [each for each in told(permit.site, permit) if each[0].role == "landowner"]
    order = order_of_permit(permit, on=date(2026, 6, 1), told=only)
    assert [row.role for row in Addressee.objects.of(order)] == ["landowner"]
    assert Mailing.objects.filter(cause=f"order:{order.number}").count() == 1


def test_a_site_with_three_parcels_and_three_owners():
    site = site_without_permit()
    people = []
    for n in range(3):
        site.parcels.create(number=f"0240-{n}")
        people.append((owner(f"Owner {n}", f"0240-{n}"), "us_mail"))
    order = order_without_permit(site, told=people)
    letters = Mailing.objects.filter(cause=f"order:{order.number}", means="us_mail")
    assert letters.count() == 3
    known = persons_of(site)
    assert {each.parcel_number for each in known} == {"0240-0", "0240-1", "0240-2"}


# Wrong input ------------------------------------------------------------------------------


def test_a_posting_before_the_order_or_without_a_photo_is_refused():
    order = order_of_permit(permit_of(date(2026, 6, 8)), on=date(2026, 6, 8))
    common = {"by": inspector(), "on": date(2026, 6, 9), "place": "On the gate"}
    with pytest.raises(NotNow, match="issued on Monday, June 8, 2026"):
        orders.post(order, posted_on=date(2026, 6, 7), photos=[photo()], **common)
    with pytest.raises(NotNow, match="still to come"):
        orders.post(order, posted_on=date(2026, 6, 10), photos=[photo()], **common)
    with pytest.raises(NotNow, match="needs a photo"):
        orders.post(order, posted_on=date(2026, 6, 9), photos=[], **common)
    assert not Posting.objects.exists()
    assert not CaseEvent.objects.filter(kind="stop_work.posted").exists()


def test_a_letter_without_an_address_is_refused():
    site = site_without_permit()
    with pytest.raises(NotNow, match="no mailing address for Pat Lund"):
        order_without_permit(site, told=[(owner(mailing_address=""), "us_mail")])
    assert not StopWorkOrder.objects.exists()


def test_a_revocation_before_its_day_is_refused_by_the_database():
    order = order_of_permit(permit_of(date(2026, 6, 1)), on=date(2026, 6, 1))
    with pytest.raises(NotNow) as refused:
        revoke(order, date(2026, 6, 11))
    assert "from Friday, June 12, 2026" in refused.value.obstacles[0].text
    with pytest.raises(IntegrityError), transaction.atomic():
        Revocation.objects.create(
            site=order.site,
            permit=order.permit,
            order=order,
            revoked_on=date(2026, 6, 11),
            opened_on=date(2026, 6, 12),
            safe_on=date(2026, 6, 12),
            facts="Too early.",
            revoked_by=inspector(),
        )


def test_facts_of_a_posting_never_change():
    order = posted_order(order_of_permit(permit_of(date(2026, 6, 1)), on=date(2026, 6, 1)))
    with pytest.raises(IntegrityError), transaction.atomic():
        Posting.objects.filter(order=order).update(place="Elsewhere")
    with pytest.raises(IntegrityError), transaction.atomic():
        Posting.objects.filter(order=order).delete()


def test_an_order_is_lifted_by_a_finished_visit_of_its_site_after_it():
    order = order_standing(permit_of(date(2026, 6, 8)), on=date(2026, 6, 8))
    before = finished_visit(order.site, on=date(2026, 6, 5), note="Before.")
    elsewhere = finished_visit(permit_of(date(2026, 6, 8)).site, on=date(2026, 6, 9), note="No.")
    for visit, why in ((before, "after the order"), (elsewhere, "another site")):
        with pytest.raises(NotNow, match=why):
            orders.lift(order, by=inspector(), on=date(2026, 6, 10), visit=visit, why="It is.")
    assert order.is_standing


def test_a_violation_under_a_standing_order_is_not_dropped():
    permit = permit_of(date(2026, 6, 8))
    found = violation(permit.site, on=date(2026, 6, 8), permit=permit)
    order_of_permit(permit, on=date(2026, 6, 8), violations=[found])
    with pytest.raises(NotNow, match="Lift or withdraw the order first"):
        violations.drop(found, by=inspector(), on=date(2026, 6, 9), reason="An error.")


# Revocation -------------------------------------------------------------------------------


def test_a_revocation_ends_the_permit_and_an_order_in_error_brings_it_back():
    order = order_standing(permit_of(date(2026, 6, 1)), on=date(2026, 6, 1))
    made = revoke(order, date(2026, 6, 12))
    permit = Permit.objects.get(pk=order.permit_id)
    assert permit.status == Permit.Status.REVOKED
    events = list(order.site.events.values_list("kind", flat=True))
    assert events.count("permit.revoked") == 1
    assert [each for each in verify.faults() if "None" not in each] == []
    step = ladder.step(order, "cease-and-desist", on=date(2026, 6, 15))
    assert "permittee-before" in {each.key for each in step.obstacles}
    orders.withdraw(order, by=inspector(), on=date(2026, 6, 15), why="The wrong lot.")
    permit.refresh_from_db()
    made.refresh_from_db()
    assert permit.status == Permit.Status.ISSUED
    assert made.reversed_on == date(2026, 6, 15)
    assert list(verify.faults()) == []


def test_after_a_revocation_a_new_order_is_against_a_person_without_a_permit():
    order = order_standing(permit_of(date(2026, 6, 1)), on=date(2026, 6, 1))
    revoke(order, date(2026, 6, 12))
    order.permit.refresh_from_db()
    with pytest.raises(NotNow, match="cannot be issued so"):
        order_of_permit(order.permit, on=date(2026, 6, 15))
    new = order_without_permit(order.site, on=date(2026, 6, 15))
    assert new.cease_and_desist_opens().on == date(2026, 6, 26)


# Held acts --------------------------------------------------------------------------------


@pytest.mark.parametrize("act", [each for each in holds.Act if each not in ("grant the permit",)])
def test_which_acts_a_standing_order_holds(act):
    day = date(2026, 6, 1)
    order = order_of_permit(permit_of(day), on=day)
    held = holds.holds(order.site, act, on=day)
    free = (holds.Act.DRAW, holds.Act.GRANT)
    assert bool(held) is (act not in free)
    if held:
        assert f"Work is stopped by order {order}" in held[0].text
    lifted(order)
    assert holds.holds(order.site, act, on=day) == []
