"""The pages of notices, city work and requests, as the role concerned."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from enforcement.acts import owner_notices, work
from enforcement.models import (
    Addressee,
    CityWork,
    NoticeOfIntent,
    OwnerNotice,
    StopWorkOrder,
)
from portal import operations, papers
from portal.models import Mailing

from . import works
from .factory import clerk, inspector, order_standing

pytestmark = pytest.mark.django_db

SAFE = date(2026, 11, 28)  # of the notice of intent, and the first day of the request
ENTRY = date(2026, 12, 13)


@pytest.fixture(autouse=True)
def pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blank papers that can be bound."""
    blank = works.blank_pdf()
    monkeypatch.setattr(papers, "make", lambda template, context: papers.Made(blank, 1))


@pytest.fixture(name="at")
def at_signed_in(at: Any, client: Client, request: pytest.FixtureRequest) -> Any:
    """Move the clock; the inspector signs in anew, because a session ends."""

    def move(day: str) -> None:
        at(day)
        if "as_inspector" in request.fixturenames:
            client.force_login(inspector())

    return move


def send(client: Client, address: str, **fields: Any) -> Any:
    """Send a form with a token of its own."""
    token = operations.new_token()
    return client.post(address, {operations.FIELD: token, "end_of_form": "", **fields})


def typed(client: Client, address: str, **changes: str) -> dict[str, str]:
    """What the form holds when it is opened, with some answers changed."""
    form = client.get(address).context["form"]
    given = {name: form[name].value() or "" for name in form.fields if name != "photos"}
    return {**given, **changes}


def known(given: dict[str, str], question: str) -> list[str]:
    """The names of one question about each person who is known."""
    return [name for name in given if name.startswith("known-") and name.endswith(question)]


def words(response: Any) -> str:
    return " ".join(response.content.decode().split())


# The notice of intent ---------------------------------------------------------------------

WORK = {"work": works.FENCE, "estimated_cost": "1,800"}


def test_before_its_day_the_page_says_the_first_day_and_shows_no_form(
    as_inspector: Client, order: StopWorkOrder, at
) -> None:
    at("2026-11-25")
    response = as_inspector.get(reverse("notice_new", args=[order.key]))
    assert "Thursday, November 26, 2026" in words(response)
    assert 'name="work"' not in words(response)


def test_a_direct_post_before_its_day_is_refused_with_the_first_day(
    as_inspector: Client, order: StopWorkOrder, at
) -> None:
    at("2026-11-28")
    address = reverse("notice_new", args=[order.key])
    given = typed(as_inspector, address, **WORK)
    at("2026-11-25")
    response = send(as_inspector, address, **given, step="confirm")
    assert response.status_code == 409
    assert "Thursday, November 26, 2026" in words(response)
    assert not NoticeOfIntent.objects.exists()


def test_it_is_shown_first_and_issued_once_however_often_it_is_sent(
    as_inspector: Client, order: StopWorkOrder, at
) -> None:
    at("2026-11-28")
    address = reverse("notice_new", args=[order.key])
    given = {operations.FIELD: operations.new_token(), **typed(as_inspector, address, **WORK)}
    shown = as_inspector.post(address, {**given, "step": "check"})
    assert "Sunday, December 13, 2026" in words(shown)
    assert not NoticeOfIntent.objects.exists()
    for _ in range(2):
        done = as_inspector.post(address, {**given, "step": "confirm"})
        assert done.status_code == 303
    notice = NoticeOfIntent.objects.get()
    assert done.url == notice.get_absolute_url()
    assert order.site.events.filter(kind="notice_of_intent.issued").count() == 1  # type: ignore[attr-defined]


def test_between_first_and_safe_day_it_warns_and_asks_for_a_reason(
    as_inspector: Client, order: StopWorkOrder, at
) -> None:
    at("2026-11-26")
    address = reverse("notice_new", args=[order.key])
    assert "say why it cannot wait" in words(as_inspector.get(address))
    given = typed(as_inspector, address, **WORK)
    response = send(as_inspector, address, **given, step="confirm")
    assert response.context["form"].errors.keys() == {"before_safe_why"}
    given["before_safe_why"] = "Rain is forecast."
    assert send(as_inspector, address, **given, step="confirm").status_code == 303
    assert NoticeOfIntent.objects.get().before_safe_why == "Rain is forecast."


