import { expect, test } from "vitest";
import { catalogue } from "../../../lib/events/catalogue/catalogue.ts";
import { checkEvent } from "../../../lib/events/catalogue/check-event.ts";
import { payloadSchemaOf } from "../../../lib/events/catalogue/event-payloads.ts";
import { exampleEventBody } from "../../../lib/events/catalogue/example-event.ts";
import { EXAMPLE_USER_ID } from "../../../lib/events/catalogue/example-user.ts";

const TEAM = "11111111-2222-4333-8444-555555555555";
const ofUser = catalogue.filter(({ namesUser }) => namesUser);
const ofTeam = catalogue.filter(({ namesUser }) => !namesUser);

test("every type has an example that matches the catalogue and names a fictitious user", () => {
  for (const { type } of ofUser) {
    const body = JSON.parse(exampleEventBody(type, TEAM));
    expect(() => checkEvent(body), type).not.toThrow();
    expect([body.team_id, body.user_id], type).toEqual([TEAM, EXAMPLE_USER_ID]);
  }
});

test("an example of a team event names no user", () => {
  expect(ofTeam.length).toBeGreaterThan(0);
  for (const { type } of ofTeam) {
    const { data, ...about } = JSON.parse(exampleEventBody(type, TEAM));
    expect(about).toEqual({ event_type: type, team_id: TEAM });
    expect(payloadSchemaOf(type).safeParse(data).success, type).toBe(true);
  }
});
