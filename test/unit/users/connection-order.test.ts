import { expect, test } from "vitest";
import { toWirePullPreferences } from "../../../lib/domain/connections/pulls/pull-preferences.ts";
import { toWireResources } from "../../../lib/domain/connections/pulls/wire-introspection.ts";
import { listConnections, newUser, toWireUser } from "../../../lib/domain/users/user.ts";

/** DynamoDB returns the members of a stored map in another order at each read. */

const connected = (created_on: string) => ({ created_on, status: "connected" as const });
const [FIRST, LATER] = ["2026-05-01T08:00:00.000Z", "2026-05-02T08:00:00.000Z"];
const connections = { oura: connected(LATER), withings: connected(FIRST), abbott_libreview: connected(LATER) };
const reversed = <T>(map: Readonly<Record<string, T>>) => Object.fromEntries(Object.entries(map).reverse());
const sourceOf = (slug: string) => ({ slug, name: slug, logo: "" });

test.each([["one order", connections] as const, ["the other", reversed(connections)] as const])(
  "connections stored in %s are listed by age, then by provider",
  (_of, stored) => {
    const draft = { client_user_id: "u" };
    const user = { ...newUser(draft, { userId: "u", teamId: "t" }, FIRST), connections: stored };
    const expected = ["withings", "abbott_libreview", "oura"];
    expect(listConnections(user).map(([slug]) => slug)).toEqual(expected);
    expect(toWireUser(user, sourceOf).connected_sources.map(({ source }) => source.slug)).toEqual(expected);
  },
);

const success = { timestamp: FIRST, status: "success" as const };

test.each([
  ["statistics of resources", (map: typeof reversed) => resourcesOf(map), ["heartrate", "sleep", "steps", "weight"]],
  ["preferences of pulls", (map: typeof reversed) => preferencesOf(map), ["garmin", "oura"]],
])("%s are listed by name", (_of, namesOf, expected) => {
  expect(namesOf((map) => ({ ...map }))).toEqual(expected);
  expect(namesOf(reversed)).toEqual(expected);
});

function resourcesOf(map: typeof reversed): string[] {
  const one = { oldest: FIRST, newest: LATER, sent_count: 1 };
  const delivered = [
    { provider: "oura", resources: map({ heartrate: one, sleep: one }), bytes: 1, batches: new Set<string>() },
  ];
  const poll = { provider: "oura", attempts: map({ steps: success, weight: success }) };
  return Object.keys(toWireResources({ delivered, polls: [poll as never], histories: [] }).oura ?? {});
}

const preferencesOf = (map: typeof reversed) =>
  Object.keys(
    toWirePullPreferences({
      team_id: "t",
      providers: map({
        garmin: { default: { historical_days_to_pull: 1 } },
        oura: { default: { historical_days_to_pull: 2 } },
      }) as never,
    }).providers,
  );
