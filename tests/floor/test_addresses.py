"""A mailing address to which the post delivers: street, city, state and ZIP code."""

from __future__ import annotations

import pytest

from portal.addresses import can_be_delivered


@pytest.mark.parametrize(
    "address",
    [
        "1 Mill Street\nExample, WI 54999",
        "1 Mill Street, Example, WI 54999",
        "1 Mill Street, Example WI 54999-0123",
        "46500 EXAMPLE DR\nNOVI, MI 483770000",
        "P O BOX 240000\nMILWAUKEE, WI 532230000",
        "c/o Ana Ruiz\nN170 W20019 Hunters Rd\nGermantown, Wisconsin 53022",
        "12 Elm St\nNew York, New York 10001",
        "12 Elm St\nNew York\nNY 10001\nUSA",
        "12 Elm St, Washington, D.C. 20001".replace("D.C.", "DC"),
        "10 High Street\nLondon SW1A 1AA\nUNITED KINGDOM",
    ],
)
def test_a_whole_address_is_taken_as_people_write_it(address):
    assert can_be_delivered(address)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "1 Mill Street",
        "1 Mill Street\nExample",
        "1 Mill Street\nExample, WI",
        "1 Mill Street\nExample 54999",
        "Example, WI 54999",
        "1 Mill Street\nExample, WI 5499",
        "1 Mill Street\nExample, WI 549991",
        "1 Mill Street\nExample, XX 54999",
        "1 Mill Street\nKIWI 54999",
        "54999",
    ],
)
def test_an_address_that_lacks_something_is_not(address):
    assert not can_be_delivered(address)
