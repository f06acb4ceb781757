"""Online payment of fees and of bills for city work, on the provider's own pages.

No card data is ever here: a person is sent to the provider's page, and the provider tells by a
signed message what was paid. Off unless its secrets are set.
"""
