"""Violations, orders, revocation, requests, notices, city work, appeals and stays."""

from .appeal import Appeal, AppealStatus, Hearing, PerilCertificate
from .notice import NoticeOfIntent, NoticeStatus, OwnerNotice
from .order import OrderStatus, Posting, StopWorkOrder
from .revision_order import LineReport, RevisionOrder, RevisionOrderLine, RevisionOrderStatus
from .revocation import CeaseAndDesistRequest, RequestStep, Revocation
from .service import Addressee, Service
from .stays import stays_of
from .upkeep import (
    CorrectionAnswer,
    CorrectionReport,
    UpkeepExtension,
    UpkeepLine,
    UpkeepNotice,
    UpkeepStatus,
)
from .violation import Violation, ViolationDay, ViolationStatus, documented_days_of
from .work import CityWork, WorkCost, WorkStatus

__all__ = [
    "Addressee",
    "Appeal",
    "AppealStatus",
    "CeaseAndDesistRequest",
    "CityWork",
    "CorrectionAnswer",
    "CorrectionReport",
    "Hearing",
    "LineReport",
    "NoticeOfIntent",
    "NoticeStatus",
    "OrderStatus",
    "OwnerNotice",
    "PerilCertificate",
    "Posting",
    "RequestStep",
    "RevisionOrder",
    "RevisionOrderLine",
    "RevisionOrderStatus",
    "Revocation",
    "Service",
    "StopWorkOrder",
    "UpkeepExtension",
    "UpkeepLine",
    "UpkeepNotice",
    "UpkeepStatus",
    "Violation",
    "ViolationDay",
    "ViolationStatus",
    "WorkCost",
    "WorkStatus",
    "documented_days_of",
    "stays_of",
]
