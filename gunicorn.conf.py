"""What gunicorn reads by itself from the folder it is started in."""

from pathlib import Path

# The sign of life of each worker process lies in memory: a slow disk is not a dead worker.
if Path("/dev/shm").is_dir():  # noqa: S108
    worker_tmp_dir = "/dev/shm"  # noqa: S108

# A connection that a browser opens and leaves idle must not hold up a whole worker.
worker_class = "gthread"
threads = 4

# A page takes a second at most; a paper or a large upload may take several.
timeout = 60
graceful_timeout = 30

# The longest secret link is far below this.
limit_request_line = 4094
limit_request_field_size = 8190

# The server's own lines look like the portal's (portal/logs.py).
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "portal.logs.JsonLineFormatter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {
        "gunicorn.error": {"handlers": ["console"], "level": "INFO", "propagate": False},
        "environ": {"level": "WARNING"},
        "gunicorn.access": {"handlers": [], "level": "INFO", "propagate": False},
    },
    "root": {"handlers": ["console"], "level": "INFO"},
}
