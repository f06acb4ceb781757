"""Ten days' notice by U.S. mail to the property owner. Former § 17.19(4)(e)"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from enforcement import ladder
from enforcement.acts import owner_notices, work
from enforcement.models import Addressee, NoticeOfIntent, OwnerNotice
from enforcement.persons import Person
from inspections.models import Certificate
from permits import mailroom
from permits.models import CasePaper, DocketEntry, NotNow, Permit
from portal.models import Mailing

from . import works
from .factory import active_permit, clerk, inspector, order_of_permit, owner, posted_order, sold

pytestmark = pytest.mark.django_db

MONDAY = date(2026, 11, 16)


@pytest.fixture
def permit(order: object) -> Permit:
    """A permit under which an order stands: work that it requires is not done."""
    return order.permit  # type: ignore[attr-defined,no-any-return]


def refused(permit: Permit, **fields: object) -> NotNow:
    with pytest.raises(NotNow) as refusal:
        works.owner_notice(permit, on=MONDAY, **fields)  # type: ignore[arg-type]
    assert not OwnerNotice.objects.exists()
    return refusal.value


def three_parcels(permit: Permit) -> list[tuple[object, str]]:
    """The site with three parcels, and an owner of each."""
    numbers = [permit.site.parcels.get().number, "0240-9001-002", "0240-9001-003"]
    for number in numbers[1:]:
        permit.site.parcels.create(number=number)
    names = ["Ann Berg", "Bo Cole", "Cy Dunn"]
    return [(owner(name, parcel), "us_mail") for name, parcel in zip(names, numbers, strict=True)]


# When -------------------------------------------------------------------------------------


def test_without_anything_late_it_is_refused_with_the_last_day() -> None:
    permit = active_permit()
    day = permit.permanent_cover_deadline()
    assert day is not None
    refusal = refused(permit)
    assert [each.key for each in refusal.obstacles] == ["not-late"]
    assert f"{day.on:%B} {day.on.day}" in refusal.obstacles[0].text


def test_it_is_open_from_the_day_after_the_permits_date() -> None:
    permit = active_permit()
    deadline = permit.permanent_cover_deadline()
    assert deadline is not None
    with pytest.raises(NotNow):
        works.owner_notice(permit, on=deadline.on)
    notice = works.owner_notice(permit, on=deadline.on + timedelta(days=1))
    assert "not complete" in notice.because


def test_beside_july_15_the_date_of_the_permit_is_no_ground() -> None:
    """Former § 17.19(4)(d): what the escrow pays waits for the limit of a winter certificate."""
    permit = active_permit()
    own = permit.permanent_cover_deadline()
    assert own is not None
    Certificate.objects.create(
        permit=permit,
        building="Unit 1",
        issued_on=date(own.on.year + 1, 1, 11),
        work_open=True,
        choice="condition",
        choice_reason="The slope can be seeded in spring.",
        recorded_by=clerk(),
    )
    limit = date(own.on.year + 1, 7, 15)
    assert own.on < limit
    with pytest.raises(NotNow) as refusal:
        works.owner_notice(permit, on=limit)
    assert f"July 15, {limit.year}" in refusal.value.obstacles[0].text
    assert works.owner_notice(permit, on=limit + timedelta(days=1)).pk


def test_a_standing_order_is_ground_enough(permit: Permit) -> None:
    notice = works.owner_notice(permit, on=MONDAY)
    assert notice.because.startswith("Stop-work order SW-")
    event = permit.site.events.get(kind="owner_notice.made")  # type: ignore[attr-defined]
    assert event.facts["because"] == [notice.because]


def test_a_revoked_permit_still_has_its_escrow(permit: Permit) -> None:
    Permit.objects.filter(pk=permit.pk).update(status="revoked")
    assert works.owner_notice(permit, on=MONDAY).permit == permit


def test_one_stands_at_a_time(permit: Permit) -> None:
    notice = works.owner_notice(permit, on=MONDAY)
    with pytest.raises(NotNow) as refusal:
        works.owner_notice(permit, on=MONDAY)
    assert notice.number in refusal.value.obstacles[0].text


# To whom, and how -------------------------------------------------------------------------


def test_it_goes_to_the_property_owner_and_to_nobody_else(permit: Permit) -> None:
    assert {person.role for person in owner_notices.owners_of(permit)} == {"landowner"}
    contractor = Person("contractor", "Berg Excavating Inc", "2 Mill Street")
    assert "property owner" in refused(permit, told=[(contractor, "us_mail")]).sentence


def test_where_the_land_was_sold_it_goes_to_the_new_owner(permit: Permit) -> None:
    (before,) = owner_notices.owners_of(permit)
    sold(permit.site, on=MONDAY)
    assert [person.name for person in owner_notices.owners_of(permit)] == ["Tom Reyes"]
    refusal = refused(permit, told=[(before, "us_mail")])
    assert "The land belongs to Tom Reyes since Monday, November 16, 2026" in refusal.sentence
    notice = works.owner_notice(permit, on=MONDAY)
    (letter,) = owner_notices.letters_of(notice)
    assert str(letter).endswith("to Tom Reyes")


@pytest.mark.parametrize("means", ["email", "personal", "posted"])
def test_what_must_go_by_us_mail_goes_by_nothing_else(permit: Permit, means: str) -> None:
    person = owner(email="owner@example.test")
    assert "by U.S. mail" in refused(permit, told=[(person, means)]).sentence


def test_the_database_refuses_an_e_mail_in_its_place(permit: Permit) -> None:
    works.owner_notice(permit, on=MONDAY)
    with pytest.raises(IntegrityError), transaction.atomic():
        Mailing.objects.filter(requires_us_mail=True).update(means="email")


def test_a_mailing_without_an_address_is_refused(permit: Permit) -> None:
    person = owner(mailing_address=" ")
    assert "no mailing address" in refused(permit, told=[(person, "us_mail")]).sentence


def test_site_with_three_parcels_and_three_owners_each_gets_a_letter(permit: Permit) -> None:
    told = three_parcels(permit)
    notice = works.owner_notice(permit, on=MONDAY, told=told)  # type: ignore[arg-type]
    letters = owner_notices.letters_of(notice)
    assert [letter.addressee for letter in letters] == ["Ann Berg", "Bo Cole", "Cy Dunn"]
    assert len({letter.document_id for letter in letters}) == 3
    assert all(letter.requires_us_mail for letter in letters)
    assert CasePaper.objects.filter(kind="owner_notice").count() == 3
    assert [row.parcel_number for row in Addressee.objects.of(notice)] == [
        person.parcel_number  # type: ignore[attr-defined]
        for person, _ in told
    ]


def test_a_parcel_without_an_owner_is_refused_by_its_number(permit: Permit) -> None:
    told = three_parcels(permit)[:2]
    assert "0240-9001-003" in refused(permit, told=told).sentence


# Its days ---------------------------------------------------------------------------------


def test_no_day_runs_before_the_post_has_the_letter(permit: Permit) -> None:
    notice = works.owner_notice(permit, on=MONDAY)
    assert notice.draw_opens() is None
    assert not DocketEntry.objects.of(notice).exists()
    with pytest.raises(NotNow) as refusal:
        work.begin(
            notice,
            by=inspector(),
            on=date(2027, 3, 1),
            begun_on=date(2027, 3, 1),
            done_by="crew",
            doer="Street department",
        )
    assert [each.key for each in refusal.value.obstacles] == ["not-mailed"]


def test_the_days_run_from_the_last_letter_accepted(permit: Permit, at) -> None:
    at(MONDAY)
    notice = works.owner_notice(permit, on=MONDAY, told=three_parcels(permit))  # type: ignore[arg-type]
    first, second, third = owner_notices.letters_of(notice)
    at(date(2026, 11, 20))
    works.mailed(second, on=date(2026, 11, 20))
    works.mailed(first, on=date(2026, 11, 17), today=date(2026, 11, 20))
    notice.refresh_from_db()
    assert notice.accepted_on is None
    at(date(2026, 11, 23))
    works.mailed(third, on=date(2026, 11, 18), today=date(2026, 11, 23))
    notice.refresh_from_db()
    assert notice.accepted_on == date(2026, 11, 20)
    # Ten days from November 20 end on November 30; three more for the mail on December 3.
    (entry,) = DocketEntry.objects.of(notice).running()
    assert (entry.rule, entry.on, entry.safe_on) == (
        "mailed-notice",
        date(2026, 12, 1),
        date(2026, 12, 4),
    )
    events = permit.site.events.filter(kind="owner_notice.accepted")  # type: ignore[attr-defined]
    assert events.count() == 1
    assert events.get().facts["first_day"] == "2026-12-01"


def test_a_corrected_day_counts_anew(permit: Permit, at) -> None:
    at(MONDAY)
    notice = works.owner_notice(permit, on=MONDAY)
    (letter,) = owner_notices.letters_of(notice)
    at(date(2026, 11, 20))
    works.mailed(letter, on=date(2026, 11, 17), today=date(2026, 11, 20))
    letter.refresh_from_db()
    mailroom.correct(
        letter,
        "accepted",
        on=date(2026, 11, 19),
        by=clerk(),
        today=date(2026, 11, 20),
        reason="The certificate says so.",
    )
    notice.refresh_from_db()
    assert notice.accepted_on == date(2026, 11, 19)
    (entry,) = DocketEntry.objects.of(notice).running()
    assert entry.on == date(2026, 11, 30)


def test_a_letter_served_anew_makes_the_days_wait_for_it(permit: Permit, at) -> None:
    at(MONDAY)
    notice = works.owner_notice(permit, on=MONDAY)
    (letter,) = owner_notices.letters_of(notice)
    works.mailed(letter, on=MONDAY)
    at(date(2026, 11, 24))
    letter.refresh_from_db()
    mailroom.bring_back(
        letter, by=clerk(), on=date(2026, 11, 23), today=date(2026, 11, 24), reason="Moved."
    )
    letter.refresh_from_db()
    mailroom.serve_anew(
        letter,
        by=clerk(),
        on=date(2026, 11, 24),
        reason="The owner lives elsewhere.",
        addressee=letter.addressee,
        address="77 Lake Street\nExample, WI 54999",
        means="us_mail",
        go_by=date(2026, 11, 25),
    )
    notice.refresh_from_db()
    assert notice.accepted_on is None
    assert not DocketEntry.objects.of(notice).running().exists()
    (anew,) = owner_notices.letters_of(notice)
    works.mailed(anew, on=date(2026, 11, 24))
    notice.refresh_from_db()
    assert notice.accepted_on == date(2026, 11, 24)


def test_withdrawn_it_opens_nothing(permit: Permit, at) -> None:
    at(MONDAY)
    notice = works.owner_notice(permit, on=MONDAY)
    (letter,) = owner_notices.letters_of(notice)
    works.mailed(letter, on=MONDAY)
    notice.refresh_from_db()
    owner_notices.withdraw(notice, by=inspector(), on=date(2026, 11, 18), why="The fence stands.")
    assert notice.status == "withdrawn"
    assert not DocketEntry.objects.of(notice).running().exists()
    with pytest.raises(NotNow):
        works.begun(notice, on=date(2027, 1, 4))
    assert works.owner_notice(permit, on=date(2026, 11, 19)).number != notice.number


# One path never opens the other -----------------------------------------------------------


def test_an_owner_notice_never_opens_a_special_charge(permit: Permit, at) -> None:
    at(MONDAY)
    notice = works.owner_notice(permit, on=MONDAY)
    (letter,) = owner_notices.letters_of(notice)
    works.mailed(letter, on=MONDAY)
    notice.refresh_from_db()
    made = works.begun(notice)
    assert made.path == "escrow"
    assert made.notice_of_intent is None
    assert not NoticeOfIntent.objects.exists()
    order = permit.stop_work_orders.get()
    step = ladder.step(order, "city-work", on=date(2027, 1, 4))
    assert "no-notice" in [each.key for each in step.obstacles]


def test_a_notice_of_intent_never_opens_a_draw() -> None:
    permit = active_permit()
    order = posted_order(order_of_permit(permit))
    notice = works.intent(order)
    made = works.begun(notice)
    assert made.path == "special-charge"
    assert not permit.owner_notices.exists()
    assert not DocketEntry.objects.filter(rule="mailed-notice").exists()


def test_the_notice_names_work_and_cost(permit: Permit) -> None:
    assert "estimated" in refused(permit, work=" ").sentence
    assert "estimated" in refused(permit, estimated_cost=Decimal(0)).sentence
