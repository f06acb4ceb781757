"""The portal's own settings, in test mode and with a folder that goes when the run ends.

pytest-django reads settings before any conftest, so the environment is prepared here.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

_memory = Path("/dev/shm")
_folder = tempfile.mkdtemp(
    prefix="siltfence-test-", dir=_memory if os.access(_memory, os.W_OK) else None
)
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
os.environ["SILTFENCE_MODE"] = "test"
os.environ["SILTFENCE_VAR"] = _folder
# A live server under Playwright runs beside Playwright's own event loop.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")

from portal.settings import *  # noqa: E402, F403
from portal.settings import DATABASES, VAR_DIR  # noqa: E402

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, not memory: the pragmas, the locks and the worker's own process are then real.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
