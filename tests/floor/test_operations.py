"""Each form acts once: the second submit shows the result of the first."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.test import RequestFactory

from portal import operations
from portal.models import Operation, User, current_operation
from tests import factory

pytestmark = pytest.mark.django_db


def post(data: dict[str, str], user: User | None = None) -> HttpRequest:
    request = RequestFactory().post("/x/", data)
    request.user = user or AnonymousUser()
    return request


def test_the_second_submit_does_nothing_and_shows_the_first_result() -> None:
    done: list[int] = []
    person, data = factory.applicant(), {operations.FIELD: operations.new_token(), "a": "1"}

    def run() -> str:
        done.append(1)
        return "/result/"

    for _ in range(20):
        assert operations.perform(post(data, person), "act", run) == "/result/"
    assert done == [1]
    assert Operation.objects.count() == 1


def test_the_same_token_with_other_contents_is_refused() -> None:
    person, token = factory.applicant(), operations.new_token()
    operations.perform(post({operations.FIELD: token, "a": "1"}, person), "act", lambda: "/r/")
    with pytest.raises(operations.TokenReused):
        operations.perform(post({operations.FIELD: token, "a": "2"}, person), "act", lambda: "/r/")


def test_another_persons_token_is_refused() -> None:
    data = {operations.FIELD: operations.new_token()}
    operations.perform(post(data, factory.applicant()), "act", lambda: "/r/")
    with pytest.raises(operations.TokenReused):
        operations.perform(post(data, factory.applicant()), "act", lambda: "/r/")


def test_an_act_that_failed_leaves_its_token_free() -> None:
    person, data = factory.applicant(), {operations.FIELD: operations.new_token()}

    def fail() -> str:
        raise ValueError

    with pytest.raises(ValueError):
        operations.perform(post(data, person), "act", fail)
    assert operations.perform(post(data, person), "act", lambda: "/r/") == "/r/"


def test_rows_made_meanwhile_carry_the_token_and_later_ones_do_not() -> None:
    person, token = factory.applicant(), operations.new_token()
    seen: list[object] = []

    def run() -> str:
        seen.append(current_operation())
        return "/r/"

    operations.perform(post({operations.FIELD: token}, person), "act", run)
    assert [str(found) for found in seen] == [token]
    assert current_operation() is None
