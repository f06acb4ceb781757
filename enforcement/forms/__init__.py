"""The forms of enforcement."""
