"""Starts the emulator of AWS with the parts of IAM and CloudFormation that it lacks.

Each function below closes one gap and names it; docs/deploy.md lists them. Every denied request becomes a line
`denied <principal> <action> <resource>` on standard output. Runs in the environment that run.sh creates.
"""

import contextvars
import json
import re
import threading

from ministack import app
from ministack.core import iam_actions, iam_evaluator
from ministack.services import dynamodb, secretsmanager, sts
from ministack.services.cloudformation import provisioners

INSERT = re.compile(r'^INSERT INTO "([^"]+)" VALUE \{(.*)\}$')
VARIABLE = re.compile(r"\$\{(aws:[\w/]+)\}")
QUERY_KEY = re.compile(r"(#?\w+)\s*=\s*(:\w+)")
TRANSACTION = ("Get", "Put", "Update", "Delete", "ConditionCheck")

element_keys = contextvars.ContextVar("leading keys of the elements of a transaction", default=None)


def value_of(attribute):
    """The text of an attribute value, as IAM compares it."""
    return str(next(iter(attribute.values())))


def partition_key(table, index=None):
    """The name of the partition key of a table or of its index."""
    record = dynamodb._tables.get(table.rsplit("/", 1)[-1]) or {}
    schema = record.get("KeySchema", [])
    for one in record.get("GlobalSecondaryIndexes") or []:
        if one["IndexName"] == index:
            schema = one["KeySchema"]
    return next((one["AttributeName"] for one in schema if one["KeyType"] == "HASH"), "")


def query_key(data):
    """The partition key value of a Query."""
    name = partition_key(data["TableName"], data.get("IndexName"))
    names, values = data.get("ExpressionAttributeNames") or {}, data.get("ExpressionAttributeValues") or {}
    for left, right in QUERY_KEY.findall(data.get("KeyConditionExpression", "")):
        if names.get(left, left) == name:
            return [value_of(values[right])]
    return []


def inserts(data):
    """The table and the partition key value of each INSERT of a BatchExecuteStatement."""
    for one in data["Statements"]:
        table, fields = INSERT.match(one["Statement"]).groups()
        item = dict(zip(re.findall(r"'([^']+)': \?", fields), one["Parameters"]))
        yield table, value_of(item[partition_key(table)])


def leading_keys(data):
    """The values of dynamodb:LeadingKeys of a request or of an element of a transaction."""
    if "Statements" in data:
        return [key for _, key in inserts(data)]
    if "RequestItems" in data:
        found = []
        for table, asked in data["RequestItems"].items():
            requests = [next(iter(one.values())) for one in asked] if isinstance(asked, list) else asked["Keys"]
            items = [one.get("Item") or one.get("Key") or one for one in requests]
            found += [value_of(item[partition_key(table)]) for item in items]
        return found
    if "KeyConditionExpression" in data:
        return query_key(data)
    item = data.get("Key") or data.get("Item")
    return [value_of(item[partition_key(data["TableName"])])] if item else []


def parse(body):
    try:
        data = json.loads(body or b"{}")
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def fill_condition_keys():
    """Gap: neither dynamodb:LeadingKeys nor kms:EncryptionContext has a value, so conditions on them decide nothing."""
    original = iam_actions.request_tag_context

    def context(service, iam_action, body, params):
        found, data = original(service, iam_action, body, params), parse(body)
        if service == "dynamodb":
            element_keys.set(None)
            keys = leading_keys(data)
            if keys:
                found["dynamodb:LeadingKeys"] = keys
        if service == "kms":
            for name, value in (data.get("EncryptionContext") or {}).items():
                found[f"kms:EncryptionContext:{name}"] = value
        return found

    iam_actions.request_tag_context = context


def fill_keys_of_transactions():
    """Gap: the elements of a transaction have no dynamodb:LeadingKeys of their own."""
    original = iam_actions.dynamodb_transaction_checks

    def checks(iam_action, body, region, account_id):
        found = original(iam_action, body, region, account_id)
        if found:
            elements = [one[name] for one in parse(body)["TransactItems"] for name in TRANSACTION if name in one]
            element_keys.set([leading_keys(one) for one in elements])
        return found

    iam_actions.dynamodb_transaction_checks = checks


