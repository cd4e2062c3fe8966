"""Creates every stack of a cloud assembly in moto's server and compares the created resources.

Usage: deploy-to-moto.py <directory of templates> <file of expected types> [--write]
Runs in the environment that moto.sh creates. Prints the created resources by type, and the types that moto does not support.
"""

import collections
import io
import json
import logging
import os
import pathlib
import sys
import zipfile

import boto3
from moto.cloudformation.parsing import get_model_map
from moto.server import ThreadedMotoServer

REGION = "us-east-1"
ACCOUNT = "123456789012"
ASSETS = f"cdk-hnb659fds-assets-{ACCOUNT}-{REGION}"


def imports_of(value):
    """Names of exports that a template imports."""
    if isinstance(value, dict):
        if isinstance(value.get("Fn::ImportValue"), str):
            yield value["Fn::ImportValue"]
        for inner in value.values():
            yield from imports_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from imports_of(inner)


def in_order(templates):
    """Sorts stacks so that each follows the stacks whose exports it imports."""
    waiting, exported, ordered = dict(templates), set(), []
    while waiting:
        ready = [name for name, template in waiting.items() if set(imports_of(template)) <= exported]
        if not ready:
            raise SystemExit(f"these stacks depend on each other: {', '.join(waiting)}")
        for name in sorted(ready):
            template = waiting.pop(name)
            outputs = template.get("Outputs", {}).values()
            exported |= {output["Export"]["Name"] for output in outputs if "Export" in output}
            ordered.append((name, template))
    return ordered


def is_known(kind):
    """Whether moto's CloudFormation creates resources of a type."""
    return kind in get_model_map()


def without_unknown(template):
    """Removes the resources that moto cannot create, and replaces references to them by texts."""
    unknown = {key for key, resource in template["Resources"].items() if not is_known(resource["Type"])}
    buses = {key for key, resource in template["Resources"].items() if resource["Type"] == "AWS::Events::EventBus"}

    def replaced(value):
        if isinstance(value, list):
            return [replaced(inner) for inner in value]
        if not isinstance(value, dict):
            return value
        if value.get("Ref") in unknown:
            return f"arn:aws:unknown:{REGION}:{ACCOUNT}:{value['Ref']}"
        if value.get("Ref") in buses:
            # moto resolves the reference to the bus object instead of its name.
            return {"Fn::GetAtt": [value["Ref"], "Name"]}
        attribute = value.get("Fn::GetAtt")
        if isinstance(attribute, list) and attribute[0] in unknown:
            kind = f"arn:aws:unknown:{REGION}:{ACCOUNT}:" if attribute[1].endswith("Arn") else "https://unknown-"
            return f"{kind}{attribute[0]}-{attribute[1]}"
        return {key: replaced(inner) for key, inner in value.items()}

    resources = {key: replaced(one) for key, one in template["Resources"].items() if key not in unknown}
    for resource in resources.values():
        needed = resource.get("DependsOn", [])
        resource["DependsOn"] = [key for key in ([needed] if isinstance(needed, str) else needed) if key in resources]
    return {**template, "Resources": resources, "Outputs": replaced(template.get("Outputs", {}))}


def bootstrap(templates):
    """Creates the results of `cdk bootstrap` and the asset upload: the version, the bucket, one small file per asset."""
    boto3.client("ssm").put_parameter(Name="/cdk-bootstrap/hnb659fds/version", Value="30", Type="String")
    s3 = boto3.client("s3")
    s3.create_bucket(Bucket=ASSETS)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("index.mjs", "export const handler = async () => ({});")
    for template in templates.values():
        for resource in template["Resources"].values():
            if resource["Type"] == "AWS::Lambda::Function":
                s3.put_object(Bucket=ASSETS, Key=resource["Properties"]["Code"]["S3Key"], Body=content.getvalue())


