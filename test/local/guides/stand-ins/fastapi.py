"""The part of FastAPI that the guide uses."""


class Request:
    def __init__(self, headers, body):
        self.headers = headers
        self._body = body

    async def body(self):
        return self._body


class Response:
    def __init__(self, status_code):
        self.status_code = status_code


class FastAPI:
    def __init__(self):
        self.routes = {}

    def post(self, path):
        def add(handler):
            self.routes[path] = handler
            return handler

        return add
