"""The escrow account of a permit: what is held, drawn, forfeited, released, renewed, and whose."""
