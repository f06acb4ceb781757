"""Photos that come with a form; they are kept as `permits.photos` says."""

from permits.photos import FIELD, KEPT, Photos, PhotosField, kept_of, take

__all__ = ["FIELD", "KEPT", "Photos", "PhotosField", "kept_of", "take"]
