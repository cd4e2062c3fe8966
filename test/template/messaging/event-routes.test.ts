import { describe, expect, test } from "vitest";
import { catalogue } from "../../../lib/events/catalogue/catalogue.ts";
import { eventFamilies } from "../../../lib/events/catalogue/event-families.ts";
import { matchesPattern } from "../../../lib/local/events/patterns.ts";
import { readRules } from "../../../lib/local/template/read-resources.ts";
import { synthesizeService } from "../support/synthesize.ts";

const rules = readRules(synthesizeService().assembly).filter(({ pattern }) => pattern !== undefined);

/** The name of the rule for destinations of teams. */
const TEAM_DESTINATION_RULE = "ForwardeverythingElse";

/** Logical names of the rules that match an event of this type. */
function rulesFor(type: string): string[] {
  const event = { source: "tributary", "detail-type": type, detail: { type, event_id: "evt_1" } };
  const taking = rules.filter(({ pattern }) => matchesPattern(pattern, event));
  return taking.map(({ name }) => name.replace(/^Tributary-Events-/, "").replace(/[0-9A-F]{8}$/, ""));
}

describe("an event of the catalogue", () => {
  test("goes to webhooks by the rule of its family, to the destination of its team, and to queries if it is a data event", () => {
    const routed = catalogue.map(({ type }) => [type, rulesFor(type).sort()]);
    const toQueries = (type: string) => (/^(daily|historical)[.]data[.]/.test(type) ? ["Queries"] : []);
    expect(routed).toEqual(
      catalogue.map(({ type, family }) => [type, [TEAM_DESTINATION_RULE, ...toQueries(type), `Webhooks${family}`]]),
    );
  });

  test("has one rule per family, one for destinations of teams, one for queries and no other", () => {
    expect(rules).toHaveLength(eventFamilies.length + 3);
  });
});

test("a message of the webhook queue has the team of its event as message group", () => {
  const groups = rules
    .filter(({ name }) => name.startsWith("Tributary-Events-Webhooks"))
    .flatMap(({ targets }) => targets.map(({ sqs }) => sqs?.messageGroupId));
  expect(groups).toEqual(eventFamilies.map(() => "$.detail.team_id"));
});

describe("an event of an unknown family", () => {
  test.each(["weekly.data.heartrate.created", "daily.database", "labtests.order", "daily", ""])(
    "%j goes to the unrouted queue",
    (type) => {
      expect(rulesFor(type)).toEqual(["Unrouted"]);
    },
  );
});
