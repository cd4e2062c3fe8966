import { describe, expect, test } from "vitest";
import { eventFamilies } from "../../lib/events/families.ts";
import { matchesPattern } from "../../lib/local/events/patterns.ts";
import { rulesOf } from "../../lib/local/template/wiring.ts";
import { synthesized } from "./synthesized.ts";

const rules = rulesOf(synthesized().assembly).filter(({ pattern }) => pattern !== undefined);

/** Logical names of the rules that take an event of this type. */
function rulesFor(type: string): string[] {
  const event = { source: "tributary", "detail-type": type, detail: { type, event_id: "evt_1" } };
  const taking = rules.filter(({ pattern }) => matchesPattern(pattern, event));
  return taking.map(({ name }) => name.replace(/^Tributary-Events-/, "").replace(/[0-9A-F]{8}$/, ""));
}

const examples: Readonly<Record<(typeof eventFamilies)[number]["name"], readonly string[]>> = {
  daily: ["daily.data.heartrate.created", "daily.data.sleep.updated"],
  historical: ["historical.data.heartrate.created", "historical.data.workouts.created"],
  provider: ["provider.connection.created", "provider.connection.error"],
  labtest: ["labtest.order.created", "labtest.result.critical"],
  labReport: ["lab_report.parsing_job.created"],
  continuousQuery: ["continuous_query.result.created"],
  message: ["message.attempt.exhausted"],
};

describe("an event of a known family", () => {
  for (const [name, types] of Object.entries(examples)) {
    test.each(types)("%s goes to webhooks by exactly one rule", (type) => {
      expect(rulesFor(type)).toEqual([`Webhooks${name}`]);
    });
  }

  test("has a rule for each family and none besides", () => {
    expect(rules).toHaveLength(eventFamilies.length + 1);
  });
});

describe("an event of an unknown family", () => {
  test.each(["weekly.data.heartrate.created", "daily.database", "labtests.order", "daily", ""])(
    "%j is kept as unrouted",
    (type) => {
      expect(rulesFor(type)).toEqual(["Unrouted"]);
    },
  );
});
