import { chmodSync, globSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { request as sendRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DataDirectory, isOwnFile } from "../../../../../lib/local/data-directory.ts";
import { listListeningSockets } from "../../../../support/listening-sockets.ts";
import { TestService } from "../../../../support/service.ts";
import { listStreamObjects } from "../../summaries/stream-examples.ts";

/** Protection of the local run from other users of the machine, other machines of its network and pages in browsers. */

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

type Headers = Readonly<Record<string, string>>;

/** Sends a request with exactly these headers; an HTTP client may set its own. */
function ask(method: string, url: string, headers: Headers = {}, body = ""): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest(url, { method, headers, agent: false }, async (response) => {
      resolve({ status: response.statusCode ?? 0, body: await text(response) });
    });
    sent.on("error", reject).end(body);
  });
}

const control = (method: string, path: string, headers: Headers, body?: string) =>
  ask(method, `${service.baseUrl}/_local/${path}`, headers, body);
const port = () => new URL(service.baseUrl).port;

describe("pages below /_local/", () => {
  const CALLS = [
    ["GET", "inbox"],
    ["DELETE", "inbox"],
    ["POST", "inbox"],
    ["GET", "inbox/page"],
    ["GET", "inbox/live"],
    ["GET", "clock"],
    ["POST", "clock"],
    ["POST", "settle"],
    ["GET", "resources"],
    ["POST", "faults"],
    ["DELETE", "faults"],
    ["DELETE", "meter"],
  ] as const;

  const foreign: [string, () => Headers][] = [
    ["a foreign host name that resolves here", () => ({ host: "evil.example" })],
    ["a foreign host name with the right port", () => ({ host: `evil.example:${port()}` })],
    ["a name that begins like this machine's", () => ({ host: `127.0.0.1.evil.example:${port()}` })],
    ["another address", () => ({ host: `10.0.0.7:${port()}` })],
    ["another port", () => ({ host: "127.0.0.1:1" })],
    ["a page of another origin", () => ({ origin: "https://evil.example" })],
    ["a page of another port", () => ({ origin: "http://127.0.0.1:1" })],
    ["a page without an origin", () => ({ origin: "null" })],
    ["a page of another site", () => ({ "sec-fetch-site": "cross-site" })],
    ["a page of another port, in a browser that sends the site", () => ({ "sec-fetch-site": "same-site" })],
    [
      "a frame in a page of another site",
      () => ({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" }),
    ],
    [
      "a form in a page of another site",
      () => ({
        origin: "https://evil.example",
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
        "content-type": "text/plain",
      }),
    ],
  ];

  test.each(foreign)("refuse %s", async (_of, headers) => {
    const before = await control("GET", "clock", {});
    for (const [method, path] of CALLS) {
      const { status, body } = await control(method, path, headers(), '{"advance_seconds": 86400}');
      expect([method, path, status]).toEqual([method, path, 403]);
      expect(JSON.parse(body)).toEqual({
        detail: expect.any(String),
        code: "forbidden",
        request_id: expect.any(String),
      });
    }
    const movedMs = Date.parse(nowOf(await control("GET", "clock", {}))) - Date.parse(nowOf(before));
    expect(movedMs).toBeLessThan(60_000);
  });

  const nowOf = ({ body }: { body: string }): string => JSON.parse(body).now;

  const own: [string, () => Headers][] = [
    ["programs", () => ({})],
    ["programs that name localhost", () => ({ host: `localhost:${port()}` })],
    ["programs that name ::1", () => ({ host: `[::1]:${port()}` })],
    ["curl -d", () => ({ "content-type": "application/x-www-form-urlencoded" })],
    ["fetch of Node", () => ({ "sec-fetch-mode": "cors" })],
    ["pages that are served here", () => ({ origin: service.baseUrl, "sec-fetch-site": "same-origin" })],
    ["a typed address", () => ({ "sec-fetch-site": "none", "sec-fetch-mode": "navigate" })],
  ];

  test.each(own)("answer %s", { tags: "deep" }, async (_who, headers) => {
    expect((await control("GET", "inbox", headers())).status).toBe(200);
    expect((await control("POST", "clock", headers(), '{"advance_seconds": 0}')).status).toBe(200);
    expect((await control("DELETE", "faults", headers())).status).toBe(200);
  });

  test("answer a browser that follows a link to the inbox", async () => {
    const followed = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    expect((await control("GET", "inbox/page", followed)).status).toBe(200);
  });
});

describe("both APIs", () => {
  test("refuse a foreign host name that resolves here, and answer the names and addresses of this machine", {
    tags: "deep",
  }, async () => {
    const { managementUrl } = service.started.service;
    for (const url of [`${service.baseUrl}/openapi.json`, `${managementUrl}/nothing`]) {
      const served = (await ask("GET", url)).status;
      expect(served).not.toBe(403);
      for (const host of ["evil.example", "evil.example:3000", "127.0.0.1.evil.example", "localhost.evil.example"]) {
        expect([host, (await ask("GET", url, { host })).status]).toEqual([host, 403]);
      }
      for (const host of ["localhost", "LOCALHOST:80", "app.localhost:9", "[::1]:3000", "10.0.2.2:3000"]) {
        expect([host, (await ask("GET", url, { host })).status]).toEqual([host, served]);
      }
    }
  });
});

test.runIf(process.platform === "linux")("every socket of the run listens on loopback alone", () => {
  const listening = listListeningSockets(process.pid);
  const ports = listening.map(({ port: at }) => at);
  const { cloud, managementUrl } = service.started.service;
  const expected = [service.baseUrl, managementUrl, cloud.awsProxy.origin, cloud.s3.origin, cloud.dynamodb.origin];
  expect(ports).toEqual(expect.arrayContaining(expected.map((url) => Number(new URL(url).port))));
  expect(listening.filter(({ isLoopback }) => !isLoopback)).toEqual([]);
});

test("every engine except DynamoDB refuses a request without the key of this start", async () => {
  const { awsProxy, s3 } = service.cloud;
  for (const { origin } of [awsProxy, s3]) {
    for (const caller of ["local", "anything"]) {
      expect((await fetch(origin, { headers: { "x-caller": caller } })).status).toBe(403);
      const target = { "x-amz-target": "AmazonSQS.ListQueues", "x-caller": caller };
      expect((await fetch(origin, { method: "POST", headers: target, body: "{}" })).ok).toBe(false);
    }
  }
  expect(await listStreamObjects(service, "nobody")).toEqual([]);
});

test("a browser cannot reach the DynamoDB engine, which needs no key", async () => {
  // Node's fetch blocks the ports that the Fetch standard forbids to all browsers.
  const reached = fetch(service.cloud.dynamodb.origin);
  await expect(reached).rejects.toMatchObject({ cause: { message: "bad port" } });
});

test("other users can neither read nor write the data directory", async () => {
  await service.createUser("in a file");
  await service.settle();
  const paths = [service.data.path, ...globSync(`${service.data.path}/**/*`, { exclude: [] })];
  expect(paths.length).toBeGreaterThan(8);
  expect(paths.filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
  expect(readdirSync(service.data.path).filter((name) => !isOwnFile(name))).toEqual([]);
});

test("files that an earlier version left open are closed, and files of others stay as they are", () => {
  const directory = mkdtempSync(join(tmpdir(), "left-open-"));
  mkdirSync(join(directory, "s3"));
  const names = ["kms.key", "s3/fauxqs.db", "local.json", "mine.txt", "package.json", "my.sqlite", "app.log"];
  for (const name of names) writeFileSync(join(directory, name), "x");
  for (const name of names) chmodSync(join(directory, name), 0o644);
  chmodSync(directory, 0o755);
  const modeOf = (path = "") => (statSync(path).mode & 0o777).toString(8);
  new DataDirectory(directory).close();
  const modes = ["600", "600", "600", "644", "644", "644", "644"];
  expect(names.map((name) => modeOf(join(directory, name)))).toEqual(modes);
  expect(modeOf(directory)).toBe("755");
  const alone = join(directory, "alone");
  mkdirSync(alone, { mode: 0o755 });
  new DataDirectory(alone).close();
  expect(modeOf(alone)).toBe("700");
});
