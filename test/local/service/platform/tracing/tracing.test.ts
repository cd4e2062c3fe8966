import { afterAll, beforeAll, expect, test } from "vitest";
import { parseTraceparent } from "../../../../../lib/domain/shared/traceparent.ts";
import type { RecordedSpan } from "../../../../../lib/local/traces/recorded-span.ts";
import { TestService } from "../../../../support/service.ts";
import { createHeartRates } from "../../ingest/ingest-batch.ts";
import { findFunctionName } from "../../support/stored-items.ts";

const [TRACE, PARENT] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
const traceparentOf = (traceId: string, flags = "01") => ({ traceparent: `00-${traceId}-${PARENT}-${flags}` });

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Sends three samples of a user. */
function push(userId: string, headers: Readonly<Record<string, string>>, start = "2026-05-01T08:00:00Z") {
  const resources = { heartrate: createHeartRates(start, 3) };
  const body = { provider: "apple_health_kit", source_type: "watch", resources };
  return service.call("POST", `/v2/ingest/${userId}`, { body, headers });
}

/** The spans of a trace. @param id that of the trace, or of a request in it. */
async function spansOf(id: string | null): Promise<RecordedSpan[]> {
  await service.settle();
  return (await service.call("GET", `/_local/traces/${id}`)).body.spans;
}
const operationsOf = (spans: readonly RecordedSpan[]) => spans.map(({ operation }) => operation);

/** The `traceparent` headers of the webhooks of a user. */
async function traceparents(userId: string): Promise<(string | undefined)[]> {
  const all = await service.inbox("daily.data.");
  return all.filter(({ body }) => body.user_id === userId).map(({ headers }) => headers.traceparent);
}

test("one trace leads from the push of samples to the webhook at the receiver", async () => {
  const userId = await service.createUser("a traced user");
  const pushed = await push(userId, traceparentOf(TRACE));
  const [received] = await traceparents(userId);
  const spans = await spansOf(TRACE);
  expect(new Set(operationsOf(spans))).toEqual(
    new Set(["ingestBatch", "storeBatch", "deliverEvent", "forwardToTeam", "markChangedDays"]),
  );
  const [route] = spans;
  expect(route).toMatchObject({ operation: "ingestBatch", parent_id: PARENT, status: 202, outcome: "ok" });
  expect(route?.request_id).toBe(pushed.headers.get("x-request-id"));
  const ids = new Map(spans.map((span) => [span.span_id, span]));
  const parents = (operation: string) =>
    spans.filter((span) => span.operation === operation).map(({ parent_id = "" }) => ids.get(parent_id)?.operation);
  expect(parents("storeBatch")).toEqual(["ingestBatch"]);
  expect(new Set(parents("deliverEvent"))).toEqual(new Set(["storeBatch"]));
  const delivered = spans.find(({ operation }) => operation === "deliverEvent");
  expect(parseTraceparent(received ?? "")).toEqual({ traceId: TRACE, spanId: delivered?.span_id, isSampled: true });
});

test("a malformed traceparent is ignored, and the request begins a trace of its own", async () => {
  const { headers, status } = await service.call("GET", "/v2/user", { headers: { traceparent: `00-${TRACE}-x` } });
  expect(status).toBe(200);
  const [span, ...more] = await spansOf(headers.get("x-request-id"));
  expect(more).toEqual([]);
  expect(span?.trace_id).not.toBe(TRACE);
  expect(span?.parent_id).toBeUndefined();
});

test("a caller that does not record its trace gets it passed on without log lines", async () => {
  const userId = await service.createUser("an untraced user");
  const traceId = TRACE.replace("4b", "aa");
  const { status } = await push(userId, traceparentOf(traceId, "00"));
  expect(status).toBe(202);
  const [received = ""] = await traceparents(userId);
  expect(parseTraceparent(received)).toMatchObject({ traceId, isSampled: false });
  expect((await service.call("GET", `/_local/traces/${traceId}`)).status).toBe(404);
});

test("an event of a transaction is relayed, and its webhook belongs to the trace of the request", {
  tags: "deep",
}, async () => {
  const traceId = TRACE.replace("4b", "bb");
  const headers = traceparentOf(traceId);
  const made = await service.call("POST", "/v2/user", { body: { client_user_id: "a linked user" } });
  const linked = await service.call("POST", "/v2/link/connect/demo", {
    body: { user_id: made.body.user_id, provider: "oura" },
    headers,
  });
  expect(linked.status).toBe(200);
  await service.settle();
  const operations = new Set(operationsOf(await spansOf(traceId)));
  expect(operations.has("relayEvents")).toBe(true);
  expect(operations.has("deliverEvent")).toBe(true);
  expect(operations.has("storeBatch")).toBe(true);
});

test("the trace of a deletion leads through the state machine to the erasure a week later", {
  tags: "deep",
}, async () => {
  const userId = await service.createUser("a user to erase");
  const traceId = TRACE.replace("4b", "cc");
  await service.call("DELETE", `/v2/user/${userId}`, { headers: traceparentOf(traceId) });
  await service.advance(8 * 24 * 60 * 60 * 1000);
  const operations = operationsOf(await spansOf(traceId));
  expect(operations).toEqual(expect.arrayContaining(["deleteUser", "beginErasure", "endConsents", "eraseUser"]));
});

test("the page shows a trace as a waterfall, and the newest traces", async () => {
  const { body, headers } = await service.call("GET", `/_local/traces/page?id=${TRACE}`);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(body.match(/<rect /g)).toHaveLength((await spansOf(TRACE)).length);
  expect(body).toContain("storeBatch ok");
  const list = await service.call("GET", "/_local/traces/page");
  expect(list.body).toContain(`/_local/traces/page?id=${TRACE}`);
});

test("a traced push costs the requests and write units that it costs without traces", async () => {
  const userId = await service.createUser("a metered user");
  for (const start of ["2026-05-02T08:00:00Z", "2026-05-02T08:01:00Z"]) {
    await push(userId, {}, start);
    await service.settle();
  }
  await service.call("DELETE", "/_local/meter");
  await push(userId, traceparentOf(TRACE), "2026-05-02T08:05:00Z");
  await service.settle();
  const { functions } = (await service.call("GET", "/_local/meter")).body;
  const unitsOf = (operationId: string) => {
    const { requests, write_units } = functions[findFunctionName(service, operationId)].total;
    return { requests, write_units };
  };
  // The numbers of the version before traces.
  expect(unitsOf("storeBatch")).toEqual({ requests: 9, write_units: 5 });
  expect(unitsOf("deliverEvent")).toEqual({ requests: 11, write_units: 6 });
  expect(unitsOf("forwardToTeam")).toEqual({ requests: 1, write_units: 0 });
});
