"""Visits, findings, rain, the permittee's log, cover, certificates and complaints."""

from .complaint import Complaint
from .cover import Certificate, CompletionReport, FinalInspection, OpenCover, open_cover
from .finding import DocumentedDay, Finding, FindingAnswer, FindingStatus
from .log import LogEntry, LogLine
from .need import VisitNeed
from .rain import RainReading
from .upkeep import PracticeLook, UpkeepInspection, UpkeepInspectionStatus, UpkeepReport
from .visit import (
    ChecklistLine,
    LineAnswer,
    Visit,
    VisitDescription,
    VisitPhoto,
    VisitStatus,
)

__all__ = [
    "Certificate",
    "ChecklistLine",
    "Complaint",
    "CompletionReport",
    "DocumentedDay",
    "FinalInspection",
    "Finding",
    "FindingAnswer",
    "FindingStatus",
    "LineAnswer",
    "LogEntry",
    "LogLine",
    "OpenCover",
    "PracticeLook",
    "RainReading",
    "UpkeepInspection",
    "UpkeepInspectionStatus",
    "UpkeepReport",
    "Visit",
    "VisitDescription",
    "VisitNeed",
    "VisitPhoto",
    "VisitStatus",
    "open_cover",
]
