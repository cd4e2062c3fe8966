"""Calls one operation of AWS and prints the response as JSON: what a person does in the console.

Usage: aws_call.py <service> <operation> [<input as JSON>]
Takes endpoint, credentials, region and certificates from the environment. Runs in the environment that run.sh creates.
"""

import json
import sys

import botocore.session
from botocore import xform_name

service, operation, *given = sys.argv[1:]
client = botocore.session.get_session().create_client(service)
answer = getattr(client, xform_name(operation))(**json.loads(given[0] if given else "{}"))
answer.pop("ResponseMetadata", None)
print(json.dumps(answer, default=str))
