import { expect, test } from "vitest";
import { catalogue } from "../../../lib/events/catalogue.ts";
import { checkEvent } from "../../../lib/events/check-event.ts";
import { EXAMPLE_USER_ID, exampleBody } from "../../../lib/events/example-event.ts";
import { payloadOf } from "../../../lib/events/payloads.ts";

const TEAM = "11111111-2222-4333-8444-555555555555";
const ofUser = catalogue.filter(({ isOfUser }) => isOfUser);
const ofTeam = catalogue.filter(({ isOfUser }) => !isOfUser);

test("every type has an example that matches the catalogue and names a fictitious user", () => {
  for (const { type } of ofUser) {
    const body = JSON.parse(exampleBody(type, TEAM));
    expect(() => checkEvent(body), type).not.toThrow();
    expect([body.team_id, body.user_id], type).toEqual([TEAM, EXAMPLE_USER_ID]);
  }
});

test("an example of a team event names no user", () => {
  expect(ofTeam.length).toBeGreaterThan(0);
  for (const { type } of ofTeam) {
    const { data, ...about } = JSON.parse(exampleBody(type, TEAM));
    expect(about).toEqual({ event_type: type, team_id: TEAM });
    expect(payloadOf(type).safeParse(data).success, type).toBe(true);
  }
});
