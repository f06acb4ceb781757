"""Requests for records, legal holds, and the lists by which records are destroyed."""

from .destruction import (
    DestroyedFile,
    Destruction,
    DestructionList,
    KeptCase,
    ListApproval,
    ListedCase,
    SocietyNotice,
)
from .hold import Hold, HoldEnd
from .request import Acknowledgment, Answer, ConcernedCase, GivenRecord, RecordsRequest, Refusal

__all__ = [
    "Acknowledgment",
    "Answer",
    "ConcernedCase",
    "DestroyedFile",
    "Destruction",
    "DestructionList",
    "GivenRecord",
    "Hold",
    "HoldEnd",
    "KeptCase",
    "ListApproval",
    "ListedCase",
    "RecordsRequest",
    "Refusal",
    "SocietyNotice",
]
