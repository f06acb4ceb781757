"""The front of the house: the public front page, one's own account, the demo's mail."""

from __future__ import annotations

from django.urls import path

from portal.views.account import account
from portal.views.demo import demo_mail
from portal.views.front import favicon, front
from portal.views.health import healthz

urlpatterns = [
    path("", front, name="front"),
    path("account/", account, name="account"),
    path("demo/mail/", demo_mail, name="demo_mail"),
    path("favicon.ico", favicon, name="favicon"),
    path("healthz", healthz, name="healthz"),
]
