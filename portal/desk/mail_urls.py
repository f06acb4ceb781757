"""Addresses of the mail room."""

from __future__ import annotations

from django.urls import path

from . import mail_acts, mail_batches, mailroom

LETTER = "mail/<int:pk>"
BATCH = "mail/batches/<uuid:key>"

urlpatterns = [
    path("mail/", mailroom.mail_room, name="mailroom"),
    path("mail/print/", mail_batches.mail_print, name="mail_print"),
    path("mail/batches/", mail_batches.mail_batches, name="mail_batches"),
    path(f"{BATCH}/", mail_batches.mail_batch, name="mail_batch"),
    path(f"{BATCH}/pdf/", mail_batches.batch_pdf, name="mail_batch_pdf"),
    path(f"{BATCH}/again/", mail_batches.batch_again, name="mail_batch_again"),
    path("mail/deposit/", mail_acts.Deposit.as_view(), name="mail_deposit"),
    path("mail/accept/", mail_acts.Accept.as_view(), name="mail_accept"),
    path(f"{LETTER}/", mailroom.mailing, name="mailing"),
    path(f"{LETTER}/paper/", mailroom.letter_paper, name="mailing_letter"),
    path(f"{LETTER}/proof/", mailroom.certificate, name="mailing_certificate"),
    path(f"{LETTER}/deposit/", mail_acts.Deposit.as_view(), name="mailing_deposit"),
    path(f"{LETTER}/accept/", mail_acts.Accept.as_view(), name="mailing_accept"),
    path(f"{LETTER}/number/", mail_acts.Number.as_view(), name="mailing_number"),
    path(
        f"{LETTER}/certificate/",
        mail_acts.Certificate.as_view(),
        name="mailing_certificate_add",
    ),
    path(f"{LETTER}/returned/", mail_acts.Returned.as_view(), name="mailing_returned"),
    path(f"{LETTER}/stands/", mail_acts.Stands.as_view(), name="mailing_stands"),
    path(f"{LETTER}/anew/", mail_acts.Anew.as_view(), name="mailing_anew"),
    path(f"{LETTER}/correct/", mail_acts.Correct.as_view(), name="mailing_correct"),
    path(f"{LETTER}/affidavit/", mail_acts.Affidavit.as_view(), name="mailing_affidavit"),
]
