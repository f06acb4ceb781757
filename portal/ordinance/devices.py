"""Erosion control devices and the state's technical standards. former § 17.19(4)(b)"""

from dataclasses import dataclass
from decimal import ROUND_UP, Decimal
from enum import StrEnum


class DeviceKind(StrEnum):
    """How long a device is meant to stay."""

    TEMPORARY = "temporary"
    PERMANENT = "permanent"
    EITHER = "temporary or permanent"


@dataclass(frozen=True)
class Device:
    """A control device; `standard` is the number of the DNR technical standard.

    `verified` says that the number was read in a rule of the state. The others
    are in common use but should be checked before they are printed as law.
    """

    key: str
    name: str
    standard: str
    verified: bool
    kind: DeviceKind
    in_ordinance: bool = False

    def __str__(self) -> str:
        return f"{self.name} (DNR {self.standard})" if self.standard else self.name


_T, _P, _E = DeviceKind.TEMPORARY, DeviceKind.PERMANENT, DeviceKind.EITHER

DEVICES: tuple[Device, ...] = (
    Device("silt-fence", "Silt fence", "1056", False, _T, True),
    Device("straw-bales", "Straw bale barrier", "1055", False, _T, True),
    Device("inlet-protection", "Storm drain inlet protection", "1060", True, _T),
    Device("tracking-pad", "Stone tracking pad or tire washing", "1057", True, _T),
    Device("sediment-basin", "Sediment basin", "1064", True, _E, True),
    Device("sediment-trap", "Sediment trap", "1063", True, _T, True),
    Device("mulch", "Mulch", "1058", True, _T, True),
    Device("seeding-temporary", "Temporary seeding", "1059", True, _T, True),
    Device("seeding-permanent", "Permanent seeding", "1059", True, _P, True),
    Device("sod", "Sod", "", False, _P, True),
    Device("tarps", "Tarps over bare soil or stockpiles", "", False, _T, True),
    Device("diversion", "Diversion of surface water around the site", "1066", False, _E, True),
    Device("ditch-check", "Ditch check", "1062", False, _T),
    Device("mat-non-channel", "Erosion mat on slopes", "1052", False, _E),
    Device("mat-channel", "Erosion mat in channels", "1053", False, _E),
    Device("vegetative-buffer", "Vegetative buffer", "1054", False, _E),
    Device("dewatering", "Dewatering practice", "1061", False, _T),
    Device("temporary-grading", "Temporary grading practices", "1067", True, _T),
    Device("dust-control", "Dust control", "1068", False, _T),
    Device("turbidity-barrier", "Turbidity barrier", "1069", False, _T),
    Device("silt-curtain", "Silt curtain", "1070", False, _T),
    Device("perimeter-control", "Manufactured perimeter control", "1071", False, _T),
    Device("polymer-soil", "Soil polymer", "1050", True, _T),
    Device("polymer-water", "Water polymer", "1051", True, _T),
    Device("wet-pond", "Wet detention pond", "1001", True, _P),
    Device("infiltration-basin", "Infiltration basin", "1003", True, _P),
    Device("bioretention", "Bioretention", "1004", True, _P),
    Device("vegetated-swale", "Vegetated swale", "1005", True, _P),
    Device("infiltration-trench", "Infiltration trench", "1007", True, _P),
    Device("permeable-pavement", "Permeable pavement", "1008", True, _P),
    Device("rain-garden", "Rain garden", "1009", True, _P),
    Device("other", "Another device", "", False, _E, True),
)
"""former § 17.19(4)(b): the list is open; these are the devices people use."""

DEVICES_BY_KEY = {device.key: device for device in DEVICES}


class Soil(StrEnum):
    """Soils as the sediment trap standard tells them apart."""

    COARSE = "coarse"
    MEDIUM = "medium"
    FINE = "fine"


TRAP_SQ_FT_PER_ACRE = {Soil.COARSE: 625, Soil.MEDIUM: 1560, Soil.FINE: 5300}
"""DNR 1063: least surface of a sediment trap for each acre that drains to it."""


def trap_surface(drainage_acres: Decimal, soil: Soil) -> Decimal:
    """The least surface of a sediment trap in square feet, rounded up. DNR 1063"""
    return (drainage_acres * TRAP_SQ_FT_PER_ACRE[soil]).quantize(Decimal(1), ROUND_UP)