def test_somebody_left_out_wants_a_reason(as_inspector: Client, order: StopWorkOrder, at) -> None:
    at("2026-11-28")
    address = reverse("notice_new", args=[order.key])
    given = typed(as_inspector, address, **WORK)
    given |= dict.fromkeys(known(given, "means"), "none")
    given |= {"new-0-name": "Pat Lund", "new-0-address": "9 Elm Court"}
    given |= {"new-0-role": "landowner", "new-0-means": "personal"}
    response = send(as_inspector, address, **given, step="check")
    assert "left_out_why" in response.context["form"].errors
    given["left_out_why"] = "The company was dissolved."
    assert send(as_inspector, address, **given, step="confirm").status_code == 303
    (row,) = Addressee.objects.of(NoticeOfIntent.objects.get())
    assert (row.name, row.means) == ("Pat Lund", "personal")


def test_a_letter_without_an_address_is_refused_next_to_the_field(
    as_inspector: Client, order: StopWorkOrder, at
) -> None:
    at("2026-11-28")
    address = reverse("notice_new", args=[order.key])
    given = typed(as_inspector, address, **WORK)
    field = known(given, "address")[0]
    given |= {field: " ", field.replace("-address", "-means"): "us_mail"}
    response = send(as_inspector, address, **given, step="confirm")
    assert response.context["form"].errors.keys() == {field}
    assert works.FENCE in words(response)


def test_the_page_of_the_notice_says_which_money_it_opens(
    as_inspector: Client, order: StopWorkOrder, at
) -> None:
    at("2026-11-30")
    notice = works.intent(order)
    response = as_inspector.get(notice.get_absolute_url())
    text = words(response)
    assert "neither stands in for the other" in text
    assert "The first day on which the city may work is Sunday, December 13, 2026" in text
    assert reverse("city_work_new", args=[notice.key]) not in text
    at("2026-12-14")
    assert reverse("city_work_new", args=[notice.key]) in words(
        as_inspector.get(notice.get_absolute_url())
    )


def test_the_holder_reads_the_notice_and_acts_on_nothing(
    client: Client, order: StopWorkOrder, at
) -> None:
    at("2026-12-14")
    notice = works.intent(order)
    assert order.permit is not None
    client.force_login(order.permit.application.applicant)
    response = client.get(notice.get_absolute_url())
    assert response.status_code == 200
    assert "withdraw/" not in words(response)
    for name in ("notice_withdraw", "city_work_new"):
        assert client.get(reverse(name, args=[notice.key])).status_code == 404
        assert send(client, reverse(name, args=[notice.key])).status_code == 404


def test_it_is_withdrawn_with_a_reason(as_inspector: Client, order: StopWorkOrder, at) -> None:
    at("2026-11-30")
    notice = works.intent(order)
    address = reverse("notice_withdraw", args=[notice.key])
    assert send(as_inspector, address, why=" ").context["form"].errors
    assert send(as_inspector, address, why="The cost was wrong.").status_code == 303
    notice.refresh_from_db()
    assert notice.status == "withdrawn"
    assert "withdrawn" in words(as_inspector.get(address))


# The notice to the owner ------------------------------------------------------------------


def test_the_owners_page_offers_the_mail_and_nothing_else(
    as_inspector: Client, order: StopWorkOrder, at
) -> None:
    at("2026-11-16")
    address = reverse("owner_notice_new", args=[order.site.number])
    form = as_inspector.get(address).context["form"]
    (means,) = [name for name in form.fields if name.startswith("known-") and "means" in name]
    assert {key for key, _ in form.fields[means].choices} == {"us_mail", "certified", "none"}
    given = typed(as_inspector, address, **WORK)
    forged = send(as_inspector, address, **{**given, means: "email"}, step="confirm")
    assert forged.context["form"].errors.keys() == {means}
    assert send(as_inspector, address, **given, step="confirm").status_code == 303
    notice = OwnerNotice.objects.get()
    text = words(as_inspector.get(notice.get_absolute_url()))
    assert "no day runs yet" in text
    assert Mailing.objects.filter(requires_us_mail=True).count() == 1


def test_the_owners_page_names_the_parcel_that_is_left(
    as_inspector: Client, order: StopWorkOrder, at
) -> None:
    at("2026-11-16")
    order.site.parcels.create(number="0240-9001-002")
    address = reverse("owner_notice_new", args=[order.site.number])
    given = typed(as_inspector, address, **WORK)
    (means,) = known(given, "means")
    given |= {means: "none", "new-0-name": "Ann Berg", "new-0-address": "1 Elm Court"}
    given |= {"new-0-role": "landowner", "new-0-parcel": "0240-9001-002", "new-0-means": "us_mail"}
    response = send(as_inspector, address, **given, step="check")
    first = order.site.parcels.order_by("pk").first()
    assert f"owner of parcel {first}" in words(response)


