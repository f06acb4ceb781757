"""The money's tables: all insert-only rows; a balance is a sum, a correction a reversing row."""

from .approval import ApprovalStatus
from .assessment import Assessment
from .base import CENT, NOTHING, MoneyRow, cents
from .bill import Bill, BillEntry, BillLine, BillStatus, Path
from .draw import Demand, Draw, IssuerPayment
from .forfeiture import Forfeiture
from .instrument import (
    BORNE,
    EscrowEntry,
    Instrument,
    InstrumentOwner,
    InstrumentRenewal,
    InstrumentReturn,
)
from .layout import RollLayout
from .parcel import Division, DivisionShare, ParcelNote
from .receipt import (
    DayClose,
    Deposit,
    DepositLine,
    OnlineEvent,
    OnlinePayment,
    Receipt,
    SetAsideDone,
)
from .release import CheckRequest, Release
from .roll import BatchStatus, RollBatch, RollCharge, RollFile, RollLine, RollOutcome

__all__ = [
    "BORNE",
    "CENT",
    "NOTHING",
    "ApprovalStatus",
    "Assessment",
    "BatchStatus",
    "Bill",
    "BillEntry",
    "BillLine",
    "BillStatus",
    "CheckRequest",
    "DayClose",
    "Demand",
    "Deposit",
    "DepositLine",
    "Division",
    "DivisionShare",
    "Draw",
    "EscrowEntry",
    "Forfeiture",
    "Instrument",
    "InstrumentOwner",
    "InstrumentRenewal",
    "InstrumentReturn",
    "IssuerPayment",
    "MoneyRow",
    "OnlineEvent",
    "OnlinePayment",
    "ParcelNote",
    "Path",
    "Receipt",
    "Release",
    "RollBatch",
    "RollCharge",
    "RollFile",
    "RollLayout",
    "RollLine",
    "RollOutcome",
    "SetAsideDone",
    "cents",
]
