"""The roof: pages that gather from every part of the house; nobody imports them."""
