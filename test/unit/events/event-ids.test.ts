import { globSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Order } from "../../../lib/domain/orders/lifecycle/order-transitions.ts";
import { getResource } from "../../../lib/domain/timeseries/resources.ts";
import type { UserRecord } from "../../../lib/domain/users/user.ts";
import { newUser } from "../../../lib/domain/users/user.ts";
import { appointmentEvents } from "../../../lib/events/constructors/appointment-events.ts";
import {
  composeDataEvent,
  composeEvent,
  composeTeamEvent,
  type NewEvent,
} from "../../../lib/events/constructors/compose-event.ts";
import {
  connectionErrorEvent,
  connectionEvent,
  connectionRecoveredEvent,
  connectionStaleEvent,
  consentEvent,
} from "../../../lib/events/constructors/connection-events.ts";
import {
  deviceEvent,
  exhaustedEvent,
  historicalEvent,
  summaryEvent,
  timeseriesEvents,
  workoutStreamEvent,
} from "../../../lib/events/constructors/data-events.ts";
import { labReportEvent } from "../../../lib/events/constructors/lab-report-events.ts";
import { matchReviewEvent } from "../../../lib/events/constructors/match-review-events.ts";
import { orderEvents, repeatedOrderEvent } from "../../../lib/events/constructors/order-events.ts";

/** The fields that distinguish occasions. Senders choose all names, and many names are equal. */
interface Occasion {
  readonly team: string;
  readonly user: string;
  readonly name: string;
  readonly version: number;
}

type Construct = (user: UserRecord, occasion: Occasion) => readonly (NewEvent | undefined)[];

const source = { name: "Oura", slug: "oura", logo: "", provider: "oura", type: "ring" } as never;
const range = { start_date: "2026-01-01T00:00:00.000Z", end_date: "2026-01-31T00:00:00.000Z" };
const at = "2026-01-01T00:00:00.000Z";
const sample = { start: 0, end: 0, value: 1, offsetS: 0, type: null };
const staleness = { reason: "silent" as const, resources: [], last_data_at: null };
const given = <T = never>(value: object) => value as T;

