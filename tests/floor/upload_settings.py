"""The portal's settings for a site with one form; no database is asked for anything."""

from tests.settings import *  # noqa: F403

ROOT_URLCONF = "tests.floor.upload_site"
