import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { oura } from "../../../lib/connectors/oura/oura.ts";
import { ProviderClient } from "../../../lib/connectors/provider-client.ts";
import { driftName, findSchemaDrift } from "../../../lib/connectors/schema-drift.ts";
import { Log } from "../../../lib/runtime/log.ts";
import { setPorts } from "../../../lib/runtime/ports.ts";
import { observeResponses } from "../../../lib/services/connections/pulls/pull-batches.ts";
import { publishedPayloads } from "../../examples/payloads/published-payload.ts";

const WORKOUTS = "/v2/usercollection/workout";
const payload = publishedPayloads.find(({ provider, name }) => provider === "oura" && name === "workout")!;
const documentedReply = () => structuredClone(payload.replies?.[WORKOUTS]) as { data: Record<string, unknown>[] };

let lines: Record<string, unknown>[];
beforeEach(() => {
  lines = [];
  setPorts({ clock: { now: () => Date.UTC(2026, 4, 20) } });
  for (const level of ["info", "warn"] as const)
    vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(JSON.parse(line)));
});
afterEach(() => {
  setPorts(undefined);
  vi.restoreAllMocks();
});

/** Pulls Oura's workouts from a reply with the observers of the service. @returns the counted fields, by kind. */
async function countedOf(reply: unknown, log = new Log({ operation: "pull" })) {
  const client = new ProviderClient({
    fetch: async () => Response.json(reply),
    accessToken: async () => "token",
    now: () => Date.UTC(2026, 4, 20),
    ...observeResponses(log, { provider: "oura", resource: "workouts" }),
  });
  for await (const _ of oura.pull("workouts", { startMs: 0, endMs: 1 }, client));
  return lines.flatMap((line) => ("provider.schema_drift" in line ? [`${line.kind} ${line.field}`] : []));
}

describe("a response", () => {
  test("as documented counts nothing", async () => {
    expect(await countedOf(documentedReply())).toEqual([]);
  });

  test("with a missing, a new and a retyped member counts each by its name, without its value", async () => {
    const reply = documentedReply();
    const [first, second] = reply.data;
    delete first!.intensity;
    first!.calories = "secret value";
    second!.recovery_time = "secret value";
    delete second!.start_datetime;
    expect((await countedOf(reply)).sort()).toEqual([
      "missing data.*.intensity",
      "missing data.*.start_datetime",
      "new data.*.recovery_time",
      "type data.*.calories",
    ]);
    expect(JSON.stringify(lines)).not.toContain("secret value");
  });

  test("counts by provider and field, and raises the alarm unless a member is new", async () => {
    const reply = documentedReply();
    reply.data[0]!.calories = "many";
    reply.data[1]!.recovery_time = 1;
    await countedOf(reply);
    const [fresh, retyped] = lines.filter((line) => "_aws" in line);
    expect(fresh).toMatchObject({ kind: "new", provider: "oura", field: "data.*.recovery_time" });
    expect(fresh?._aws).toMatchObject({ CloudWatchMetrics: [{ Dimensions: [["provider", "field"]] }] });
    expect(retyped).toMatchObject({ provider: "oura", field: "data.*.calories", "provider.schema_drift": 1 });
    expect(retyped?._aws).toMatchObject({
      Timestamp: Date.UTC(2026, 4, 20),
      CloudWatchMetrics: [
        {
          Namespace: "local",
          Dimensions: [["provider", "field"], ["service"]],
          Metrics: [{ Name: "provider.schema_drift", Unit: "Count" }],
        },
      ],
    });
  });

  test("counts each name once an invocation, and at most twenty names", async () => {
    const reply = documentedReply();
    Object.assign(reply.data[0]!, Object.fromEntries(Array.from({ length: 50 }, (_, place) => [`new_${place}`, 1])));
    const log = new Log({ operation: "pull" });
    expect(await countedOf(reply, log)).toHaveLength(20);
    expect(await countedOf(reply, log)).toHaveLength(20);
    expect(await countedOf(reply)).toHaveLength(40);
  });
});

test("names that may be data become an asterisk", () => {
  expect(driftName("series.3.hr.1778364060")).toBe("series.*.hr.*");
  expect(findSchemaDrift("oura", WORKOUTS, { data: [], "2026-05-10": { 12: 1 }, "Zoë Example": 1 })).toEqual([]);
});

test("no published payload differs from the documented members", () => {
  for (const { provider, replies = {}, push } of publishedPayloads)
    for (const [place, received] of [...Object.entries(replies), ["push", push] as const]) {
      const drift = findSchemaDrift(provider, place.split("?")[0]!, received).filter(
        ({ field }) => !field.includes("aMemberOf"),
      );
      expect(["$status" in Object(received) ? [] : drift, place]).toEqual([[], place]);
    }
});
