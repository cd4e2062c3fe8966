import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { exportSpans } from "../../../lib/services/operations/export-spans.ts";
import { spanLines } from "./span-lines.ts";

let server: Server;
let status = 200;
const received: { url: string | undefined; type: string | undefined; body: string }[] = [];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { url, headers } = request;
    received.push({ url, type: headers["content-type"], body: Buffer.concat(parts).toString() });
    response.writeHead(status).end("{}");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});
afterAll(() => void server.close());
beforeEach(() => {
  received.length = 0;
  status = 200;
  vi.stubEnv("OTLP_ENDPOINT", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => void vi.unstubAllEnvs());

/** Log lines as CloudWatch Logs delivers them. */
function delivery(lines: readonly string[], messageType = "DATA_MESSAGE") {
  const logEvents = lines.map((message, id) => ({ id: String(id), timestamp: 0, message }));
  const content = { messageType, logGroup: "/tributary/ingest/storeBatch", logStream: "s", logEvents };
  return { awslogs: { data: gzipSync(JSON.stringify(content)).toString("base64") } };
}

test("span lines reach the receiver as one OTLP request, and other lines do not", async () => {
  await exportSpans(delivery(["not JSON", '{"message":"stored"}', ...spanLines]));
  const [request, ...more] = received;
  expect(more).toEqual([]);
  expect(request).toMatchObject({ url: "/v1/traces", type: "application/json" });
  expect(JSON.parse(request?.body ?? "")).toMatchObject({
    resourceSpans: [
      {
        resource: { attributes: [{ key: "service.name", value: { stringValue: "tributary" } }] },
        scopeSpans: [
          {
            spans: [
              {
                traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
                spanId: "00f067aa0ba902b7",
                name: "ingestBatch",
                kind: 2,
                startTimeUnixNano: "1777622400123000000",
                endTimeUnixNano: "1777622400135500000",
                status: {},
              },
              { parentSpanId: "00f067aa0ba902b7", name: "storeBatch", kind: 5, status: { code: 2 } },
            ],
          },
        ],
      },
    ],
  });
});

test("a delivery without spans and a control message cause no request", async () => {
  expect(await exportSpans(delivery(['{"message":"stored"}']))).toEqual({ exported: false });
  expect(await exportSpans(delivery(spanLines, "CONTROL_MESSAGE"))).toEqual({ exported: false });
  expect(received).toEqual([]);
});

test("a receiver that refuses makes the delivery fail, so that it is repeated", async () => {
  status = 503;
  await expect(exportSpans(delivery(spanLines))).rejects.toThrow("503");
});
