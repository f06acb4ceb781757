"""The log: one JSON object per line and per event, in UTC, without secrets."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime

from django.http import HttpRequest

__all__ = ["JsonLineFormatter", "without_secrets"]

_HIDDEN = "[hidden]"
# A value that follows the name of a secret, as in a query string, a header or a URL of a server.
_NAMED = re.compile(
    r"""(?ix)
    (\b[\w-]*(?:password|passwd|secret|token|sessionid|csrf\w*|api_?key|authorization|cookie)
       [\w-]*["']?\s*[=:]\s*["']?(?:basic\s+|bearer\s+)?)
    [^\s"'&;,]+"""
)
_IN_URL = re.compile(r"(?i)(\b[a-z][a-z0-9+.-]*://[^\s:/@]*:)[^\s@/]+@")
# A long piece of a path is a secret link (calendar feed, password reset), never a case number.
_LONG_SEGMENT = re.compile(r"(?<=/)[A-Za-z0-9_:=-]{24,}(?=[/\s?.]|$)")


def without_secrets(text: str) -> str:
    """Return the text with passwords, tokens and secret links hidden."""
    text = _IN_URL.sub(rf"\1{_HIDDEN}@", text)
    text = _NAMED.sub(rf"\1{_HIDDEN}", text)
    return _LONG_SEGMENT.sub(_HIDDEN, text)


class JsonLineFormatter(logging.Formatter):
    """Write a record as one line of JSON; no text in it can start a second line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line: when, how grave, where, what, and the request if there is one."""
        moment = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, object] = {
            "at": moment.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        line.update(self._request(record))
        if record.exc_info:
            line["exception"] = without_secrets(self.formatException(record.exc_info))
        # ASCII only: JSON escapes line ends, terminal codes and invisible letters, bar one.
        return json.dumps(line, default=str).replace("\x7f", "\\u007f")

    @staticmethod
    def _request(record: logging.LogRecord) -> dict[str, object]:
        """Return who asked for what; the query is left out, for it may carry a secret."""
        request = getattr(record, "request", None)
        if not isinstance(request, HttpRequest):
            return {}
        # The lazy user is not asked: that would query the database while it may be down.
        user = getattr(request, "_cached_user", None)
        return {
            "method": request.method,
            "path": without_secrets(request.path),
            "status": getattr(record, "status_code", None),
            "user": getattr(user, "pk", None),
        }
