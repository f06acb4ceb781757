"""Sites, parties, applications, plans, decisions, permits; record and docket."""

from .acting import Acting, NotNow
from .agreement import AgreementStatus, MaintenanceAgreement, ResponsibleParty
from .agreement_parts import AgreementPractice, AgreementRecording, AgreementTask
from .application import Application, HandOver
from .application_clocks import STEPS
from .application_facts import ApplicationStatus
from .decision import ChangeAnswer, Decision, RequiredChange, StayingPractice
from .docket import DocketEntry
from .earlier import EarlierParty, EarlierPermit, EarlierStatus
from .export import CaseExport
from .fee import FeeEntry
from .imported import ImportBatch, ImportedRow, ImportSource
from .owner import Owner, OwnerChange, current_owner
from .paper import CasePaper
from .party import Party
from .permit import Permit, PermitStatus
from .plan import PlannedActivity, PlannedDevice, PlanRevision, PlanSheet
from .record import CaseEvent, find_broken_links
from .seal import RecordSeal
from .site import Parcel, SearchWord, Site, search_words

__all__ = [
    "STEPS",
    "Acting",
    "AgreementPractice",
    "AgreementRecording",
    "AgreementStatus",
    "AgreementTask",
    "Application",
    "ApplicationStatus",
    "CaseEvent",
    "CaseExport",
    "CasePaper",
    "ChangeAnswer",
    "Decision",
    "DocketEntry",
    "EarlierParty",
    "EarlierPermit",
    "EarlierStatus",
    "FeeEntry",
    "HandOver",
    "ImportBatch",
    "ImportSource",
    "ImportedRow",
    "MaintenanceAgreement",
    "NotNow",
    "Owner",
    "OwnerChange",
    "Parcel",
    "Party",
    "Permit",
    "PermitStatus",
    "PlanRevision",
    "PlanSheet",
    "PlannedActivity",
    "PlannedDevice",
    "RecordSeal",
    "RequiredChange",
    "ResponsibleParty",
    "SearchWord",
    "Site",
    "StayingPractice",
    "current_owner",
    "find_broken_links",
    "search_words",
]