def name_actions_of_batches():
    """Gap: it judges SendMessageBatch and BatchExecuteStatement as actions, which IAM does not know."""
    original, original_arns = iam_actions.extract_iam_action, iam_actions.dynamodb_resource_arns
    names = {
        "sqs:SendMessageBatch": "sqs:SendMessage",
        "sqs:DeleteMessageBatch": "sqs:DeleteMessage",
        "sqs:ChangeMessageVisibilityBatch": "sqs:ChangeMessageVisibility",
        "dynamodb:BatchExecuteStatement": "dynamodb:PartiQLInsert",
    }

    def action(*request):
        found = original(*request)
        return names.get(found, found)

    def arns(body, region, account_id):
        data = parse(body)
        if "Statements" not in data:
            return original_arns(body, region, account_id)
        return [f"arn:aws:dynamodb:{region}:{account_id}:table/{name}" for name in dict(inserts(data))]

    iam_actions.extract_iam_action = action
    iam_actions.dynamodb_resource_arns = arns


def correct_secrets():
    """Gaps: the reference to a secret is its name, not its ARN; and a secret without a value has an empty one."""
    handlers = provisioners._RESOURCE_HANDLERS["AWS::SecretsManager::Secret"]
    create, update, delete = handlers["create"], handlers["update"], handlers["delete"]

    def name_of(arn):
        return arn.split(":secret:")[-1].rsplit("-", 1)[0]

    def create_secret(logical_id, props, stack_name):
        name, attributes = create(logical_id, props, stack_name)
        if "SecretString" not in props and "GenerateSecretString" not in props:
            secretsmanager._secrets[name]["Versions"] = {}
        return attributes["Arn"], attributes

    def update_secret(physical_id, *rest):
        _, attributes = update(name_of(physical_id), *rest)
        return attributes["Arn"], attributes

    handlers["create"] = create_secret
    handlers["update"] = update_secret
    handlers["delete"] = lambda physical_id, props: delete(name_of(physical_id), props)


def report_denials():
    """Prints each denied request, and gives each element of a transaction its own leading keys."""
    original = iam_evaluator.enforce

    def enforce(access_key_id, iam_action, service, region, resource_arn="*", service_context=None):
        keys = element_keys.get()
        if keys and "dynamodb:EnclosingOperation" in (service_context or {}):
            service_context = {**service_context, "dynamodb:LeadingKeys": keys.pop(0)}
        result = original(access_key_id, iam_action, service, region, resource_arn, service_context)
        if result is not None:
            principal = getattr(result, "principal_arn", "") or "unknown"
            print(f"denied {principal} {iam_action} {resource_arn}", flush=True)
        return result

    iam_evaluator.enforce = enforce


def serialize_sessions():
    """Gap: threads that start functions at once fail, as one reads the sessions of roles while another adds one."""
    original, lock = sts.register_session, threading.Lock()

    def register_session(access_key, session):
        with lock:
            original(access_key, session)

    sts.register_session = register_session


def replace_policy_variables():
    """Gap: it compares a policy variable such as ${aws:PrincipalTag/team_id} as plain text."""
    original = iam_evaluator._conditions_met

    def conditions_met(conditions, ctx):
        def value_in(text):
            found = iam_evaluator._resolve_condition_key(text.group(1), ctx)
            return found if isinstance(found, str) else text.group(0)

        return original(json.loads(VARIABLE.sub(value_in, json.dumps(conditions))), ctx)

    iam_evaluator._conditions_met = conditions_met


def use_one_port():
    """Gap: with TLS it also listens on port 443, which the machine may need."""
    app._port_is_bindable = lambda host, port: False


if __name__ == "__main__":
    fill_condition_keys()
    fill_keys_of_transactions()
    name_actions_of_batches()
    correct_secrets()
    report_denials()
    serialize_sessions()
    replace_policy_variables()
    use_one_port()
    app.main()
