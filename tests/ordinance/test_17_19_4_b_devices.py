"""former § 17.19(4)(b) Control devices and the state's technical standards."""

from decimal import Decimal

from portal.ordinance.devices import DEVICES, DEVICES_BY_KEY, Soil, trap_surface


def test_the_devices_the_ordinance_names_are_all_there():
    named = {device.key for device in DEVICES if device.in_ordinance}
    assert named >= {
        "sediment-basin",
        "silt-fence",
        "straw-bales",
        "mulch",
        "tarps",
        "seeding-temporary",
        "seeding-permanent",
        "sod",
        "diversion",
    }


def test_the_list_is_open():
    assert DEVICES_BY_KEY["other"].standard == ""


def test_keys_are_unique_and_verified_numbers_are_numbers():
    assert len(DEVICES_BY_KEY) == len(DEVICES)
    assert all(device.standard.isdigit() for device in DEVICES if device.verified)


def test_a_number_not_read_in_a_rule_is_not_called_verified():
    assert DEVICES_BY_KEY["inlet-protection"].verified
    assert not DEVICES_BY_KEY["silt-fence"].verified


def test_a_device_is_named_with_its_standard():
    assert str(DEVICES_BY_KEY["tracking-pad"]) == ("Stone tracking pad or tire washing (DNR 1057)")
    assert str(DEVICES_BY_KEY["sod"]) == "Sod"


def test_the_surface_of_a_sediment_trap_by_soil():
    assert trap_surface(Decimal(2), Soil.COARSE) == 1250
    assert trap_surface(Decimal("0.5"), Soil.MEDIUM) == 780
    assert trap_surface(Decimal("0.01"), Soil.FINE) == 53
    assert trap_surface(Decimal("0.001"), Soil.FINE) == 6
