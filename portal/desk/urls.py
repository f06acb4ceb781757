"""The addresses of the roof."""

from __future__ import annotations

from django.urls import path

from .calendar import calendar, closure_add, closure_remove
from .council import council_page, council_value
from .desk import desk
from .law import law, law_section

urlpatterns = [
    path("desk/", desk, name="desk"),
    path("law/", law, name="law"),
    path("law/<slug:section>/", law_section, name="law_section"),
    path("calendar/", calendar, name="calendar"),
    path("calendar/closures/add/", closure_add, name="closure_add"),
    path("calendar/closures/<str:day>/remove/", closure_remove, name="closure_remove"),
    path("council/", council_page, name="council"),
    path("council/<slug:key>/", council_value, name="council_value"),
]
