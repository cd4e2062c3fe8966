import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AttemptMessage, planDelivery, toAttemptMessage } from "../../../lib/events/webhooks/delivery.ts";
import { type Ports, setPorts } from "../../../lib/runtime/ports.ts";
import { attemptDelivery } from "../../../lib/services/webhooks/attempt-delivery.ts";
import { deliverEvents } from "../../../lib/services/webhooks/deliver-events.ts";
import type { AttemptResult } from "../../../lib/services/webhooks/post-webhook.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";
import { events, log, type RaceDependencies, raceDependencies } from "./race-dependencies.ts";

const START_MS = Date.UTC(2026, 4, 1, 8);
const ACCEPTED: AttemptResult = { status: 204, durationMs: 1, response: "", error: null };

let dynamodb: TestDynamodb;
let deps: RaceDependencies;
let nowMs = START_MS;
/** Names of the requests to the tables, the requests to the receiver, and the messages to the attempt queue. */
const commands: string[] = [];
const versions: number[] = [];
const sent: AttemptMessage[] = [];
let answer: (attempt: number) => AttemptResult | Promise<AttemptResult> = () => ACCEPTED;
/** Duration of the write to the access log, the last call before a request, ms. */
let recordingMs = 0;

beforeAll(async () => {
  dynamodb = await startDynamodb();
  deps = raceDependencies(countRequests(dynamodb.documents), {
    send: async (message: AttemptMessage) => void sent.push(message),
    sendAll: async (messages: readonly AttemptMessage[]) => void sent.push(...messages),
    record: async (_: TeamScope, { id }: { readonly id: string }) => {
      nowMs += recordingMs;
      versions.push(Number(id.split("/")[2]));
    },
    addAttempt: async () => {},
  });
});
beforeEach(async () => {
  nowMs = START_MS;
  answer = () => ACCEPTED;
  recordingMs = 0;
  const outbound = (async () => answer(versions.length)) as Ports["outbound"];
  setPorts({ clock: { now: () => nowMs }, outbound });
  await dynamodb.clear();
  const endpoint = { team_id: "t", endpoint_id: "e" };
  await deps.endpointHealth.recordDuration(endpoint, 100, nowMs, endpoint);
  for (const list of [commands, versions, sent]) list.splice(0);
});
afterEach(() => setPorts(undefined));
afterAll(() => dynamodb.stop());

function countRequests(documents: DynamoDBDocumentClient): DynamoDBDocumentClient {
  const send = (command: { readonly constructor: { readonly name: string } }) => {
    commands.push(command.constructor.name);
    return documents.send(command as never);
  };
  return { send } as unknown as DynamoDBDocumentClient;
}

const deliverAll = () =>
  deliverEvents(
    events.map((message) => ({ message, log, isRedelivered: false })),
    TeamScope.grant,
    deps,
  );
const messageOf = (event: (typeof events)[number]) => toAttemptMessage({ ...event, endpoint_id: "e", event });
const states = async () => {
  const found = await deps.deliveries.getMany(events.map(messageOf));
  return found.map(({ state, attempts }) => `${state} ${attempts.length}`);
};

/** Stores all deliveries, of which all but the first wait for its lease. @returns the message of the first. */
async function storeWaiting(): Promise<AttemptMessage> {
  const [first, ...others] = events.map(messageOf);
  if (!first) throw new Error("no events");
  for (const event of events) await deps.deliveries.create(event, "e", nowMs);
  const lease = await deps.deliveryLeases.acquire(first, nowMs);
  if (!("fence" in lease)) throw new Error("held");
  const ids = others.map(({ event_id }) => event_id);
  await deps.deliveryLeases.enqueue(first, ids, nowMs);
  await deps.deliveryLeases.release(first, lease);
  commands.splice(0);
  return first;
}

const attempt = (message: AttemptMessage) => attemptDelivery({ scope: TeamScope.grant("t"), message, log }, deps);