def deploy(name, template):
    """Creates one stack. @returns the types of its resources by logical id."""
    body = json.dumps(template)
    s3 = boto3.client("s3")
    s3.put_object(Bucket=ASSETS, Key=f"{name}.json", Body=body)
    cloudformation = boto3.client("cloudformation")
    cloudformation.create_stack(
        StackName=name,
        TemplateURL=f"https://{ASSETS}.s3.amazonaws.com/{name}.json",
        Capabilities=["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"],
    )
    status = cloudformation.describe_stacks(StackName=name)["Stacks"][0]["StackStatus"]
    if status != "CREATE_COMPLETE":
        raise SystemExit(f"{name} is {status}")
    made = []
    for page in cloudformation.get_paginator("list_stack_resources").paginate(StackName=name):
        made += page["StackResourceSummaries"]
    return {resource["LogicalResourceId"]: resource["ResourceType"] for resource in made}


def ask_table(prefix):
    """Writes an item to a created table and reads it."""
    dynamodb = boto3.client("dynamodb")
    names = [name for name in dynamodb.list_tables()["TableNames"] if name.startswith(f"{prefix}-Data-Tabledirectory")]
    item = {"pk": {"S": "probe"}, "sk": {"S": "probe"}, "value": {"N": "61"}}
    dynamodb.put_item(TableName=names[0], Item=item)
    found = dynamodb.get_item(TableName=names[0], Key={"pk": item["pk"], "sk": item["sk"]}).get("Item")
    return f"table {'answers' if found == item else 'lost an item'}"


def ask_queue(prefix):
    """Sends a message to a queue that no function consumes, and receives it."""
    sqs = boto3.client("sqs")
    url = sqs.list_queues(QueueNamePrefix=f"{prefix}-Events-UnroutedEvents")["QueueUrls"][0]
    sqs.send_message(QueueUrl=url, MessageBody="probe")
    bodies = [message["Body"] for message in sqs.receive_message(QueueUrl=url).get("Messages", [])]
    return f"queue {'answers' if bodies == ['probe'] else 'lost a message'}"


def report(templates, made):
    """Prints the numbers of created resources by type. Yields the outcomes without numbers, because numbers grow with the service."""
    wanted = collections.Counter()
    created = collections.Counter()
    for name, template in templates.items():
        for logical_id, resource in template["Resources"].items():
            wanted[resource["Type"]] += 1
            created[resource["Type"]] += logical_id in made[name]
    for kind in sorted(wanted):
        if not is_known(kind):
            outcome = "not known to moto"
        else:
            outcome = "made" if created[kind] == wanted[kind] else "made in part"
        print(f"{created[kind]} of {wanted[kind]} {kind}")
        yield f"{kind}: {outcome}"


def run(directory, expected, is_written):
    files = sorted(pathlib.Path(directory).glob("*.template.json"))
    templates = {file.name.removesuffix(".template.json"): json.loads(file.read_text()) for file in files}
    if not templates:
        raise SystemExit(f"no templates in {directory}: npm run synth")
    bootstrap(templates)
    made = {name: deploy(name, without_unknown(template)) for name, template in in_order(templates)}
    prefix = next(name for name in templates if name.endswith("-Data")).removesuffix("-Data")
    lines = [*report(templates, made), ask_table(prefix), ask_queue(prefix)]
    print(f"{len(made)} stacks, {sum(map(len, made.values()))} resources; {lines[-2]}, {lines[-1]}")
    text = "\n".join(lines) + "\n"
    if is_written:
        pathlib.Path(expected).write_text(text)
    elif pathlib.Path(expected).read_text() != text:
        raise SystemExit(f"the result differs from {expected}; to accept it: bash test/template/moto.sh --write")


if __name__ == "__main__":
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    os.environ |= {
        "AWS_ACCESS_KEY_ID": "none",
        "AWS_SECRET_ACCESS_KEY": "none",
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
    }
    try:
        run(sys.argv[1], sys.argv[2], "--write" in sys.argv)
    finally:
        server.stop()
