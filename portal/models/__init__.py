"""The floor's tables."""

from .accounts import STAFF_ROLES, Role, User, UserManager
from .calendar import Closure, CouncilValue
from .files import Document, Preview, Upload
from .letter_batches import LetterBatch, LetterBatchLine
from .mailings import BY_POST, Mailing, MailingEvent, OutboxMessage
from .operations import NumberCounter, Operation, current_operation

__all__ = [
    "BY_POST",
    "STAFF_ROLES",
    "Closure",
    "CouncilValue",
    "Document",
    "LetterBatch",
    "LetterBatchLine",
    "Mailing",
    "MailingEvent",
    "NumberCounter",
    "Operation",
    "OutboxMessage",
    "Preview",
    "Role",
    "Upload",
    "User",
    "UserManager",
    "current_operation",
]
