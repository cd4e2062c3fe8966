import { describe, expect, test } from "vitest";
import type { Staleness } from "../../../lib/domain/connections/health/staleness.ts";
import { newUser } from "../../../lib/domain/users/user.ts";
import { connectionPlace, effectOfNewer, replacementKeyOf } from "../../../lib/events/catalogue/replaced-events.ts";
import {
  connectionErrorEvent,
  connectionEvent,
  connectionRecoveredEvent,
  connectionStaleEvent,
} from "../../../lib/events/constructors/connection-events.ts";

const at = (day: number) => `2026-05-0${day}T00:00:00.000Z`;
const user = newUser({ client_user_id: "u" }, { userId: "u", teamId: "t" }, at(1));
const oura = { name: "Oura", slug: "oura", logo: "" };
const staleness: Staleness = { since: at(3), reason: "silent", resources: [], last_data_at: null };
const error = { error_type: "unknown", error_message: "m", errored_at: at(3) };

const created = connectionEvent(user, oura, { created_on: at(1) }).reference;
const again = connectionEvent(user, oura, { created_on: at(5) }).reference;
const failed = connectionErrorEvent(user, "oura", { created_on: at(1), error }).reference;
const stale = connectionStaleEvent(user, "oura", { created_on: at(1) }, staleness).reference;
const recovered = connectionRecoveredEvent(user, "oura", { created_on: at(1) }, staleness, at(4)).reference;

describe("a newer event of a connection", () => {
  test.each([
    ["an error contradicts that it was created", created, failed, "contradicts"],
    ["another connection contradicts that an earlier one was created", created, again, "contradicts"],
    ["another connection contradicts an error of an earlier one", failed, again, "contradicts"],
    ["recovery contradicts staleness", stale, recovered, "contradicts"],
    ["staleness does not contradict that the account was connected", created, stale, "none"],
    ["nor does recovery", created, recovered, "none"],
    ["an older one changes nothing", again, failed, "none"],
    ["nor does the event itself", failed, failed, "none"],
  ] as const)("%s", (_, event, newest, effect) => {
    expect(effectOfNewer(event, newest)).toBe(effect);
  });

  test("has the same key as those before it, and each has its place", () => {
    const all = [created, stale, recovered, failed, again];
    expect(new Set(all.map(replacementKeyOf)).size).toBe(1);
    const places = all.map(connectionPlace);
    expect(places).toEqual([...new Set(places)].toSorted());
  });
});

test("events of other subjects are replaced by greater versions of the same key, and orders of the same order", () => {
  const event = { ...{ event_id: "e", team_id: "t", user_id: "u", order_key: "o" }, key: "k", version: 2 };
  const sleep = { ...event, type: "daily.data.sleep.created" };
  expect([1, 2, 3].map((version) => effectOfNewer(sleep, { ...sleep, version }))).toEqual(["none", "none", "replaces"]);
  const types = ["labtest.order.updated", "labtest.result.critical"];
  expect(types.map((type) => replacementKeyOf({ ...event, type }))).toEqual(["o", "k"]);
});
