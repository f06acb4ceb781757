"""A canary in every text of every table of a case: once it is erased none of them is left."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from portal.desk.records import erasing, files
from portal.desk.records.models import Destruction
from portal.models import Document, User
from tests.conftest import ON_POSTGRES
from tests.export import nest as nests
from tests.factory import MONDAY

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.once,
    pytest.mark.skipif(ON_POSTGRES, reason="its checks cannot be switched off for the nest"),
]

OTHER_SERIES = ("escrow", "records")
"""The money and the requests; their texts stay by their own series."""
OF_THE_CITY = {"permits_importbatch", "permits_importsource", "permits_feeentry"}
APART = (User, Document)
"""People have accounts of their own; the nest makes papers at which nothing points."""
KNOWN_BY = {("permits_site", "address"), ("permits_importedrow", "key")}
"""By the address the land is known again, by its number the row of the earlier books."""


def test_no_text_of_a_case_is_left_once_it_is_erased(at: Any) -> None:
    at(MONDAY)
    with nests.built() as nest:
        names = [row.name for row in files._rows(Destruction(site=nest.site), nest.site)]
        uploads = files.uploads_of(nest.site)
        erasing.erase(nest.site, through=9, files=uploads)
        erasing.erase_titles(names)
        heard = everything()
    left = {
        (model._meta.db_table, column.partition("@")[0])
        for (model, column), bird in nest.canaries.items()
        if bird in heard and model not in APART and model._meta.app_label not in OTHER_SERIES
    }
    assert {
        (table, column)
        for table, column in left
        if column not in erasing.KEPT and table not in OF_THE_CITY
    } == KNOWN_BY


def everything() -> str:
    """Every row of every table as text."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            found.extend(map(str, cursor.fetchall()))
    return "\n".join(found)
