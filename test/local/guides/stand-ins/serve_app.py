"""Serves the application of webhooks.py at a port."""

import asyncio
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from fastapi import Request
from webhooks import app


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        response = asyncio.run(app.routes[self.path](Request(headers, body)))
        self.send_response(response.status_code)
        self.end_headers()

    def log_message(self, *_):
        pass


HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