describe("a turn of first attempts", () => {
  test("delivers all events of an ordering key, with two writes for each after the first", async () => {
    expect(await deliverAll()).toEqual([]);
    expect(await states()).toEqual(events.map(() => "delivered 1"));
    expect(versions).toEqual(events.map((_, index) => (versions[0] ?? 0) + index));
    const writes = commands.filter((name) => /Put|Update/.test(name));
    expect([writes.length, sent]).toEqual([2 * events.length, []]);
  });

  test("leaves the rest to the attempt queue once it has taken five seconds, and dispatches one of it", async () => {
    answer = () => {
      nowMs += 3_000;
      return ACCEPTED;
    };
    await deliverAll();
    expect((await states()).toSorted()).toEqual(["delivered 1", "delivered 1", "pending 0", "pending 0", "pending 0"]);
    expect(sent).toHaveLength(1);
  });

  test("releases its lease after an attempt at a delivery that ended before, whose record shows no end", async () => {
    const [event] = events;
    if (!event) throw new Error("no events");
    const unstored = planDelivery(event, "e", nowMs);
    const before = { at: "", status: 204, duration_ms: 1, response: "", error: null, probe: false };
    // Another consumer of the same event delivers it after this one has read that it is not stored.
    answer = async () => {
      await deps.deliveries.complete({ ...unstored, unstored, attempts: [before], fence: 1 }, "delivered");
      return ACCEPTED;
    };
    await deliverEvents([{ message: event, log, isRedelivered: false }], TeamScope.grant, deps);
    expect([versions.length, await states()]).toEqual([1, ["delivered 1"]]);
    expect(await deps.deliveryLeases.enqueue(messageOf(event), ["evt_1"], nowMs)).toBe(undefined);
  });

  test("ends with an attempt of unknown outcome, and the others return after its quarantine", async () => {
    answer = () => ({ ...ACCEPTED, status: 0, error: "timeout" });
    await deliverAll();
    expect(versions).toHaveLength(1);
    expect((await states()).toSorted()).toEqual([...Array(4).fill("pending 0"), "pending 1"]);
    expect(new Set(sent.map(({ event_id }) => event_id)).size).toBe(events.length);
  });
});

describe("a turn of stored deliveries", () => {
  test("delivers all that wait, with two writes for each after the first, and dispatches none", async () => {
    await attempt(await storeWaiting());
    expect(await states()).toEqual(events.map(() => "delivered 1"));
    expect(versions).toEqual(events.map((_, index) => (versions[0] ?? 0) + index));
    const writes = commands.filter((name) => /Put|Update/.test(name));
    // The first also acquires the lease, and the last releases it.
    expect([writes.length, sent]).toEqual([2 * events.length + 1, []]);
  });

  test("continues after a failed attempt", async () => {
    answer = (attempts) => (attempts === 1 ? { ...ACCEPTED, status: 500 } : ACCEPTED);
    const first = await storeWaiting();
    await attempt(first);
    expect((await states()).toSorted()).toEqual([...Array(4).fill("delivered 1"), "pending 1"]);
    expect(sent).toEqual([first]);
  });

  test("ends after five seconds, and dispatches one of the others", async () => {
    answer = () => {
      nowMs += 3_000;
      return ACCEPTED;
    };
    await attempt(await storeWaiting());
    expect((await states()).toSorted()).toEqual(["delivered 1", "delivered 1", "pending 0", "pending 0", "pending 0"]);
    expect(sent).toHaveLength(1);
    await attempt(sent[0] as AttemptMessage);
    expect((await states()).filter((state) => state === "delivered 1")).toHaveLength(4);
  });

  test("ends when another worker has the lease", async () => {
    const first = await storeWaiting();
    answer = () => {
      nowMs += 1_000;
      return ACCEPTED;
    };
    const { passOn } = deps.deliveryLeases;
    deps.deliveryLeases.passOn = async () => undefined;
    await attempt(first);
    deps.deliveryLeases.passOn = passOn;
    expect(versions).toHaveLength(1);
  });

  test("passes over deliveries that are not due any longer", async () => {
    const first = await storeWaiting();
    await deps.deliveries.cancel(messageOf(events[1] as (typeof events)[number]), "manual");
    await attempt(first);
    expect((await states()).toSorted()).toEqual(["cancelled 0", ...Array(4).fill("delivered 1")]);
    const free = await deps.deliveryLeases.acquire(first, nowMs);
    expect(free).toMatchObject({ waiting: [] });
  });

  test("sends nothing that could take effect after its lease, and the delivery stays due", async () => {
    const requests: number[] = [];
    answer = (attempts) => {
      requests.push(attempts);
      return ACCEPTED;
    };
    recordingMs = 5_001;
    const first = await storeWaiting();
    await expect(attempt(first)).rejects.toThrow("the lease leaves no time for the request");
    expect(requests).toEqual([]);
    expect(await states()).toEqual(events.map(() => "pending 0"));
    [recordingMs, nowMs] = [5_000, nowMs + 80_000];
    await attempt(first);
    expect(requests.length).toBeGreaterThan(0);
  });
});
