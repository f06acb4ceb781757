"""Addresses of the books: trial balance, cash book, bank, close of day, fees."""

from django.urls import path

from escrow.books import views_balance as balance
from escrow.books import views_bank as bank
from escrow.books import views_cash as cash
from escrow.books import views_fees as fees

urlpatterns = [
    path("money/balance/", balance.page, name="trial_balance"),
    path("money/balance/balance.csv", balance.as_csv, name="trial_balance_csv"),
    path("money/balance/balance.pdf", balance.as_pdf, name="trial_balance_pdf"),
    path("money/cash/", cash.page, name="cash_book"),
    path("money/cash/cash-book.csv", cash.as_csv, name="cash_book_csv"),
    path("money/deposits/", bank.deposits, name="deposits"),
    path("money/deposits/<uuid:key>/slip/", bank.slip, name="deposit_slip"),
    path("money/close/", bank.close_day, name="day_close"),
    path("money/fees/", fees.page, name="fee_report"),
]
