"""Parses an OTLP request in JSON by the official messages. An unknown field or a wrong type ends with an error."""
import base64
import json
import sys

from google.protobuf.json_format import Parse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

request = json.load(sys.stdin)
for resource in request["resourceSpans"]:
    for scope in resource["scopeSpans"]:
        for span in scope["spans"]:
            # OTLP writes ids in hexadecimal, where the JSON of protobuf has base64.
            for name in ("traceId", "spanId", "parentSpanId"):
                if name in span:
                    span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
parsed = Parse(json.dumps(request), ExportTraceServiceRequest())
spans = parsed.resource_spans[0].scope_spans[0].spans
names = [span.name for span in spans]
assert names == ["ingestBatch", "storeBatch"], names
assert all(len(span.trace_id) == 16 and len(span.span_id) == 8 for span in spans)
assert spans[1].parent_span_id == spans[0].span_id
assert spans[0].end_time_unix_nano - spans[0].start_time_unix_nano == 12_500_000
print(f"{len(spans)} spans parsed")
