import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { callOwnApi } from "../../../../lib/runtime/http/own-api.ts";

let server: Server;
let origin: string;
const seen: IncomingMessage[] = [];
beforeEach(async () => {
  seen.length = 0;
  server = createServer((request, response) => {
    seen.push(request);
    if (request.url === "/moved") response.writeHead(308, { location: "/elsewhere" });
    response.end("{}");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await new Promise((done) => server.close(done));
});

const headers = { "x-service-api-key": "key" };
const request = { method: "GET", target: "/v2/user?limit=1", headers, body: undefined, callerAddress: "192.0.2.7" };

test("calls the public address, without the headers of the edge", async () => {
  vi.stubEnv("BASE_URL", origin);
  expect((await callOwnApi(request)).status).toBe(200);
  const [{ url, headers: sent }] = seen as [IncomingMessage];
  expect([url, sent["x-service-api-key"]]).toEqual(["/v2/user?limit=1", "key"]);
  expect([sent["x-origin-secret"], sent["x-forwarded-for"], sent["content-type"]]).toEqual(Array(3).fill(undefined));
});

test("passes the edge with its secret and the address of the caller", async () => {
  vi.stubEnv("BASE_URL", "https://edge.invalid");
  vi.stubEnv("EDGE_ORIGIN", origin);
  vi.stubEnv("EDGE_SECRET", "secret");
  await callOwnApi({ ...request, method: "POST", body: '{"a":1}' });
  const [{ method, headers: sent }] = seen as [IncomingMessage];
  expect([method, sent["x-origin-secret"], sent["x-forwarded-for"], sent["content-type"]]).toEqual([
    ...["POST", "secret", "192.0.2.7"],
    "application/json",
  ]);
});

test("takes the credential nowhere else", async () => {
  vi.stubEnv("BASE_URL", origin);
  await expect(callOwnApi({ ...request, target: "/moved" })).rejects.toThrow();
  expect(seen.map(({ url }) => url)).toEqual(["/moved"]);
});
