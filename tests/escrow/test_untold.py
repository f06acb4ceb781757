"""What was taken off the roll and no certified correction told it: before the delivery and after.

Former § 17.19(7)(e), Wis. Stat. § 74.03. The roll of 2026 is delivered on December 21.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from escrow.books import proof
from escrow.books.trial import trial_balance
from escrow.models import Bill, RollCharge, RollLayout, RollOutcome
from escrow.roll import certify, outcomes, told
from escrow.roll.corrections import corrections
from permits.models import NotNow
from portal.models import OutboxMessage
from tests import factory
from tests.mails import check_reading
from tests.review.pages import fields_of, signed_in, text_of

from .rolls import CHARGE, CUT_OFF, billed, certified, correct, propose_corrections
from .test_roll_after import _quick, _time_to_pay, layout, pay_late

__all__ = ["_quick", "_time_to_pay", "layout"]  # the fixtures of the neighbour

pytestmark = pytest.mark.django_db
PAID, DELIVERED = date(2026, 12, 1), date(2026, 12, 21)
KIND = RollOutcome.Kind


@pytest.fixture
def charge(layout: RollLayout) -> RollCharge:
    """A charge that was paid at the counter after it was certified."""
    bill = billed()
    certified(layout)
    pay_late(bill, on=PAID)
    return RollCharge.objects.get()


def settle(charge: RollCharge, kind: str, *, on: date = DELIVERED, **more: Any) -> Any:
    facts = {"reason": "The treasurer's letter of January 4.", "reference": "T-77", **more}
    return told.settle(charge, kind=kind, by=factory.clerk(), on=on, today=on, **facts)


def reminded(on: date) -> list[str]:
    """Who is reminded by the round of a day, and nobody twice."""
    before = set(OutboxMessage.objects.values_list("pk", flat=True))
    count = told.remind(on)
    new = OutboxMessage.objects.exclude(pk__in=before)
    assert (len(new), told.remind(on)) == (count, 0)
    for mail in new:
        check_reading(mail)
    return sorted(mail.recipient for mail in new)


def test_the_clerk_is_reminded_before_the_roll_goes_to_the_treasurer(
    charge: RollCharge, layout: RollLayout
) -> None:
    clerk, second = factory.clerk(), factory.administrator()
    found = told.untold(on=PAID)
    assert (found.count, found.open_total, found.late) == (1, Decimal("1200.00"), ())
    assert reminded(date(2026, 12, 6)) == []
    assert reminded(date(2026, 12, 7)) == [clerk.email]
    assert reminded(date(2026, 12, 13)) == []
    waiting = {"layout": layout, "by": clerk, "on": date(2026, 12, 14), "year": 2026}
    batch = propose_corrections(
        corrections(2026, CHARGE), instrument=CHARGE, cut_off_on=CUT_OFF, **waiting
    )
    assert reminded(date(2026, 12, 15)) == sorted([clerk.email, second.email])
    certify.certify(batch, signed=batch.sha256, by=second, on=date(2026, 12, 18))
    assert told.untold(on=date(2026, 12, 18)).count == 0
    assert reminded(date(2026, 12, 20)) == reminded(DELIVERED) == []


def test_after_the_delivery_it_is_asked_for_once_and_settled_by_a_row(
    charge: RollCharge, layout: RollLayout
) -> None:
    with pytest.raises(NotNow, match="Until then a correction batch tells the county"):
        settle(charge, KIND.DROPPED, on=date(2026, 12, 20))
    with pytest.raises(NotNow, match="is with the treasurer"):
        correct(layout, on=DELIVERED)
    assert reminded(DELIVERED) == [factory.clerk().email]
    assert reminded(date(2026, 12, 28)) == []
    (found,) = told.untold(on=DELIVERED).late
    assert (found.charge, found.amount) == (charge, Decimal("1200.00"))
    assert outcomes.paid_aside(charge) == [found]
    balance = trial_balance(on=date(2027, 1, 31))
    (row,) = settle(charge, KIND.DROPPED, on=date(2027, 1, 4))
    assert (row.entry, row.amount, row.reference) == (found.entry, 0, "T-77")
    assert told.untold(on=date(2027, 1, 5)).count == 0
    assert outcomes.paid_aside(charge) == []
    assert list(proof.problems()) == []
    after = trial_balance(on=date(2027, 1, 31))
    assert after.is_right
    assert after.total == balance.total, "no money moves in the city's books"
    event = charge.bill.site.events.filter(kind="roll.corrected").get()
    assert (event.facts["how"], event.facts["amount"]) == ("dropped", "1200.00")


def test_what_was_recorded_in_error_is_open_again_and_the_first_row_stays(
    charge: RollCharge,
) -> None:
    with pytest.raises(NotNow, match="nothing of which"):
        settle(charge, KIND.REOPENED)
    settle(charge, KIND.PAID_BACK)
    with pytest.raises(NotNow, match="nothing of which"):
        settle(charge, KIND.DROPPED)
    settle(charge, KIND.REOPENED)
    assert told.untold(on=DELIVERED).count == 1
    settle(charge, KIND.DROPPED)
    kinds = list(charge.outcomes.order_by("pk").values_list("kind", flat=True))
    assert kinds == ["paid_back", "reopened", "dropped"]


def test_a_charge_about_which_the_roll_knows_all_has_nothing_to_settle(
    layout: RollLayout,
) -> None:
    billed()
    certified(layout)
    with pytest.raises(NotNow, match="knows all that was taken off"):
        settle(RollCharge.objects.get(), KIND.DROPPED)


def test_the_database_wants_the_entry_and_the_reason_and_no_amount(charge: RollCharge) -> None:
    (found,) = told.untold(on=PAID).open
    row = {"charge": charge, "kind": "dropped", "on": DELIVERED, "by": factory.clerk()}
    good = {"entry": found.entry, "reason": "Its letter.", "amount": 0}
    for wrong in ({"entry": None}, {"reason": ""}, {"amount": Decimal("1.00")}):
        with pytest.raises(IntegrityError), transaction.atomic():
            RollOutcome.objects.create(**{**row, **good, **wrong})


def test_the_clerk_sees_it_on_roll_and_desk_and_records_what_became_of_it(
    charge: RollCharge, at: Any, django_assert_max_num_queries: Any
) -> None:
    bill = charge.bill
    at(PAID)
    clerk = signed_in(factory.clerk())
    for name in ("roll", "desk"):
        assert "$1,200.00" in text_of(clerk.get(reverse(name)))
        assert "Monday, December 21, 2026" in text_of(clerk.get(reverse(name)))
    at(date(2027, 1, 4))
    clerk = signed_in(factory.clerk())
    with django_assert_max_num_queries(25):
        page = text_of(clerk.get(reverse("roll")))
    assert "Taken off here, and not told the roll" in page
    with django_assert_max_num_queries(25):
        assert "Corrections that the tax roll does not know" in text_of(clerk.get(reverse("desk")))
    address = reverse("roll_settle", args=[charge.number])
    sent = fields_of(clerk.get(address)) | {"kind": "dropped", "on": "2027-01-04"}
    missing = clerk.post(address, sent | {"reference": "T-77"})
    assert "T-77" in missing.content.decode()
    done = sent | {"reason": "The treasurer's letter.", "reference": "T-77"}
    assert clerk.post(address, done).status_code == clerk.post(address, done).status_code == 303
    assert charge.outcomes.count() == 1, "sent twice, recorded once"
    assert "Taken off here" not in text_of(clerk.get(reverse("roll")))
    assert isinstance(bill, Bill)
    story = text_of(clerk.get(bill.site.get_absolute_url()))
    assert f"$1,200.00 of charge {charge.number} was dropped by the treasurer" in story
