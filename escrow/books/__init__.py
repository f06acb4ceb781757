"""The books: trial balance, cash book, bank and close of day; all of it read from source rows."""
