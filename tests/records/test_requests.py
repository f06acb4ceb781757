"""A request for records is logged, acknowledged and answered once, with its grounds and its fee."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from permits.models import NotNow
from portal.desk.export.making import export
from portal.desk.records.acts import requests
from portal.desk.records.acts.requests import Reply
from portal.desk.records.models import Answer, RecordsRequest
from portal.desk.records.waiting import last_overdue, tallies
from portal.models import CouncilValue, Operation
from portal.ordinance.records import Copying
from tests import factory
from tests.records import scene

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("today")]

REFUSED = {
    "what": "The bank's letter",
    "ground": "financial",
    "reason": "It has an account number.",
}


def answer(request: RecordsRequest, *args: Any, **more: Any) -> Answer:
    by = factory.clerk()
    return requests.answer(request, Reply(*args, **more), by=by, on=scene.TODAY)


def price(page: str = "0.25", hour: str = "25.00") -> None:
    for key, value in (("records_page", page), ("records_hour", hour)):
        CouncilValue.objects.create(
            key=key, value=value, effective_on=date(2026, 1, 1), resolution="2026-4"
        )


# The acts ---------------------------------------------------------------------------------


def test_a_requester_may_stay_anonymous() -> None:
    made = scene.asked()
    assert made.number == "RR-2026-0001"
    assert made.who == "A requester who gave no name"
    assert made.answer_deadline().on == date(2026, 12, 1)


def test_what_is_given_is_on_the_record_of_each_case_by_its_hash() -> None:
    one, other = factory.received(), factory.received()
    made = scene.asked(one.site, other.site)
    paper = one.site.papers.get(kind="receipt")
    answer(made, "given", papers=[paper])
    event = one.site.events.last()
    assert event.kind == "records.given"
    assert event.facts["given"] == [
        {"paper": "Receipt of application", "sha256": paper.document.sha256}
    ]
    assert other.site.events.last().facts["given"] == []
    given = made.answer.given.get()
    assert (given.sha256, given.size) == (paper.document.sha256, paper.document.size)


def test_a_case_file_for_the_public_is_given_by_its_hash(enter: Any) -> None:
    site, other = factory.received().site, factory.received().site
    made = scene.asked(site)
    by, on = factory.clerk(), scene.TODAY
    public = export(site, "public", by=by, on=on).export
    whole = export(site, "full", by=by, on=on).export
    strange = export(other, "public", by=by, on=on).export
    client, url = enter(by), reverse("records_answer", args=[made.key])
    choices = [key for key, _ in client.get(url).context["form"].fields["exports"].choices]
    assert choices == [str(public.pk)]
    rows = {"refusal-TOTAL_FORMS": "0", "refusal-INITIAL_FORMS": "0"}
    form = {**rows, "outcome": "given", "also": "", "words": "", "step": "confirm"}
    for wrong in (whole, strange):
        assert client.post(url, {**form, "exports": [wrong.pk]}).status_code == 200
    assert client.post(url, {**form, "exports": [public.pk]}).status_code in (302, 303)
    given = made.answer.given.get()
    assert (given.sha256, given.size, given.site) == (public.sha256, public.size, site)
    told = {"paper": f"Case file for the public {public}", "sha256": public.sha256}
    assert site.events.last().facts["given"] == [told]


def test_an_answer_comes_once() -> None:
    made = scene.asked()
    answer(made, "none")
    with pytest.raises(NotNow, match="answered already"):
        answer(made, "none")
    assert Answer.objects.count() == 1


@pytest.mark.parametrize(
    ("outcome", "more", "why"),
    [
        ("given", {}, "which records are given"),
        ("denied", {}, "what is withheld"),
        ("in_part", {"also": ["The plan"]}, "what is withheld"),
        ("given", {"also": ["The plan"], "refusals": [REFUSED]}, "given in part"),
    ],
)
def test_an_answer_says_what_its_outcome_must_say(
    outcome: str, more: dict[str, Any], why: str
) -> None:
    made = scene.asked()
    with pytest.raises(NotNow, match=why):
        answer(made, outcome, **more)
    made.refresh_from_db()
    assert made.is_open


def test_each_refusal_has_its_ground_and_the_paper_says_how_it_is_reviewed() -> None:
    made = answer(scene.asked(), "in_part", also=["The plan"], refusals=[REFUSED])
    assert str(made.refusals.get().citation) == "Wis. Stat. § 19.36(13)"
    assert made.paper is not None
    text = text_of(made.paper)
    assert "It has an account number." in text
    assert "mandamus" in text
    assert "19.37(1)" in text


def text_of(paper: Any) -> str:
    """The words of a paper as its reader sees them."""
    import pypdfium2

    with paper.file.open("rb") as file:
        pages = pypdfium2.PdfDocument(file.read())
        words = " ".join(page.get_textpage().get_text_bounded() for page in pages)
    return " ".join(words.split())


def test_the_fee_is_stated_with_the_prices_of_its_day() -> None:
    price()
    copying = Copying(pages=40, locating_hours=Decimal("1.5"))
    made = answer(scene.asked(), "given", also=["The plan"], copying=copying)
    assert made.fee == Decimal("10.00")  # the locating came to $37.50, which is not asked
    CouncilValue.objects.create(
        key="records_page", value="9.00", effective_on=date(2026, 11, 17), resolution="2026-5"
    )
    again = requests.fee_for(requests.copying_of(made), requests.prices_of(made))
    assert again.total == made.fee


def test_nothing_is_charged_where_nothing_is_given() -> None:
    price()
    made = answer(
        scene.asked(), "denied", refusals=[REFUSED], copying=Copying(pages=40, mailing=Decimal(3))
    )
    assert made.fee == 0


def test_prepayment_is_asked_only_above_five_dollars() -> None:
    made, by = scene.asked(), factory.clerk()
    with pytest.raises(NotNow, match="more than"):
        requests.acknowledge(made, words="Soon.", prepayment=Decimal(5), by=by, on=scene.TODAY)
    told = requests.acknowledge(
        made, words="Soon.", prepayment=Decimal("5.01"), by=by, on=scene.TODAY
    )
    assert told.prepayment == Decimal("5.01")


def test_a_withdrawn_request_is_closed_and_holds_nothing() -> None:
    from portal.desk.records.facts import retention_for

    site = factory.withdrawn().site
    made = scene.asked(site)
    assert "request" in {each.key for each in retention_for(site, on=scene.TODAY).obstacles}
    requests.withdraw(made, words="By telephone.", by=factory.clerk(), on=scene.TODAY)
    assert "request" not in {each.key for each in retention_for(site, on=scene.TODAY).obstacles}


def test_the_facts_of_a_request_never_change() -> None:
    made = scene.asked()
    for act in (
        lambda: RecordsRequest.objects.update(asked="Nothing"),
        lambda: RecordsRequest.objects.filter(pk=made.pk).delete(),
        lambda: answer(made, "none") and Answer.objects.update(fee=5),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            act()


# The pages --------------------------------------------------------------------------------


def test_the_overdue_stand_on_top(enter: Any) -> None:
    late = scene.asked(on=scene.TODAY - timedelta(30), requester="Kim Larsen")
    scene.asked(requester="Ana Ruiz")
    page = enter(factory.clerk()).get(reverse("records_requests"))
    assert page.context["rows"][0][0] == late
    assert [row[2] for row in page.context["rows"]] == [True, False]
    assert b"overdue" in page.content


@pytest.mark.parametrize("days", [13, 14, 15, 16, 17])
def test_the_desk_counts_the_overdue_as_the_rule_does(days: int) -> None:
    made = scene.asked(on=scene.TODAY - timedelta(days))
    counts = {heading: count for _, heading, count in tallies(factory.clerk(), on=scene.TODAY)}
    assert counts["Overdue"] == int(made.is_late(scene.TODAY))
    assert (made.received_on <= last_overdue(scene.TODAY)) is made.is_late(scene.TODAY)


FORM = {
    "received_on": "2026-11-13",
    "how": "email",
    "asked": "Everything about the pond.",
    "numbers": "",
    "requester": "",
    "contact": "",
}


def send(client: Any, url: str, form: dict[str, Any], step: str = "confirm") -> Any:
    token = "0b9cba0a-6a5b-4a4b-9be8-d1f3c1b1a001"
    return client.post(url, {**form, "step": step, "operation": token})


def test_a_form_sent_twice_logs_one_request(enter: Any) -> None:
    client, url = enter(factory.clerk()), reverse("records_request_add")
    assert b"the rule of thumb ends on" in send(client, url, FORM, "check").content
    first, second = send(client, url, FORM), send(client, url, FORM)
    assert first.status_code == second.status_code == 303
    assert first.url == second.url
    assert RecordsRequest.objects.count() == Operation.objects.count() == 1
    other = {**FORM, "asked": "Something else."}
    assert send(client, url, other).status_code == 409


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"received_on": "2026-11-17"}, "still to come"),
        ({"asked": ""}, "required"),
        ({"numbers": "EC-2026-9999"}, "No case has the number EC-2026-9999."),
        ({"how": ""}, "How did it come in?"),
    ],
)
def test_what_cannot_be_taken_is_said_and_all_that_was_typed_stays(
    enter: Any, wrong: dict[str, str], said: str
) -> None:
    page = send(enter(factory.clerk()), reverse("records_request_add"), {**FORM, **wrong}, "check")
    assert page.status_code == 200
    text = page.content.decode()
    assert said in text
    assert wrong.get("asked", FORM["asked"]) in text
    assert not RecordsRequest.objects.exists()


def test_cases_are_found_by_any_of_their_numbers(enter: Any) -> None:
    case = factory.issued()
    numbers = f"{case.site.number}\n{case.number.lower()}, {case.permit.number}"
    send(enter(factory.clerk()), reverse("records_request_add"), {**FORM, "numbers": numbers})
    assert list(RecordsRequest.objects.get().sites.all()) == [case.site]


ROWS = {
    "refusal-TOTAL_FORMS": "2",
    "refusal-INITIAL_FORMS": "0",
    "refusal-0-what": "",
    "refusal-0-ground": "exempt",
    "refusal-0-reason": "",
    "refusal-1-what": "",
    "refusal-1-ground": "exempt",
    "refusal-1-reason": "",
}


def test_an_answer_is_shown_before_it_is_given_and_kept_after_it(enter: Any) -> None:
    price()
    case = factory.received()
    made = scene.asked(case.site)
    paper = case.site.papers.get(kind="receipt")
    client, url = enter(factory.clerk()), reverse("records_answer", args=[made.key])
    form = {**ROWS, "outcome": "given", "papers": [paper.pk], "also": "", "pages": "12"}
    shown = send(client, url, form, "check")
    assert "Twelve pages at $0.25: $3.00" in shown.content.decode()
    page = client.get(send(client, url, form).url)
    assert page.context["answer"].fee == Decimal("3.00")
    assert b"Receipt of application" in page.content
    pdf = client.get(reverse("records_answer_paper", args=[made.key]))
    assert pdf["Content-Type"] == "application/pdf"
    assert client.post(url, {**form, "step": "confirm"}).status_code == 409


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"outcome": "given"}, "Say which records are given"),
        ({"outcome": "denied"}, "Say what is withheld."),
        ({"outcome": "none", "also": "The plan"}, "Something is given"),
        ({"outcome": "given", "also": "x", "pages": "many"}, "whole number"),
        ({"outcome": "denied", "refusal-0-what": "The plan"}, "required"),
    ],
)
def test_a_wrong_answer_is_refused_in_words(enter: Any, form: dict[str, str], said: str) -> None:
    made = scene.asked()
    url = reverse("records_answer", args=[made.key])
    page = send(enter(factory.clerk()), url, {**ROWS, **form}, "check")
    assert page.status_code == 200
    assert said in page.content.decode()
    assert not Answer.objects.exists()


def test_papers_for_the_city_only_are_not_offered(enter: Any) -> None:
    case = factory.received()
    case.site.papers.create(
        kind="attorney_packet",
        document=case.site.papers.get(kind="receipt").document.__class__.objects.create(
            kind="attorney_packet", title="Packet", file="papers/none.pdf", size=1, pages=1
        ),
    )
    made = scene.asked(case.site)
    page = enter(factory.clerk()).get(reverse("records_answer", args=[made.key]))
    kinds = {each.kind for each in page.context["form"].known.values()}
    assert kinds == {"receipt"}


def test_pages_ask_little_however_many_requests_there_are(
    enter: Any, django_assert_max_num_queries: Any
) -> None:
    sites = [factory.received().site for _ in range(3)]
    for _ in range(30):
        made = scene.asked(*sites)
    client = enter(factory.clerk())
    for url in (reverse("records_requests"), made.get_absolute_url(), reverse("desk")):
        with django_assert_max_num_queries(25):
            assert client.get(url).status_code == 200
