"""A payer without the case: number and code open the bill, and nothing else does."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.template.loader import render_to_string
from django.test import Client

from escrow.bills import code, making, moving, papers, telling
from escrow.bills.account import standing
from escrow.bills.code import code_of
from escrow.bills.payers import payers
from escrow.models import Bill, OnlinePayment
from escrow.online import provider
from portal import papers as all_papers
from portal.models import Mailing, OutboxMessage
from tests import factory
from tests.escrow import online
from tests.escrow.by_code import asks, enter, opened, page_of, text
from tests.escrow.provider_on_loopback import Provider
from tests.escrow.provider_on_loopback import provider as on_loopback

pytestmark = pytest.mark.django_db

TODAY = online.TODAY
WRONG = "No bill has this number together with this code."


@pytest.fixture(autouse=True)
def _ready(at, monkeypatch: pytest.MonkeyPatch, settings) -> None:
    online.make_ready(settings, monkeypatch, at)


@pytest.fixture
def stripe(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """The provider, on this machine."""
    with on_loopback() as made:
        monkeypatch.setattr(provider, "ADDRESSES", {"api": made.url})
        yield made


@pytest.fixture
def bill() -> Bill:
    return online.a_bill()


# The code ---------------------------------------------------------------------------------


def test_a_code_is_three_groups_of_four_signs_that_cannot_be_misread(bill: Bill) -> None:
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}", code_of(bill))


def test_a_code_stays_with_its_bill_and_is_of_no_other(bill: Bill, settings) -> None:
    before = code_of(bill)
    assert code_of(Bill.objects.get(pk=bill.pk)) == before
    assert code_of(online.a_bill()) != before
    settings.RECORD_KEY = "a guess"
    assert code_of(bill) != before


def test_codes_use_all_their_signs() -> None:
    seen = {sign for _ in range(200) for sign in code._code(uuid.uuid4())}
    assert seen == set(code.SIGNS) | {"-"}


@pytest.mark.parametrize(
    "typed",
    [
        str.lower,
        lambda right: right.replace("-", ""),
        lambda right: f"  {right.replace('-', ' ')} ",
        lambda right: right.replace("-", "\N{EN DASH}").replace("0", "o").replace("1", "l"),
    ],
)
def test_a_code_is_taken_however_it_is_typed(bill: Bill, typed: Any) -> None:
    assert code.find_bill_by_code(bill.number.lower(), typed(code_of(bill))) == bill


def test_the_number_is_taken_with_another_dash_and_blanks(bill: Bill) -> None:
    number = f" {bill.number.replace('-', chr(0x2013))} "
    assert code.find_bill_by_code(number, code_of(bill)) == bill


# The door ---------------------------------------------------------------------------------


def test_number_and_code_open_the_bill(bill: Bill) -> None:
    shown = text(opened(bill).get(page_of(bill)))
    assert "$1,200.00 is owed." in shown
    assert bill.number in shown
    assert "Last day" in shown
    assert shown.count('<details class="date">') == 3, "the last day to pay, and two of appeal"
    assert "may appeal to the board of zoning appeals" in shown
    assert "A check made out to the City of Example" in shown


@pytest.mark.parametrize(
    ("number", "typed"),
    [
        ("right", "0000-0000-0000"),
        ("right", "other"),
        ("BL-1999-0001", "right"),
        ("BL-1999-0001", "0000-0000-0000"),
        ("right", "é☃"),
        ("☃", "right"),
        ("' OR 1=1 --", "x" * 40),
    ],
)
def test_whatever_is_wrong_the_words_are_the_same(bill: Bill, number: str, typed: str) -> None:
    typed = {"right": code_of(bill), "other": code_of(online.a_bill())}.get(typed, typed)
    client = Client()
    answer = enter(client, bill.number if number == "right" else number, typed)
    assert answer.status_code == 200
    assert WRONG in text(answer)
    assert client.get(page_of(bill)).status_code == 302
    assert "bills opened" not in client.session


def test_what_was_typed_is_kept_and_stands_in_no_address(bill: Bill) -> None:
    answer = enter(Client(), bill.number, "7KQ4-WX9T-3MPD")
    assert "7KQ4-WX9T-3MPD" in text(answer)
    assert bill.number in text(answer)
    assert 'method="post"' in text(Client().get("/pay/"))
    landed = enter(Client(), bill.number, code_of(bill))
    assert code_of(bill) not in landed.headers["Location"]


def test_the_link_of_the_mail_brings_the_number(bill: Bill) -> None:
    assert f'value="{bill.number}"' in text(Client().get("/pay/", {"bill": bill.number}))


def test_tries_are_counted_by_number_and_place(bill: Bill, settings) -> None:
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"bill_code": "3/15m/key,5/15m/ip"}
    other = online.a_bill()
    client = Client()
    assert [enter(client, bill.number, "no").status_code for _ in range(3)] == [200] * 3
    refused = enter(client, bill.number, code_of(bill))
    assert refused.status_code == 429
    assert "Too many tries" in text(refused)
    assert client.get(page_of(bill)).status_code == 302
    away = Client(REMOTE_ADDR="203.0.113.9")
    assert enter(away, bill.number, code_of(bill)).status_code == 303, "nobody locks another out"
    assert enter(client, other.number, code_of(other)).status_code == 303
    third = online.a_bill()
    assert enter(client, third.number, "no").status_code == 200
    assert enter(client, third.number, "no").status_code == 429, "the tries of a place are counted"
    cache.clear()


def test_whoever_has_not_opened_it_learns_nothing(bill: Bill) -> None:
    payment = online.begun_with_code(bill, amount="200.00")
    stranger, nobody = Client(), uuid.uuid4()
    for page in ("", f"payments/{payment.key}/", "receipts/RC-2026-0001/"):
        there, not_there = (stranger.get(f"/pay/{key}/{page}") for key in (bill.key, nobody))
        assert there.status_code == not_there.status_code == 302
        assert there.headers["Location"].startswith("/pay/?next=")
        assert there.content == not_there.content
    assert stranger.post(page_of(bill), asks("confirm")).status_code == 302
    assert OnlinePayment.objects.count() == 1


def test_an_account_alone_opens_nothing_here(bill: Bill) -> None:
    client = Client()
    client.force_login(factory.clerk())
    assert client.get(page_of(bill)).status_code == 302


def test_one_bill_opens_no_other(bill: Bill) -> None:
    other = online.a_bill()
    payment = online.begun_with_code(other, amount="200.00")
    client = opened(bill)
    assert client.get(page_of(other)).status_code == 302
    assert client.get(f"{page_of(bill)}payments/{payment.key}/").status_code == 404


def test_a_bill_is_shut_after_two_hours(bill: Bill, at) -> None:
    client = opened(bill)
    at(TODAY, "13:59")
    assert client.get(page_of(bill)).status_code == 200
    at(TODAY, "14:01")
    assert client.get(page_of(bill)).status_code == 302


def test_a_bill_is_closed_on_a_shared_computer(bill: Bill) -> None:
    client = opened(bill)
    assert client.get(f"{page_of(bill)}close/").status_code == 405
    assert client.post(f"{page_of(bill)}close/").status_code == 303
    assert client.get(page_of(bill)).status_code == 302


def test_opening_gives_the_session_a_new_key_that_ends_with_the_browser(bill: Bill) -> None:
    client = opened(online.a_bill())
    before = client.session.session_key
    opened(bill, client)
    assert client.session.session_key != before
    assert client.session.get_expire_at_browser_close()


def test_the_page_that_was_wanted_is_shown_and_none_elsewhere(bill: Bill) -> None:
    payment = online.begun_with_code(bill, amount="200.00")
    wanted = f"{page_of(bill)}payments/{payment.key}/"
    right = code_of(bill)
    assert enter(Client(), bill.number, right, next=wanted).headers["Location"] == wanted
    for elsewhere in ("https://example.com/", "//example.com", f"/pay/{uuid.uuid4()}/", "/desk/"):
        answer = enter(Client(), bill.number, right, next=elsewhere)
        assert answer.headers["Location"] == page_of(bill)


# Paper and mail ---------------------------------------------------------------------------


def html_of(monkeypatch: pytest.MonkeyPatch, run: Any) -> str:
    """What the papers of an act say."""
    said: list[str] = []

    def make(template: str, context: dict[str, Any]) -> Any:
        said.append(render_to_string(template, context))
        return all_papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)

    monkeypatch.setattr(all_papers, "make", make)
    run()
    return " ".join(" ".join(said).split())


def test_bill_and_statement_print_address_number_and_code(
    bill: Bill, monkeypatch: pytest.MonkeyPatch, settings
) -> None:
    settings.PUBLIC_URL = "https://permits.city.example"
    now = standing(bill, on=TODAY)
    for make in (
        lambda: papers.bill_paper(bill),
        lambda: papers.statement_paper(bill, now, on=TODAY),
    ):
        printed = html_of(monkeypatch, make)
        assert "https://permits.city.example/pay/" in printed
        assert code_of(bill) in printed
        assert bill.number in printed


def test_the_mail_has_the_code_in_its_words_and_not_in_its_link(settings) -> None:
    settings.PUBLIC_URL = "https://permits.city.example"
    known = online.a_bill().site
    moving.withdraw(known.bills.get(), reason="Anew.", by=factory.clerk(), on=TODAY)
    landowner = payers(known, None)[-1]
    made = making.bill_work(known.bills.get().work, landowner, by=factory.clerk(), on=TODAY)
    with_mail = telling.email_of(made)
    telling.tell_payer(
        made, f"bill_withdrawn:{made.number}x", subject="A word", on=TODAY, paper=None, reason="x"
    )
    bodies = [each.body for each in OutboxMessage.objects.filter(reference=made.site.number)]
    told = [body for body in bodies if code_of(made) in body]
    assert with_mail
    assert len(told) == 2
    for body in told:
        assert f"https://permits.city.example/pay/?bill={made.number}" in body
        assert code_of(made) not in re.findall(r"https?://\S+", body)
    for each in OutboxMessage.objects.exclude(recipient=with_mail):
        assert code_of(made) not in each.body
    assert Mailing.objects.filter(reference=made.site.number).exists()
