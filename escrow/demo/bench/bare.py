"""The yardstick: a plain Django view that lists 25 rows from one query, and nothing else."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.urls import include, path

from permits.models import DocketEntry

__all__ = ["bare", "urlpatterns"]

ROWS = 25
TEMPLATE = """<!doctype html>
<html lang="en">
<head><title>Docket</title></head>
<body>
<table>
<tr><th>Case</th><th>Place</th><th>What</th><th>Who</th><th>Since</th><th>By</th><th>Safe</th></tr>
{% for entry in entries %}<tr>
<td><a href="{% url "case" entry.site.number %}">{{ entry.site.number }}</a></td>
<td>{{ entry.site.address }}</td>
<td>{{ entry.title }}</td>
<td>{{ entry.get_bound_display }}</td>
<td>{{ entry.started_on|date:"F j, Y" }}</td>
<td>{{ entry.on|date:"F j, Y" }}</td>
<td>{{ entry.safe_on|date:"F j, Y" }}</td>
</tr>{% endfor %}
</table>
</body>
</html>
"""


def bare(request: HttpRequest) -> HttpResponse:
    """List the first rows of the docket."""
    entries = DocketEntry.objects.running().filter(bound="inspector").select_related("site")
    return HttpResponse(page().render({"entries": entries.order_by("on", "pk")[:ROWS]}))


@cache
def page() -> Any:
    """The template, compiled once as those in files are."""
    return engines["django"].from_string(TEMPLATE)


urlpatterns = [path("bare/", bare), path("", include("portal.urls"))]
