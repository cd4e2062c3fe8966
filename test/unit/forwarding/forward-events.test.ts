import { expect, test } from "vitest";
import type { EventReference } from "../../../lib/events/catalogue/envelope.ts";
import { PermanentError } from "../../../lib/runtime/errors.ts";
import {
  type ForwardTarget,
  forwardEvents,
  type OutgoingEvent,
} from "../../../lib/services/forwarding/forward-events.ts";
import { eventIdentityKey } from "../../../lib/store/events/outbox-items.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";

const reference = (event_id: string): EventReference => ({
  event_id,
  team_id: "team",
  user_id: "",
  type: "labtest.match_review.created",
  key: "k",
  version: 1,
});

/** Forwards messages with bodies of these sizes to the target. */
async function forward(sizes: readonly number[], send: ForwardTarget["send"]) {
  const ids = sizes.map((_, index) => `evt_${index}`);
  const bodies = new Map(
    ids.map((id, index) => [eventIdentityKey(reference(id)), JSON.stringify({ data: "x".repeat(sizes[index] ?? 0) })]),
  );
  const target = {
    operation: "forward",
    maxEntries: 3,
    maxRequestBytes: 1_000,
    maxEntryBytes: 500,
    sizeOf: sizeOf,
    send,
  };
  const deps = {
    outbox: { getBodies: async () => bodies },
    teams: { get: async () => ({}) as never },
    users: { getMany: async () => [] },
    accessLog: { record: async () => {} },
  };
  const deliveries = ids.map((id) => ({ message: { to: "arn:aws:sqs:eu-west-1:1:q", event: reference(id) } }));
  const failures = await forwardEvents(deliveries, target, TeamScope.grant, deps);
  return failures.map(({ delivery, error }) => [delivery.message.event.event_id, error]);
}
const sizeOf = ({ body }: OutgoingEvent) => body.length;

/** A target that accepts everything and records the ids of each request. */
function taking() {
  const requests: string[][] = [];
  const send: ForwardTarget["send"] = async (_, request) => {
    requests.push(request.map(({ event }) => event.event_id));
    return new Map();
  };
  return { requests, send };
}

test("no request exceeds the target's limits on entries and bytes", async () => {
  const { requests, send } = taking();
  expect(await forward([10, 10, 10, 10, 400, 400, 400], send)).toEqual([]);
  expect(requests).toEqual([["evt_0", "evt_1", "evt_2"], ["evt_3", "evt_4", "evt_5"], ["evt_6"]].map((ids) => ids));
});

test("an event too large for its target fails permanently, and the others are sent", async () => {
  const { requests, send } = taking();
  expect(await forward([10, 600, 10], send)).toEqual([["evt_1", expect.any(PermanentError)]]);
  expect(requests).toEqual([["evt_0", "evt_2"]]);
});

test("a failed request fails only its own events", async () => {
  const lost = new Error("lost");
  const failures = await forward([10, 10, 10, 10], async (_, request) => {
    if (request.length === 3) throw lost;
    return new Map();
  });
  expect(failures).toEqual(["evt_0", "evt_1", "evt_2"].map((id) => [id, lost]));
});
