#!/usr/bin/env python
"""Siltfence's command line. A checkout is the demo city unless it is told otherwise."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Run a management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    # A server (portal/wsgi.py) assumes production; a person at a checkout assumes the demo.
    if not (Path(__file__).parent / ".env").exists():
        os.environ.setdefault("SILTFENCE_MODE", "demo")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
