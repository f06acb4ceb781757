"""CAD drawings: recognised and kept as they are; nobody here can draw them."""

from __future__ import annotations

import re

from .verdict import Finding, refuse

DWG_HEAD = re.compile(rb"AC10\d\d")
DWG_LEAST = 256
"""Bytes. Less is a head without a drawing."""

DXF_BINARY = b"AutoCAD Binary DXF\r\n\x1a\0"
DXF_HEAD = re.compile(rb"\s*(999[ \t]*\r?\n[^\r\n]*\r?\n\s*)*0[ \t]*\r?\n\s*SECTION\s")
DXF_CODE = re.compile(rb"[ \t]*-?\d{1,4}[ \t]*")


def is_dxf(data: bytes) -> bool:
    """Whether the file begins as a DXF does, after comments if there are any."""
    return data.startswith(DXF_BINARY) or bool(DXF_HEAD.match(data[:65_536]))


def examine_dwg(data: bytes) -> Finding:
    """Take a DWG by its version mark."""
    if len(data) < DWG_LEAST:
        refuse("cut_off")
    return Finding()


def examine_dxf(data: bytes) -> Finding:
    """Take a DXF whose groups run, code by code, to its end mark and no further."""
    if data.startswith(DXF_BINARY):
        if not data.rstrip(b"\0").endswith(b"EOF"):
            refuse("cut_off")
        return Finding()
    if b"\0" in data:
        refuse("damaged")
    lines = data.splitlines()
    while lines and not lines[-1].strip(b" \t\x1a"):
        lines.pop()
    if len(lines) % 2 or [line.strip() for line in lines[-2:]] != [b"0", b"EOF"]:
        refuse("cut_off")
    if not all(map(DXF_CODE.fullmatch, lines[::2])):
        refuse("damaged")
    return Finding()
