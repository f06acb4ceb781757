"""Settings of the portal with one more form; no database is asked for anything."""

from tests.settings import *  # noqa: F403

ROOT_URLCONF = "tests.floor.upload_site"
