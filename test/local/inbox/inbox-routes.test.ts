import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type InboxServer, startInboxServer } from "./inbox-server.ts";
import { eventBody, signedWebhook } from "./signed-webhook.ts";

let server: InboxServer;
beforeEach(async () => {
  server = await startInboxServer();
});
afterEach(() => server.close());

const ask = (path: string, init?: RequestInit) => fetch(`${server.origin}/_local/inbox${path}`, init);
const post = (body: string, headers: Record<string, string> = {}) => ask("", { method: "POST", body, headers });

describe("POST /_local/inbox", () => {
  test("accepts a signed webhook and answers 204", async () => {
    const { headers, body } = signedWebhook(eventBody("a.created", { note: "é 日" }));
    const response = await post(body, headers);
    expect(response.status).toBe(204);
    expect(server.inbox.list()).toMatchObject([{ verified: true, body: JSON.parse(body), headers }]);
  });

  test("accepts a body of 2 MB and refuses a longer one with 413", async () => {
    expect((await post("x".repeat(2 * 1024 * 1024))).status).toBe(204);
    expect((await post("x".repeat(2 * 1024 * 1024 + 1))).status).toBe(413);
    expect(server.inbox.list()).toHaveLength(1);
  });
});

describe("GET /_local/inbox", () => {
  test("returns all webhooks, newest last", async () => {
    await post(eventBody("a.created"));
    await post("not JSON");
    const response = await ask("");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({ deliveries: server.inbox.list() });
    expect(server.inbox.list()).toMatchObject([{ body: { event_type: "a.created" } }, { body: "not JSON" }]);
  });

  test("returns an empty list if nothing has arrived", async () => {
    expect(await (await ask("")).json()).toEqual({ deliveries: [] });
  });

  test.each([
    ["a.created", ["a.created"]],
    ["a.", ["a.created", "a.updated"]],
    ["a", []],
  ])("returns the types %j for ?event_type=%s", async (eventType, expected) => {
    for (const type of ["a.created", "b.created", "a.updated"]) await post(eventBody(type));
    const { deliveries } = (await (await ask(`?event_type=${eventType}`)).json()) as { deliveries: unknown[] };
    const types = deliveries.map((delivery) => Reflect.get(Reflect.get(Object(delivery), "body"), "event_type"));
    expect(types).toEqual(expected);
  });

  test("returns one webhook by its id, or 404", async () => {
    await post(eventBody("a.created"));
    expect(await (await ask("/deliveries/1")).json()).toEqual(server.inbox.list()[0]);
    expect((await ask("/deliveries/2")).status).toBe(404);
  });
});

test("DELETE /_local/inbox deletes all webhooks and answers 204", async () => {
  await post(eventBody("a.created"));
  expect((await ask("", { method: "DELETE" })).status).toBe(204);
  expect(server.inbox.list()).toEqual([]);
});

test.each([
  ["a.created", ["b.created", "a.updated"]],
  ["a.", ["b.created"]],
  ["a", ["a.created", "b.created", "a.updated"]],
])("DELETE /_local/inbox?event_type=%s leaves %j", async (eventType, left) => {
  for (const type of ["a.created", "b.created", "a.updated"]) await post(eventBody(type));
  expect((await ask(`?event_type=${eventType}`, { method: "DELETE" })).status).toBe(204);
  expect(server.inbox.entries().map(({ event_type }) => event_type)).toEqual(left);
});

describe("GET /_local/inbox/live", () => {
  test("streams existing and new webhooks, and deletions", async () => {
    server.inbox.receive({ headers: {}, body: eventBody("first.created") });
    const abort = new AbortController();
    const response = await ask("/live", { signal: abort.signal });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const messages = messagesOf(response);
    expect(await messages.next()).toEqual({ event: "recent", data: server.inbox.entries() });
    server.inbox.receive({ headers: {}, body: eventBody("second.created") });
    expect(await messages.next()).toEqual({ event: "received", data: server.inbox.entries()[1] });
    server.inbox.clear({ eventType: "first." });
    expect(await messages.next()).toEqual({ event: "cleared", data: { event_type: "first." } });
    server.inbox.clear();
    expect(await messages.next()).toEqual({ event: "cleared", data: {} });
    abort.abort();
  });

  test("ends its subscription when the reader disconnects", async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    vi.spyOn(server.inbox, "subscribe").mockReturnValue(end);
    const abort = new AbortController();
    await ask("/live", { signal: abort.signal });
    abort.abort();
    await ended;
    expect(server.inbox.subscribe).toHaveBeenCalledOnce();
  });
});

/** Reads server-sent events with name and data. */
function messagesOf(response: Response) {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const next = async (): Promise<{ event: string; data: unknown }> => {
    const found = /event: (.*)\ndata: (.*)\n\n/.exec(text);
    if (found) {
      text = text.slice(found.index + found[0].length);
      return { event: found[1]!, data: JSON.parse(found[2]!) };
    }
    const { value, done } = await reader.read();
    if (done) throw new Error("the stream ended");
    text += value;
    return next();
  };
  return { next };
}

describe("the inbox page", () => {
  test("consists of served files, each with its type", async () => {
    const html = await (await ask("/page")).text();
    const references = [...html.matchAll(/(?:href|src)="([^":]+\.(?:css|js))"/g)].map(([, path]) => path);
    expect(references).toEqual(["page.css", "inbox.css", "inbox-row.css", "inbox.js"]);
    for (const file of [...references, "inbox-row.js"]) {
      const response = await ask(`/${file}`);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toMatch(file?.endsWith(".css") ? "text/css" : "text/javascript");
    }
  });

  test("allows no script, style or connection of other origins", async () => {
    const { headers } = await ask("/page");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("has no inline script or style, and names no other host", async () => {
    const html = await (await ask("/page")).text();
    expect(html).not.toMatch(/<style|style="|\son[a-z]+="|https?:|<script(?![^>]*src=)/);
  });
});

test.each([
  ["GET", "/other"],
  ["GET", "/page/"],
  ["GET", "/inbox.html"],
  ["GET", "/../../package.json"],
  ["GET", "/deliveries/x"],
  ["POST", "/page"],
  ["PUT", ""],
  ["DELETE", "/live"],
])("the inbox does not handle %s /_local/inbox%s", async (method, path) => {
  expect((await ask(path, { method })).status).toBe(418);
});
