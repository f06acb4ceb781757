"""The demo city: made up from the first name to the last contour line, and the bench's cities.

Nothing here is imported by the portal itself; only the commands `load_demo`, `load_city` and
`bench` do, and they refuse outside the demo and the tests.
"""
