"""Plays a short story with a client that is generated from the OpenAPI document: a user, a batch, its receipt, its sample."""

import json
import sys
import time

sys.path.insert(0, ".")
from tributary_client import AuthenticatedClient
from tributary_client.api.ingest import get_receipt, ingest_batch
from tributary_client.api.timeseries import get_grouped_timeseries_heartrate
from tributary_client.api.users import create_user, get_user
from tributary_client.models import CreateUserBody, IngestBatchBody

with open(sys.argv[1], encoding="utf-8") as file:
    local = json.load(file)
client = AuthenticatedClient(
    base_url=local["base_url"], token=local["api_key"], prefix="", auth_header_name="x-service-api-key"
)

user = create_user.sync(client=client, body=CreateUserBody.from_dict({"client_user_id": "generated"}))
user_id = user.user_id
assert get_user.sync(user_id, client=client).client_user_id == "generated"

batch = {
    "provider": "oura",
    "source_type": "ring",
    "resources": {"heartrate": [{"timestamp": "2026-01-02T08:00:00Z", "value": 61}]},
}
accepted = ingest_batch.sync(user_id, client=client, body=IngestBatchBody.from_dict(batch))
assert accepted.accepted == 1, accepted

for _ in range(100):
    receipt = get_receipt.sync(user_id, accepted.receipt_id, client=client)
    if receipt.status == "done":
        break
    time.sleep(0.1)
assert receipt.stored == 1, receipt

page = get_grouped_timeseries_heartrate.sync(user_id, client=client, start_date="2026-01-02", end_date="2026-01-02")
values = [sample["value"] for sample in page.to_dict()["groups"]["oura"][0]["data"]]
assert values == [61], values
print("a generated Python client created a user, sent a batch, and read its receipt and its sample")