def test_without_a_permit_the_page_sends_to_the_other_notice(as_inspector: Client, at) -> None:
    at("2026-11-16")
    order = order_standing()
    response = as_inspector.get(reverse("owner_notice_new", args=[order.site.number]))
    assert "only a permit has an escrow" in words(response)
    assert "Notice of intent" in words(response)


# City work --------------------------------------------------------------------------------

BEGIN = {"done_by": "crew", "doer": "Street department"}


def test_a_direct_post_before_the_day_of_entry_is_refused_with_it(
    as_inspector: Client, order: StopWorkOrder, at
) -> None:
    at("2026-12-12")
    notice = works.intent(order, on=SAFE)
    address = reverse("city_work_new", args=[notice.key])
    response = send(as_inspector, address, **BEGIN, begun_on="2026-12-12", step="confirm")
    assert "Sunday, December 13, 2026" in words(response)
    assert not CityWork.objects.exists()


def test_work_is_begun_costed_and_closed_on_the_pages(
    as_inspector: Client, order: StopWorkOrder, at
) -> None:
    at("2026-12-14")
    notice = works.intent(order, on=SAFE)
    address = reverse("city_work_new", args=[notice.key])
    shown = send(as_inspector, address, **BEGIN, begun_on="2026-12-14", step="check")
    assert "No photo shows the land before the work" in words(shown)
    done = send(as_inspector, address, **BEGIN, begun_on="2026-12-14", step="confirm")
    made = CityWork.objects.get()
    assert done.url == made.get_absolute_url()
    cost = {
        "kind": "labor",
        "on": "2026-12-14",
        "description": "Crew of two",
        "quantity": "2.5",
        "unit": "hours",
        "rate": "33.33",
    }
    add = reverse("work_cost", args=[made.key])
    refused = send(as_inspector, add, **cost)
    assert refused.context["form"].errors.keys() == {"proof_words"}
    assert send(as_inspector, add, **cost, proof_words="Time sheet 14").status_code == 303
    assert "$83.33" in words(as_inspector.get(made.get_absolute_url()))
    close = reverse("work_close", args=[made.key])
    assert send(as_inspector, close, step="check").context["form"].errors.keys() == {"note"}
    shown = send(as_inspector, close, note="Seeded.", step="check")
    assert "Close the work at $83.33?" in words(shown)
    assert send(as_inspector, close, note="Seeded.", step="confirm").status_code == 303
    made.refresh_from_db()
    assert str(made.total) == "83.33"
    late = send(as_inspector, add, **cost, proof_words="Time sheet 15")
    assert late.status_code == 409
    assert "its total is fixed" in words(late)


def test_the_clerk_enters_costs_and_takes_them_back_and_closes_nothing(
    client: Client, order: StopWorkOrder, at
) -> None:
    at("2026-12-14")
    made = works.begun(works.intent(order, on=SAFE), on=ENTRY)
    cost = work.add_cost(made, works.cost(ENTRY), by=inspector(), on=ENTRY)
    client.force_login(clerk())
    assert client.get(reverse("work_cost", args=[made.key])).status_code == 200
    assert client.get(reverse("work_close", args=[made.key])).status_code == 404
    back = reverse("work_cost_reverse", args=[made.key, cost.pk])
    assert send(client, back, reason="Entered twice.").status_code == 303
    assert made.sum_of_costs() == 0
    assert "already" in words(client.get(back))


def test_the_list_of_city_work_is_for_the_city(client: Client, order: StopWorkOrder, at) -> None:
    at("2026-12-14")
    made = works.begun(works.intent(order, on=SAFE), on=ENTRY)
    address = reverse("city_works")
    client.force_login(clerk())
    assert made.get_absolute_url() in words(client.get(address))
    assert made.get_absolute_url() not in words(client.get(f"{address}?state=closed"))
    assert order.permit is not None
    client.force_login(order.permit.application.applicant)
    assert client.get(address).status_code == 404


def test_work_paid_from_the_escrow_says_so(as_inspector: Client, order: StopWorkOrder, at) -> None:
    at("2026-11-16")
    assert order.permit is not None
    notice = works.owner_notice(order.permit, on=date(2026, 11, 16))
    (letter,) = owner_notices.letters_of(notice)
    works.mailed(letter, on=date(2026, 11, 16))
    notice.refresh_from_db()
    at("2026-11-30")
    made = works.begun(notice)
    assert "drawn from the escrow" in words(as_inspector.get(made.get_absolute_url()))
