"""Calls the methods of a public Python client, one line of JSON per request and per answer.

Usage: public_clients.py PACKAGE CLASS BASE_URL API_KEY
The first line out lists the methods of all sub-clients, found by introspection. Each further line in names a method and
its request, in wire names. The line out says what happened: answered, refused, or fault.
"""

import base64
import importlib
import inspect
import json
import sys
import typing
import warnings

warnings.simplefilter("ignore")
package, class_name, base_url, api_key = sys.argv[1:]
module = importlib.import_module(package)
parse = importlib.import_module(f"{package}.core.pydantic_utilities").parse_obj_as
ApiError = importlib.import_module(f"{package}.core.api_error").ApiError


def methods_of(client):
    """Every public method of every sub-client, by `resource.method`."""
    resources = inspect.getmembers(type(client), lambda member: isinstance(member, property))
    return {
        f"{resource}.{name}": getattr(getattr(client, resource), name)
        for resource, _ in resources
        for name, _ in inspect.getmembers(type(getattr(client, resource)), inspect.isfunction)
        if not name.startswith("_")
    }


def file_of(value):
    """A file of a request, which JSON carries in base64, as the client takes it: its bytes, or name, bytes and type."""
    if isinstance(value, str):
        return base64.b64decode(value)
    return (value["filename"], base64.b64decode(value["data"]), value["content_type"])


def parsed(name, value, hint):
    """The value in the type that the method declares; a value of another type is an error."""
    return [file_of(one) for one in value] if name == "file" else parse(hint, value)


def arguments_of(method, request):
    """The request as keyword arguments; some clients take the body as a whole, others field by field."""
    parameters, hints = inspect.signature(method).parameters, typing.get_type_hints(method)
    given = dict(request)
    if "body" in given and "body" not in parameters:
        body = given.pop("body")
        given.update({"request": body} if "request" in parameters else body)
    unknown = sorted(given.keys() - parameters.keys())
    if unknown:
        raise TypeError(f"the method has no parameters {unknown}")
    return {name: parsed(name, value, hints[name]) for name, value in given.items()}


def consume(answer):
    """Reads a streamed file to its end, where refusals of downloads appear. Returns its first bytes."""
    return b"".join(answer)[:5].decode() if inspect.isgenerator(answer) else None


def error_of(answer):
    """The kind of a link's failure, which has status 200."""
    return answer.get("error_type") if isinstance(answer, dict) else getattr(answer, "error_type", None)


def outcome_of(method, request):
    try:
        answer = method(**arguments_of(method, request), request_options={"max_retries": 0})
        return {"kind": "answered", "file": consume(answer), "error": error_of(answer)}
    except ApiError as error:
        code = error.body.get("code") if isinstance(error.body, dict) else getattr(error.body, "code", None)
        return {"kind": "refused", "status": error.status_code, "code": code, "reason": str(error.body)[:1000]}
    except Exception as error:  # Whatever else a client throws: a response that it cannot parse, an invalid argument.
        return {"kind": "fault", "reason": f"{type(error).__name__}: {error}"[:1000]}


def main():
    methods = methods_of(getattr(module, class_name)(base_url=base_url, api_key=api_key))
    print(json.dumps(list(methods)), flush=True)
    for line in sys.stdin:
        call = json.loads(line)
        print(json.dumps(outcome_of(methods[call["method"]], call["request"])), flush=True)


main()
