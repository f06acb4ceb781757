"""The process that opens a file: no Django, no secrets, little memory, little time."""
