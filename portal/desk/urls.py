"""The addresses of the roof."""

from __future__ import annotations

from django.urls import path

from portal import admin

from .calendar import calendar, closure_add, closure_remove
from .case import case
from .cases import cases
from .council import council_page, council_value
from .desk import desk
from .export.views import case_file, case_file_zip
from .feed import feed, feed_link, feed_renew
from .home import home
from .import_urls import urlpatterns as import_urls
from .law import law, law_section
from .lookup import lookup, public_site
from .mail_urls import urlpatterns as mail_room
from .money import money
from .people import people, person, person_add

urlpatterns = [
    path("desk/", desk, name="desk"),
    path("home/", home, name="home"),
    path("cases/", cases, name="cases"),
    path("cases/<str:number>/", case, name="case"),
    path("cases/<str:number>/file/", case_file, name="case_file"),
    path("case-files/<uuid:key>/", case_file_zip, name="case_file_zip"),
    path("money/", money, name="money"),
    *mail_room,
    *import_urls,
    path("people/", people, name="people"),
    path("people/add/", person_add, name="person_add"),
    path("people/<int:pk>/", person, name="person"),
    path("look-up/", lookup, name="lookup"),
    path("sites/<str:number>/", public_site, name="public_site"),
    path("law/", law, name="law"),
    path("law/<slug:section>/", law_section, name="law_section"),
    path("calendar/", calendar, name="calendar"),
    path("calendar/closures/add/", closure_add, name="closure_add"),
    path("calendar/closures/<str:day>/remove/", closure_remove, name="closure_remove"),
    path("calendar/feed/", feed_link, name="feed_link"),
    path("calendar/feed/new/", feed_renew, name="feed_renew"),
    path("calendar/<str:key>.ics", feed, name="feed"),
    path("council/", council_page, name="council"),
    path("council/<slug:key>/", council_value, name="council_value"),
    path("admin/", admin.site.urls),
]
