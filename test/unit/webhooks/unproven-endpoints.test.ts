import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { EventReference } from "../../../lib/events/catalogue/envelope.ts";
import { type AttemptMessage, toAttemptMessage } from "../../../lib/events/webhooks/delivery.ts";
import { type Ports, setPorts } from "../../../lib/runtime/ports.ts";
import { attemptDelivery } from "../../../lib/services/webhooks/attempt-delivery.ts";
import { deliverEvents } from "../../../lib/services/webhooks/deliver-events.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";
import { log, type RaceDependencies, raceDependencies } from "./race-dependencies.ts";

const NOW = Date.UTC(2026, 4, 1, 8);
/** Most slots of a team. */
const SLOTS = 5;

let dynamodb: TestDynamodb;
let deps: RaceDependencies;
const sent: { readonly message: AttemptMessage; readonly delayS: number }[] = [];
let requests = 0;
let open: PromiseWithResolvers<void>;
let updates: string[] = [];

beforeAll(async () => {
  dynamodb = await startDynamodb();
  deps = raceDependencies(recordUpdates(dynamodb.documents), {
    send: async (message: AttemptMessage, options?: { readonly delayS: number }) =>
      void sent.push({ message, delayS: options?.delayS ?? 0 }),
    sendAll: async (messages: readonly AttemptMessage[]) => {
      for (const message of messages) sent.push({ message, delayS: 0 });
    },
    record: async () => {},
    addAttempt: async () => {},
  });
});
beforeEach(async () => {
  await dynamodb.clear();
  sent.splice(0);
  [requests, updates, open] = [0, [], Promise.withResolvers()];
  const outbound = (async () => {
    requests++;
    await open.promise;
    return { status: 204, response: "", error: null };
  }) as Ports["outbound"];
  setPorts({ clock: { now: () => NOW }, outbound });
});
afterEach(() => setPorts(undefined));
afterAll(() => dynamodb.stop());

/** Notes which kinds of items requests change. */
function recordUpdates(documents: DynamoDBDocumentClient): DynamoDBDocumentClient {
  const send = (command: {
    readonly input: { readonly Key?: { readonly pk: string }; readonly Item?: { pk: string } };
  }) => {
    const { Key, Item } = command.input;
    const pk = Key?.pk ?? Item?.pk;
    if (pk !== undefined) updates.push(pk.split("#")[0] ?? "");
    return documents.send(command as never);
  };
  return { send } as unknown as DynamoDBDocumentClient;
}

let count = 0;
const newEvent = (): EventReference => {
  const id = `${count++}`;
  const about = { type: "provider.connection.created", key: id, version: 1 };
  return { team_id: "t", user_id: `u${id}`, event_id: `evt_${id}`, ...about };
};
/** One invocation of the consumer of events. */
const deliver = (...events: EventReference[]) =>
  deliverEvents(
    events.map((message) => ({ message, log, isRedelivered: false })),
    TeamScope.grant,
    deps,
  );
/** Waits until so many requests are open, and so many deliveries wait. */
const settled = (opened: number, waiting: number) =>
  vi.waitFor(() => expect([requests, sent.length]).toEqual([opened, waiting]), 10_000);
const counted = (kind: string) => updates.filter((one) => one === kind).length;

describe("an endpoint whose speed is unknown", () => {
  test("gets first attempts of as many invocations as its team has slots; the others wait, without an attempt", async () => {
    const invocations = Array.from({ length: SLOTS + 3 }, () => deliver(newEvent(), newEvent()));
    await settled(2 * SLOTS, 6);
    for (const { delayS } of sent) expect(delayS).toBeGreaterThanOrEqual(2);
    open.resolve();
    expect((await Promise.all(invocations)).flat()).toEqual([]);
    // The slots are free again.
    open = Promise.withResolvers();
    const { endpointHealth } = deps;
    await endpointHealth.clearAll({ team_id: "t", endpoint_id: "e" }, NOW);
    const next = Array.from({ length: SLOTS + 1 }, () => deliver(newEvent()));
    await settled(3 * SLOTS, 7);
    open.resolve();
    await Promise.all(next);
  });

  test("waits in the attempt queue too while its team has no slot, and then gets its attempt", async () => {
    const held = Array.from({ length: SLOTS }, () => deliver(newEvent()));
    await settled(SLOTS, 0);
    const event = newEvent();
    await deps.deliveries.create(event, "e", NOW);
    const message = toAttemptMessage({ ...event, endpoint_id: "e", event });
    await attemptDelivery({ scope: TeamScope.grant("t"), message, log }, deps);
    expect([requests, sent.length]).toEqual([SLOTS, 1]);
    expect(await deps.deliveries.get(message)).toMatchObject({ state: "pending", attempts: [] });
    open.resolve();
    await Promise.all(held);
    setPorts({ clock: { now: () => NOW + 5_000 }, outbound: (async () => ({ status: 204, error: null })) as never });
    await attemptDelivery({ scope: TeamScope.grant("t"), message, log }, deps);
    expect(await deps.deliveries.get(message)).toMatchObject({ state: "delivered" });
  });

  test("costs a slot and a record once; a prompt endpoint costs neither", async () => {
    open.resolve();
    await deliver(newEvent());
    expect([counted("slots"), counted("health")]).toEqual([2, 1]);
    updates = [];
    await deliver(newEvent(), newEvent());
    expect([requests, counted("slots"), counted("health")]).toEqual([3, 0, 0]);
  });
});

test("an invocation makes a first attempt for each team, however many deliveries another team brings", async () => {
  open.resolve();
  const other = { ...newEvent(), team_id: "other" };
  await deliver(...Array.from({ length: 12 }, newEvent), other);
  expect(requests).toBe(10);
  const found = await deps.deliveries.get({ ...other, endpoint_id: "e" });
  expect(found).toMatchObject({ state: "delivered" });
  expect(sent).toHaveLength(3);
});
