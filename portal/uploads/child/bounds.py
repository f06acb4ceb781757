"""What the child may use up; set before anything that decodes is imported."""

from __future__ import annotations

import resource

MEMORY_BYTES = 512 * 1024 * 1024
"""Enough for a photo of 50 million pixels (376 MB were measured), too little for a bomb."""
CPU_SECONDS = 10
OUTPUT_BYTES = 64 * 1024 * 1024
OPEN_FILES = 64


def apply() -> None:
    """Lower this process's limits for good; the kernel ends it where it goes beyond."""
    for what, most in (
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_FSIZE, OUTPUT_BYTES),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))
