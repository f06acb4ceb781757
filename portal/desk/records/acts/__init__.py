"""Acts on requests, holds and lists; each is done once, under its locks."""
