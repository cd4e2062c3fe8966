import { EventBridgeClient, type PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { beforeEach, expect, test, vi } from "vitest";
import type { EventReference } from "../../../../lib/events/catalogue/envelope.ts";
import { EventBus } from "../../../../lib/runtime/aws/event-bus.ts";

const bus = new EventBus("the bus");
const send = vi.spyOn(EventBridgeClient.prototype, "send");

/** The entries of each request so far. */
const requests = () => send.mock.calls.map(([command]) => (command as PutEventsCommand).input.Entries ?? []);
const idsOf = (entries: ReturnType<typeof requests>[number]) =>
  entries.map(({ Detail = "{}" }) => JSON.parse(Detail).event_id);

/** Responds as EventBridge does. `refused` selects the entries to reject. */
function answer(refused: (id: string) => boolean = () => false): void {
  send.mockReset().mockImplementation(async () => {
    const ids = idsOf(requests().at(-1) ?? []);
    return { Entries: ids.map((id) => (refused(id) ? { ErrorCode: "InternalFailure" } : { EventId: id })) };
  });
}
beforeEach(() => answer());

const references = (count: number, key = "k"): EventReference[] =>
  Array.from({ length: count }, (_, place) => ({
    event_id: `evt_${place}`,
    team_id: "t",
    user_id: "u",
    type: "daily.data.steps.created",
    key,
    version: 1,
  }));

test("events are published in requests of ten, each with its type and ids", async () => {
  const all = references(25);
  const { accepted, refused } = await bus.publish(all);
  expect(requests().map(({ length }) => length)).toEqual([10, 10, 5]);
  expect(requests()[0]?.[0]).toEqual({
    EventBusName: "the bus",
    Source: "tributary",
    DetailType: "daily.data.steps.created",
    Detail: JSON.stringify(all[0]),
  });
  expect([accepted, refused.size]).toEqual([all, 0]);
});

test("no request is larger than 256 KB", async () => {
  await bus.publish(references(20, "k".repeat(30_000)));
  expect(requests().map(({ length }) => length)).toEqual([8, 8, 4]);
  for (const entries of requests()) {
    const bytes = entries.map(({ Source, DetailType, Detail }) => `${Source}${DetailType}${Detail}`.length);
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(262_144);
  }
});

test("an entry rejected inside a successful response is reported, and the others are published", async () => {
  answer((id) => id === "evt_3" || id === "evt_12");
  const { accepted, refused } = await bus.publish(references(15));
  expect([...refused].map(([{ event_id }, error]) => [event_id, String(error)])).toEqual([
    ["evt_3", "Error: the bus refused the event: InternalFailure"],
    ["evt_12", "Error: the bus refused the event: InternalFailure"],
  ]);
  expect(accepted).toHaveLength(13);
});

test("an entry missing from the response counts as rejected", async () => {
  send.mockReset().mockImplementation(async () => ({ Entries: [{ EventId: "1" }] }));
  const { accepted, refused } = await bus.publish(references(2));
  expect([accepted.length, refused.size]).toEqual([1, 1]);
});

test("a failed request does not stop later requests", async () => {
  const lost = new Error("read ECONNRESET");
  send.mockImplementationOnce(async () => {
    throw lost;
  });
  const { accepted, refused } = await bus.publish(references(12));
  expect(accepted.map(({ event_id }) => event_id)).toEqual(["evt_10", "evt_11"]);
  expect(new Set(refused.values())).toEqual(new Set([lost]));
});
