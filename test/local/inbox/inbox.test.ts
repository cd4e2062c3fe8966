import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Inbox, type InboxChange } from "../../../lib/local/inbox/inbox.ts";
import { eventBody, NOW, SECRET, signedWebhook, USER_ID } from "./signed-webhook.ts";

let now = NOW;
let secret: string | undefined = SECRET;
const open = (path = ":memory:") => new Inbox({ path, secret: () => secret, now: () => now });

let inbox: Inbox;
beforeEach(() => {
  now = NOW;
  secret = SECRET;
  inbox = open();
});
afterEach(() => inbox.close());

const bodiesOf = (eventType?: string) =>
  inbox.list(eventType === undefined ? {} : { eventType }).map(({ body }) => Reflect.get(Object(body), "event_type"));

describe("a received webhook", () => {
  test("is listed with its instant, headers and parsed body, newest last", () => {
    const first = signedWebhook(eventBody("a.created", { value: 1 }));
    inbox.receive(first);
    now += 1500;
    inbox.receive({ headers: {}, body: '["second"]' });
    expect(inbox.list()).toEqual([
      {
        received_at: "2026-03-01T12:00:00.000Z",
        headers: first.headers,
        body: { event_type: "a.created", user_id: USER_ID, data: { value: 1 } },
        verified: true,
      },
      { received_at: "2026-03-01T12:00:01.500Z", headers: {}, body: ["second"], verified: false },
    ]);
  });

  test.each([[""], ["no JSON"], ["a\u0000b"], ["{"]])("is listed as text if it is not JSON: %j", (body) => {
    inbox.receive({ headers: {}, body });
    expect(inbox.list()).toMatchObject([{ body, verified: false }]);
  });

  test("is unverified without a secret, and remains so", () => {
    secret = undefined;
    inbox.receive(signedWebhook(eventBody("a.created")));
    secret = SECRET;
    expect(inbox.list()).toMatchObject([{ verified: false }]);
  });

  test("remains verified as time passes", () => {
    inbox.receive(signedWebhook(eventBody("a.created")));
    now += 86_400_000;
    expect(inbox.list()).toMatchObject([{ verified: true }]);
  });

  test("persists across a restart, and ids continue", () => {
    const directory = mkdtempSync(join(tmpdir(), "inbox-"));
    const path = join(directory, "inbox.sqlite");
    const before = open(path);
    before.receive({ headers: {}, body: "1" });
    before.receive({ headers: {}, body: "2" });
    before.clear();
    before.receive({ headers: {}, body: "3" });
    before.close();
    const after = open(path);
    after.receive({ headers: {}, body: "4" });
    expect(after.list()).toMatchObject([{ body: 3 }, { body: 4 }]);
    expect(after.entries()).toMatchObject([{ id: 3 }, { id: 4 }]);
    after.close();
    rmSync(directory, { recursive: true });
  });

  test("is retained up to 20,000 in total, oldest deleted first", () => {
    for (let number = 1; number <= 20_002; number += 1) inbox.receive({ headers: {}, body: String(number) });
    const bodies = inbox.list().map(({ body }) => body);
    expect(bodies).toHaveLength(20_000);
    expect(bodies[0]).toBe(3);
    expect(bodies.at(-1)).toBe(20_002);
  });

  test("is absent after clear", () => {
    inbox.receive({ headers: {}, body: "1" });
    inbox.clear();
    expect(inbox.list()).toEqual([]);
    expect(inbox.find(1)).toBeUndefined();
  });
});

describe("the filter by event type", () => {
  const types = ["daily.data.steps.created", "daily.data.steps.updated", "daily.dataset", "daily_data.x", "daily"];
  beforeEach(() => {
    for (const type of types) inbox.receive({ headers: {}, body: eventBody(type) });
    inbox.receive({ headers: {}, body: '{"event_type": 7}' });
    inbox.receive({ headers: {}, body: "null" });
  });

  test.each([
    ["daily.data.steps.created", ["daily.data.steps.created"]],
    ["daily.data", []],
    ["daily.data.", ["daily.data.steps.created", "daily.data.steps.updated"]],
    ["daily.", ["daily.data.steps.created", "daily.data.steps.updated", "daily.dataset"]],
    ["daily", ["daily"]],
    ["%.", []],
  ])("selects %j", (eventType, expected) => {
    expect(bodiesOf(eventType)).toEqual(expected);
  });

  test("finds all webhooks of a type, even more than one statement reads", () => {
    for (let count = 0; count < 250; count += 1) inbox.receive({ headers: {}, body: eventBody("many.created") });
    expect(bodiesOf("many.created")).toHaveLength(250);
    expect(bodiesOf("many.")).toHaveLength(250);
    expect(inbox.list()).toHaveLength(257);
  });
});

describe("a subscriber", () => {
  test("is notified of new webhooks and of a clear, until it ends", () => {
    const changes: InboxChange[] = [];
    inbox.receive({ headers: {}, body: "before" });
    const end = inbox.subscribe((change) => changes.push(change));
    inbox.receive(signedWebhook(eventBody("a.created")));
    inbox.clear();
    end();
    inbox.receive({ headers: {}, body: "after" });
    const entry = { id: 2, received_at: "2026-03-01T12:00:00.000Z", event_type: "a.created", user_id: USER_ID };
    expect(changes).toEqual([
      { kind: "received", entry: { ...entry, verified: true } },
      { kind: "cleared", filter: {} },
    ]);
  });

  test("gets the same entries as a reader", () => {
    const changes: InboxChange[] = [];
    inbox.subscribe((change) => changes.push(change));
    inbox.receive({ headers: {}, body: "no type" });
    expect(changes).toEqual(inbox.entries().map((entry) => ({ kind: "received", entry })));
    expect(inbox.entries()).toMatchObject([{ event_type: null, user_id: null }]);
  });
});
