"""former § 17.19(4)(f) The maintenance agreement and its seven provisions."""

from portal.ordinance.maintenance import PROVISIONS, missing_provisions


def test_there_are_seven_provisions_in_the_order_of_the_ordinance(edition):
    assert [str(provision.citation(edition)) for provision in PROVISIONS] == [
        f"former § 17.19(4)(f)({number})" for number in range(1, 8)
    ]


def test_each_provision_missing_is_told():
    present = {provision.key for provision in PROVISIONS} - {"access", "city-work"}
    found = missing_provisions(present)
    assert [obstacle.key for obstacle in found] == ["access", "city-work"]
    assert found[0].text == "The agreement has no provision on this: access for inspections."
    assert missing_provisions([provision.key for provision in PROVISIONS]) == []
