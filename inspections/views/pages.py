"""Lists in pages; as `permits.views.pages` makes them."""

from permits.views.pages import MOST_LISTED, PER_PAGE, page_of

__all__ = ["MOST_LISTED", "PER_PAGE", "page_of"]
