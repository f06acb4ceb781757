"""RELIABILITY 74: a canary in every text of every table is in the whole file, and what is
private is nowhere in the file for the public.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.db import models

from portal.desk.export import policy
from portal.desk.export.files import texts
from portal.desk.export.making import export
from portal.desk.export.tables import OF_OTHER_CASES, tables
from portal.models import Document, Upload, User
from tests.conftest import ON_POSTGRES
from tests.export import nest as nests
from tests.export.bags import Opened
from tests.factory import MONDAY

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.once,
    pytest.mark.skipif(ON_POSTGRES, reason="its checks cannot be switched off for the nest"),
]

BIRD = re.compile(rb"qzx\d{5}z")
APART = (User, Upload, Document)


@pytest.fixture
def nest(at) -> Any:
    at(MONDAY)
    with nests.built() as made:
        yield made


def everything(bag: Opened) -> bytes:
    """All bytes of a bag, the names of its files, and the text of its papers."""
    found = [b"\n".join(bag.files.values()), "\n".join(bag.names).encode()]
    for name, content in bag.files.items():
        if name.endswith(".pdf"):
            pages = "\n".join(texts(content))
            found += [pages.encode(), "".join(pages.split()).encode()]
    return b"\n".join(found)


def bag_of(nest: nests.Nest, folder: Path, audience: str) -> Opened:
    made = export(nest.site, audience, by=None, on=MONDAY, into=folder).export
    return Opened(folder / f"{made.name}.zip")


def is_secret(model: type[models.Model], column: str) -> bool:
    """Whether it belongs to an account or to other cases alone, and so to no file of this one."""
    of_others = OF_OTHER_CASES.get(model._meta.label, ())
    return column in of_others or (model is User and column in ("password", "feed_key"))


def may_be_told(model: type[models.Model], column: str) -> bool:
    """Whether the policy gives a column, or the bytes of a file named in a column."""
    if "." in column:
        return model is Upload and column in policy.UPLOADS_GIVEN
    if model is User:
        return column in policy.PEOPLE_GIVEN
    return not policy.ROWS.get(model._meta.label) and not policy.ground_of(model, column)


def test_every_table_has_its_row(nest: nests.Nest) -> None:
    for table in tables():
        assert table.rows(nest.site), table.label
    assert len(nest.canaries) > 250


def test_every_canary_is_in_the_whole_file(nest: nests.Nest, tmp_path: Path) -> None:
    bag = bag_of(nest, tmp_path, "full")
    heard = {bird.decode() for bird in BIRD.findall(everything(bag))}
    silent = {
        key for key, bird in nest.canaries.items() if bird not in heard and not is_secret(*key)
    }
    assert {(model.__name__, column) for model, column in silent} == set()
    assert nests.LATITUDE.encode() in bag["data/01-case.json"]


def test_no_private_canary_is_in_the_file_for_the_public(nest: nests.Nest, tmp_path: Path) -> None:
    bag = bag_of(nest, tmp_path, "public")
    heard = {bird.decode() for bird in BIRD.findall(everything(bag))}
    sung = {key for key, bird in nest.canaries.items() if bird in heard}
    allowed = {key for key in nest.canaries if may_be_told(key[0], key[1].partition("@")[0])}
    assert {(m.__name__, c) for m, c in sung - allowed} == set()
    # The test listens to something: most of what may be told is told, but for drafts.
    assert len(sung) > len(allowed) * 0.7
    for number in (nests.LATITUDE, nests.LONGITUDE):
        assert number.encode() not in everything(bag)


def test_what_is_left_out_is_listed_with_its_ground(nest: nests.Nest, tmp_path: Path) -> None:
    bag = bag_of(nest, tmp_path, "public")
    listed = {row["what"]: row["ground"] for row in bag.table("omissions.csv")}
    assert listed["Parties: telephone"] == "Telephone numbers and e-mail addresses"
    assert listed["Applications: signed name"] == "Signatures"
    assert listed["Instruments: issuer"] == "Bank, bond and letter-of-credit data"
    assert listed["Complaints: name"] == "Whoever reported something"
    assert listed["Cease and desist requests"] == "The city attorney's papers"
    text = " ".join("\n".join(texts(bag["data/00-index.pdf"])).split())
    for ground in set(listed.values()):
        assert ground in text, ground
    assert {row["note"] for row in bag.table("omissions.csv")} == {
        "The city attorney must confirm this ground."
    }


def test_every_column_was_decided_on() -> None:
    """What nobody has decided stays out; here nothing waits for a decision."""
    waiting = {
        f"{table.label}.{field.attname}"
        for table in tables()
        if table.label not in policy.ROWS
        for field in table.model._meta.concrete_fields
        if policy.ground_of(table.model, field.attname) == "undecided"
    }
    assert waiting == set(), "give or hold each in portal/desk/export/policy.py"
