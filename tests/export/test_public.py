"""What the public gets of a case that people made: pictures without position, texts masked."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.storage import default_storage
from PIL import Image

from escrow.bills import papers as bill_papers
from escrow.bills.account import standing
from escrow.bills.code import code_of
from inspections.acts import upkeep as upkeep_acts
from permits.models import Application, CasePaper, MaintenanceAgreement
from portal import papers
from portal.desk.export import policy
from portal.desk.export.content import pointers
from portal.desk.export.files import texts
from portal.desk.export.public import mask
from portal.desk.export.tables import tables
from portal.models import Upload
from portal.stored import NotStored
from portal.uploads.store import store
from tests import factory, upkeep
from tests.escrow import online
from tests.export.bags import Opened, make, opened
from tests.floor.sample_files import MADISON, jpeg, sent

pytestmark = pytest.mark.django_db


@pytest.fixture
def issued(at) -> Application:
    at(factory.MONDAY)
    return factory.issued()


def public(application: Application, folder: Path) -> Opened:
    return opened(make(application.site, folder, "public"), folder)


def test_a_photo_is_given_as_a_picture_without_its_data(issued, tmp_path: Path) -> None:
    photo = store(sent("place.jpg", jpeg(at=MADISON)), by=issued.applicant)
    issued.latest_revision().sheets.create(upload=photo, title="Photo")
    assert photo.previews.exists()
    whole = opened(make(issued.site, tmp_path), tmp_path)
    assert photo.sha256 in whole["manifest-sha256.txt"].decode()
    assert b"CanaryCamera" in b"".join(whole.files.values())
    bag = public(issued, tmp_path)
    assert photo.sha256 not in bag["manifest-sha256.txt"].decode()
    (name,) = [name for name in bag.files if name.endswith("place.jpg")]
    with Image.open(io.BytesIO(bag[name])) as picture:
        assert not picture.getexif()
    assert b"CanaryCamera" not in b"".join(bag.files.values())
    listed = {row["what"] for row in bag.table("omissions.csv")}
    assert "photos: the original" in listed


def test_a_paper_that_prints_a_telephone_number_is_held_back(issued, tmp_path: Path) -> None:
    person = issued.parties.get(role="contractor")
    kind = CasePaper.Kind.DENIAL
    for title, text in (("Prints it", person.telephone), ("Prints none", "nothing of it")):
        context = {"title": title, "reference": text, "on": factory.MONDAY}
        made = papers.make("papers/base.html", context)
        document = papers.keep(made, kind=kind.value, title=title)
        CasePaper.objects.create(site=issued.site, kind=kind, document=document)
    titles = {row["title"] for row in public(issued, tmp_path).table("08-documents.csv")}
    assert "Prints none" in titles
    assert "Prints it" not in titles


def test_a_paper_that_could_not_be_looked_into_is_not_given(
    issued, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The storage is away while papers are looked into, and there again when they are packed."""
    read, away = default_storage.open, [True]

    def once_away(name: str, mode: str = "rb") -> Any:
        if away and away.pop():
            raise OSError("away")
        return read(name, mode)

    monkeypatch.setattr(default_storage, "open", once_away)
    with pytest.raises(NotStored):
        public(issued, tmp_path)
    assert not away
    assert not list(tmp_path.glob("*.zip"))


def test_the_code_of_a_bill_is_given_to_nobody_but_its_payer(at, tmp_path: Path) -> None:
    at(online.TODAY)
    bill = online.a_bill()
    bill_papers.statement_paper(bill, standing(bill, on=online.TODAY), on=online.TODAY)
    code = code_of(bill)
    assert code in printed(opened(make(bill.site, tmp_path), tmp_path))
    bag = opened(make(bill.site, tmp_path, "public"), tmp_path)
    assert code not in printed(bag)
    grounds = {row["what"]: row["ground"] for row in bag.table("omissions.csv")}
    for kind in ("Bill for city work", "Statement of account"):
        assert grounds[f"{kind} of {online.TODAY}"] == "Keys of pages"
    assert bag.case["tables"]["escrow.Bill"][0]["number"] == bill.number


def printed(bag: Opened) -> str:
    """What the papers of a bag say, and its other files."""
    files = bag.files.items()
    pages = [page for name, content in files if name.endswith(".pdf") for page in texts(content)]
    return "\n".join([*pages, *(content.decode("latin-1") for _, content in files)])


def test_each_paper_that_prints_a_code_is_held_back() -> None:
    folder = Path(settings.BASE_DIR) / "templates" / "papers"
    telling = [page for page in folder.glob("*.html") if "papers/_pay.html" in page.read_text()]
    assert len(telling) >= 3
    for page in telling:
        assert policy.PAPERS[CasePaper.Kind(page.stem)] == "access"


def test_a_draft_is_not_given(at, tmp_path: Path) -> None:
    at(factory.MONDAY)
    application = factory.denied()
    revision = application.begin_revision()
    revision.summary_of_changes = "still thinking"
    revision.save()
    bag = public(application, tmp_path)
    assert [row["number"] for row in bag.case["tables"]["permits.PlanRevision"]] == [1]
    assert b"still thinking" not in b"".join(bag.files.values())


def test_an_inspection_in_hand_and_an_agreement_being_drafted_are_not_given(
    issued, tmp_path: Path
) -> None:
    bound = upkeep.agreement(issued.site)
    begun = upkeep_acts.begin(bound, by=factory.inspector(), on=factory.MONDAY)
    practice = bound.practices.first()
    seen = {"by": factory.inspector(), "result": "problem", "words": "still looking"}
    upkeep_acts.look(begun, practice, **seen)
    MaintenanceAgreement.objects.create(
        number="MA-2026-9000",
        site=issued.site,
        permit=issued.permit,
        party_name="Still Thought About",
        drafted_on=factory.MONDAY,
        drafted_by=factory.inspector(),
    )
    whole = printed(opened(make(issued.site, tmp_path), tmp_path))
    bag = public(issued, tmp_path)
    for draft in ("still looking", "Still Thought About"):
        assert draft in whole
        assert draft not in printed(bag)
    assert [row["number"] for row in bag.case["tables"]["permits.MaintenanceAgreement"]] == [
        bound.number
    ]


def test_every_place_where_a_file_is_named_was_decided_on() -> None:
    """A place that is renamed falls back to what nobody has decided, and its name here is dead."""
    named = {
        f"{table.label}.{column.removesuffix('_id')}"
        for table in tables()
        for column, target in pointers(table.model)
        if target is Upload
    }
    assert named == {*policy.UPLOADS, *policy.UPLOADS_GIVEN, *policy.PICTURES}


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Call (555) 010-0199 at noon", "Call [left out] at noon"),
        ("Call 555-010-0199.", "Call [left out]."),
        ("Write to mai.vang@example.test, please", "Write to [left out], please"),
        ("Parcel 0240-0001-001 of 2026-11-16", "Parcel 0240-0001-001 of 2026-11-16"),
        ("Order SW-2026-0001, 1,200.00", "Order SW-2026-0001, 1,200.00"),
    ],
)
def test_numbers_to_call_are_masked_and_others_are_not(text: str, masked: str) -> None:
    assert mask(text)[0] == masked
