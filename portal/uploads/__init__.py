"""Files that people send: looked at, stored under names of our own, and shown.

A file is opened only by `portal.uploads.child`, a process of its own with little memory and
time, so this package imports nothing when it is imported: the child must start fast and
without Django.
"""
