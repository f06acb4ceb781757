"""The tax roll: the list, its problems, certification, export, and what the roll did."""
