"""The floor's tables."""

from .accounts import STAFF_ROLES, Role, User, UserManager
from .calendar import Closure, CouncilValue
from .files import Document, Preview, Upload
from .mailings import Mailing, OutboxMessage
from .operations import NumberCounter, Operation, current_operation

__all__ = [
    "STAFF_ROLES",
    "Closure",
    "CouncilValue",
    "Document",
    "Mailing",
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
