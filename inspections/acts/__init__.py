"""The acts of inspection: each one transaction, safe to repeat, with its events and notices."""
