"""The money's tables."""

from .instrument import EscrowEntry, Instrument

__all__ = ["EscrowEntry", "Instrument"]
