"""People and files for the tests of the floor."""

from __future__ import annotations

import pytest

from portal.models import Role, User


@pytest.fixture
def applicant(db) -> User:
    """Somebody who applies."""
    return User.objects.create_user("applicant@example.org", "a long password", name="Ann Meyer")


@pytest.fixture
def inspector(db) -> User:
    """The city's building inspector."""
    return User.objects.create_user(
        "inspector@city.example", "a long password", name="Ida Berg", role=Role.INSPECTOR
    )
