"""Rows of money are added and stay: raw SQL changes and removes none, on either database.

The tables are read from the models, so that a new one cannot be forgotten. DESIGN.md 4
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction

from escrow import journal
from escrow.books import bank, closing
from escrow.guards import APPEND_ONLY, KEPT
from escrow.models import (
    Assessment,
    Bill,
    BillEntry,
    CheckRequest,
    Demand,
    Division,
    DivisionShare,
    EscrowEntry,
    Forfeiture,
    Instrument,
    InstrumentOwner,
    InstrumentRenewal,
    InstrumentReturn,
    IssuerPayment,
    OnlineEvent,
    ParcelNote,
    Receipt,
    Release,
    RollCharge,
    RollOutcome,
    SetAsideDone,
)
from permits.models import Permit
from portal import papers
from tests import factory, scene_money
from tests.factory import MONDAY

from . import money
from .walked_books import FACTS

MODELS = {model._meta.db_table: model for model in apps.get_app_config("escrow").get_models()}
ELSEWHERE = {
    source.model._meta.db_table: source.model
    for source in journal.SOURCES
    if source.model._meta.db_table not in MODELS and source.name != "appeal"
}
"""Tables of other parts that the accounts are added up from; an appeal has a status."""
FACTS_ALONE = {
    "escrow_bill": ("amount", "cost", "due_on"),
    "escrow_rollbatch": ("total", "count", "sha256"),
    "escrow_release": ("amount", "proposed_on"),
    "escrow_forfeiture": ("amount", "due_on"),
}
CENT = Decimal("0.01")


def test_every_table_of_the_money_is_guarded() -> None:
    assert set(MODELS) == set(APPEND_ONLY) | set(KEPT)
    assert not set(APPEND_ONLY) & set(KEPT)
    assert set(FACTS) == set(FACTS_ALONE) == set(KEPT)
    assert sorted(ELSEWHERE) == ["enforcement_workcost", "permits_feeentry"]


@pytest.fixture(scope="module")
def rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """At least one row in every table of the money; gone when the module ends."""
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        made = papers.Made(b"%PDF-1.7 a stand-in\n%%EOF\n", 1)
        patch.setattr(papers, "make", lambda template, context: made)
        with transaction.atomic():
            scene_money.arguments(factory.applicant())
            permit = factory.issued().permit
            permit.refresh_from_db()
            make_rows_of_the_escrow(permit)
            make_rows_of_bills(permit)
            connection.check_constraints()  # now: TRUNCATE waits for none that is deferred
            yield
            transaction.set_rollback(True)


def make_rows_of_the_escrow(permit: Permit) -> None:
    """A bond with all that can be said of it; a draw on it, demanded and paid; proposals."""
    by, cents = {"on": MONDAY, "by": factory.clerk()}, Decimal("1.00")
    bond = Instrument.objects.create(
        permit=permit,
        form="bond",
        amount=Decimal("100.00"),
        received_on=MONDAY,
        issuer="Lake States Surety",
        instrument_number="B-1",
        posted_by=factory.clerk(),
    )
    EscrowEntry.objects.create(
        permit=permit, instrument=bond, kind="posted", amount=bond.amount, **by
    )
    InstrumentRenewal.objects.create(instrument=bond, expires_on=None, **by)
    InstrumentOwner.objects.create(
        instrument=bond, name="Mai Vang", address="1 Mill Street", why="She said so.", **by
    )
    InstrumentReturn.objects.create(instrument=bond, to="Mai Vang", how="handed over", **by)
    drawn = money.draw(money.escrow_work(permit), "1.00")
    entry = EscrowEntry.objects.create(
        permit=permit, instrument=bond, kind="drawn", amount=-cents, draw=drawn, **by
    )
    demand = Demand.objects.create(entry=entry, **by)
    receipt = Receipt.objects.create(
        number="RC-1", site=permit.site, amount=cents, means="cash", paid_by="Surety", **by
    )
    IssuerPayment.objects.create(demand=demand, amount=cents, receipt=receipt, **by)
    proposal = {
        "site": permit.site,
        "permit": permit,
        "amount": cents,
        "proposed_on": MONDAY,
        "proposed_by": factory.clerk(),
    }
    release = Release.objects.create(number="RL-1", **proposal)
    CheckRequest.objects.create(release=release, payee="Mai Vang", address="1", amount=cents, **by)
    Forfeiture.objects.create(
        number="FO-1", what_is_open="All.", due_on=MONDAY - timedelta(days=1), **proposal
    )


def make_rows_of_bills(permit: Permit) -> None:
    """An assessment, a division, what the roll and a clerk did, the bank and the close."""
    by = {"on": MONDAY, "by": factory.clerk()}
    above = Bill.objects.create(
        number="BL-1",
        site=permit.site,
        permit=permit,
        work=money.escrow_work(permit, costs=("5.00",)),
        ground="owner-notice",
        path="assessment",
        cost=Decimal("5.00"),
        amount=Decimal("5.00"),
        payer="permittee",
        payer_name="Mai Vang",
        payer_address="1 Mill Street",
        billed_on=MONDAY - timedelta(days=40),
        due_on=MONDAY - timedelta(days=10),
        due_days=30,
        due_resolution="2026-9",
        billed_by=factory.clerk(),
    )
    Assessment.objects.create(
        number="AS-1",
        site=permit.site,
        bill=above,
        levied_on=MONDAY,
        resolution="2026-20",
        cost=Decimal("5.00"),
        rate=Decimal("5.5"),
        rate_resolution="2026-1",
        fee=Decimal("0.00"),
        fee_resolution="2026-2",
        levied_by=factory.clerk(),
    )
    division = Division.objects.create(bill=above, basis="equal", why="Agreed.", **by)
    parcel = permit.site.parcels.get()
    DivisionShare.objects.create(division=division, parcel=parcel, weight=Decimal(1))
    ParcelNote.objects.create(parcel=parcel, kind="confirmed", **by)
    charge = RollCharge.objects.first()
    RollOutcome.objects.create(charge=charge, kind="accepted", **by)
    SetAsideDone.objects.create(event=OnlineEvent.objects.first(), what="Asked them.", **by)
    total = bank.takings(MONDAY, MONDAY).total
    bank.deposit(since=MONDAY, until=MONDAY, total=total, **by)
    drawer = closing.drawer(MONDAY)
    closing.close(MONDAY, expected=drawer, counted=drawer, why="", **by)


def refused(sql: str, words: str) -> None:
    with pytest.raises(IntegrityError, match=words), transaction.atomic():
        connection.cursor().execute(sql)


@pytest.mark.django_db
@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("table", sorted({*MODELS, *ELSEWHERE}))
def test_no_row_of_money_is_changed_or_removed(table: str) -> None:
    model = (MODELS | ELSEWHERE)[table]
    assert model._default_manager.exists(), f"make a row of {table} for this test"
    before = list(model._default_manager.order_by("pk").values_list())
    refused(f"DELETE FROM {table}", f"{table} is")
    if connection.vendor == "postgresql":
        refused(f"TRUNCATE {table} CASCADE", "is (append-only|never removed from)")
    if table in KEPT:
        for column in FACTS_ALONE[table]:
            other = "'2020-01-01'" if column.endswith("_on") else "7"
            refused(f"UPDATE {table} SET {column} = {other}", "never change")
    else:
        for field in model._meta.concrete_fields:
            same = f'"{field.column}" = "{field.column}"'
            refused(f"UPDATE {table} SET {same}", "append-only")
    assert list(model._default_manager.order_by("pk").values_list()) == before


@pytest.mark.django_db
@pytest.mark.usefixtures("rows")
def test_raw_sql_takes_no_balance_below_zero() -> None:
    """A cent more than is held, or owed, written by hand past every act."""
    entry = EscrowEntry.objects.filter(kind="drawn").first()
    assert entry is not None
    held = entry.instrument.held()
    beyond = copied(EscrowEntry, entry.pk, amount=-(held + CENT))
    refused(beyond, "cannot go below zero")
    payment = BillEntry.objects.filter(kind="payment").first()
    assert payment is not None
    owed = payment.bill.balance()
    refused(copied(BillEntry, payment.pk, amount=-(owed + CENT), receipt_id=None), "a bill owes")
    connection.cursor().execute(copied(EscrowEntry, entry.pk, amount=-held))
    assert entry.instrument.held() == 0
    refused(copied(EscrowEntry, entry.pk, amount=-CENT), "cannot go below zero")


def copied(model: type[Any], pk: int, **other: Any) -> str:
    """The SQL that adds a row like another, but for some columns."""
    table = model._meta.db_table
    names = [each.column for each in model._meta.concrete_fields if not each.primary_key]
    values = [
        ("NULL" if other[name] is None else str(other[name])) if name in other else name
        for name in names
    ]
    quoted = [value if value not in names else f'"{value}"' for value in values]
    columns = ", ".join(f'"{name}"' for name in names)
    return (
        f"INSERT INTO {table} ({columns}) SELECT {', '.join(quoted)} FROM {table} WHERE id = {pk}"
    )