/** Every event constructor, with the fields of an occasion as arguments. */
const constructors: Readonly<Record<string, Construct>> = {
  [composeEvent.name]: (user, { name, version }) => [composeEvent(user, "daily.data.steps.created", name, version, {})],
  [composeDataEvent.name]: (user, { name, version }) => [
    composeDataEvent(user, "daily.data.steps.created", name, version, {}),
  ],
  [composeTeamEvent.name]: ({ team_id }, { user, name, version }) => [
    composeTeamEvent(team_id, "labtest.match_review.created", `${user}#${name}`, version, {}),
  ],
  [timeseriesEvents.name]: (user, { name, version }) =>
    timeseriesEvents({ user, source, receiptId: name }, getResource("steps"), "created", [
      { position: version * 1_000, sample },
    ]),
  [summaryEvent.name]: (user, { name, version }) => [
    summaryEvent({ user, source, receiptId: "r" }, "activity", "updated", { id: name }, version),
  ],
  [deviceEvent.name]: (user, { name, version }) => [
    deviceEvent({ user, source, receiptId: "r" }, "updated", { id: name }, version),
  ],
  [workoutStreamEvent.name]: (user, { name, version }) => [
    workoutStreamEvent(
      { user, source, receiptId: "r" },
      "updated",
      { workout_id: name, provider_id: name, sport: null },
      version,
    ),
  ],
  [historicalEvent.name]: (user, { name, version }) => [
    historicalEvent({ user, source }, `${name}#${version}`, "steps", range),
  ],
  [exhaustedEvent.name]: (user, { name, version }) => [
    exhaustedEvent(
      { event_type: "daily.data.steps.created", data: {}, ...user },
      { messageId: name, endpointId: String(version), lastStatus: 500 },
    ),
  ],
  [connectionEvent.name]: (user, { name, version }) => [
    connectionEvent(user, source, { created_on: `${name}#${version}` }),
  ],
  [connectionErrorEvent.name]: (user, { name, version }) => [
    connectionErrorEvent(user, "oura", {
      created_on: `${name}#${version}`,
      error: { error_type: "e", error_message: "m", errored_at: at },
    }),
  ],
  [connectionStaleEvent.name]: (user, { name, version }) => [
    connectionStaleEvent(user, "oura", { created_on: name }, { ...staleness, since: `${version}` }),
  ],
  [consentEvent.name]: (user, { name, version }) =>
    (["given", "terminated"] as const).map((state) =>
      consentEvent(user, given({ consent_id: `${name}#${version}`, provider: "oura", state })),
    ),
  [connectionRecoveredEvent.name]: (user, { name, version }) => [
    connectionRecoveredEvent(user, "oura", { created_on: name }, { ...staleness, since: `${version}` }, at),
  ],
  [matchReviewEvent.name]: ({ team_id }, { user, name, version }) => [
    matchReviewEvent(team_id, given({ id: `${user}#${name}` }), version + 1),
  ],
  [orderEvents.name]: (user, { name, version }) => {
    const last_event = { id: version, status: "received.walk_in_test.ordered", created_at: at };
    const order = { id: name, events: [last_event], last_event };
    const options = { user, sendsPartialResults: true };
    // A result of a kit becomes critical without a new status.
    const before = { order: given({ ...order, interpretation: "normal" }), revision: version + 1 };
    const critical = given<Order>({ ...order, interpretation: "critical", last_event: { ...last_event, id: 7 } });
    return [...orderEvents(undefined, given(order), options), ...orderEvents(before, critical, options)];
  },
  [repeatedOrderEvent.name]: (user, { name, version }) => {
    const last_event = { id: version, status: "received.walk_in_test.ordered", created_at: at };
    return [repeatedOrderEvent(given({ id: name, events: [last_event], last_event }), user, "1")];
  },
  [labReportEvent.name]: (user, { name, version }) => [
    labReportEvent(
      user,
      given({ id: name, version: version + 2, status: "started", files: [], team_id: "", user_id: "" }),
      undefined,
    ),
  ],
  [appointmentEvents.name]: (user, { name, version }) => {
    const events = Array.from({ length: version + 1 }, () => ({ status: "scheduled", data: null }));
    return appointmentEvents(given({ events: events.slice(0, version) }), given({ id: name, events }), user);
  },
};

const occasions = fc.uniqueArray(
  fc.record({
    team: fc.constantFrom("t", "t#u", "s"),
    user: fc.constantFrom("u", "u#initial", "v"),
    name: fc.constantFrom("initial", "initial#steps", "u", "1"),
    version: fc.integer({ min: 0, max: 3 }),
  }),
  { selector: (occasion) => JSON.stringify(occasion), minLength: 2, maxLength: 30 },
);

const idsOf = (construct: Construct, occasion: Occasion): string[] => {
  const user = newUser({ client_user_id: "c" }, { userId: occasion.user, teamId: occasion.team }, at);
  return construct(user, occasion).flatMap((event) => event?.reference.event_id ?? []);
};

test("this test covers every event constructor", () => {
  const exported = globSync("lib/events/**/{*-events,compose-event}.ts").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^export function (\w+)\([\s\S]*?\): (NewEvent(?:\[\])?) \{/gm)].map(
      ([, name]) => name,
    ),
  );
  expect(exported.length).toBeGreaterThan(12);
  expect(exported.sort()).toEqual(Object.keys(constructors).sort());
});

describe.each(Object.entries(constructors))("%s", (_, construct) => {
  test("gives each occasion of each user and team its own id, and the same occasion the same id", {
    tags: "deep",
  }, () => {
    fc.assert(
      fc.property(occasions, (all) => {
        const ids = all.map((occasion) => idsOf(construct, occasion));
        expect(ids.every((some) => some.length > 0)).toBe(true);
        expect(new Set(ids.flat()).size).toBe(ids.flat().length);
        expect(all.map((occasion) => idsOf(construct, occasion))).toEqual(ids);
      }),
    );
  });
});
