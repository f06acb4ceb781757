"""A payment provider on this machine: the library speaks to it over the wire as to the real one."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

PAGE = "https://checkout.stripe.com/c/pay/cs_test_1"


@dataclass
class Asked:
    """One request: where, its headers, its fields."""

    path: str
    headers: dict[str, str]
    fields: dict[str, str]


@dataclass
class Provider:
    """What it was asked, and how it answers."""

    url: str = ""
    status: int = 200
    page: str = PAGE
    asked: list[Asked] = field(default_factory=list)

    def answer(self) -> dict[str, Any]:
        if self.status >= 400:
            return {"error": {"type": "api_error", "message": "Something is wrong here."}}
        return {"id": "cs_test_1", "object": "checkout.session", "url": self.page}


@contextmanager
def provider() -> Iterator[Provider]:
    """Run the provider while a test needs it."""
    made = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            fields = {name: values[0] for name, values in parse_qs(body).items()}
            made.asked.append(Asked(self.path, dict(self.headers), fields))
            answer = json.dumps(made.answer()).encode()
            self.send_response(made.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
