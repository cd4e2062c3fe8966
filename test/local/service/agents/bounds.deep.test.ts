// @module-tag deep
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_AGENT_ANSWER_BYTES } from "../../../../lib/contract/agent-tool.ts";
import { TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { orderRequest } from "../orders/order-helpers.ts";
import { summaryExamples } from "../summaries/summary-examples.ts";
import { sendMessage } from "./agent-client.ts";
import { createAgentUser, createToolExamples, type ToolExample } from "./agent-world.ts";

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse("2026-01-01T00:00:00Z");
const dayAt = (place: number) => new Date(FIRST_DAY + place * DAY_MS).toISOString();
const range = { start_date: "2026-01-01", end_date: "2026-12-31" };
const query = "start_date=2026-01-01&end_date=2026-12-31";

let service: TestService;
let examples: Record<string, ToolExample>;
let userId: string;
beforeAll(async () => {
  service = await TestService.start();
  const user = await createAgentUser(service, "with-a-lot");
  userId = user.userId;
  await ingestYear(userId);
  for (let sent = 0; sent < 30; sent++) await service.call("POST", "/v3/order", { body: orderRequest(userId) });
  for (let made = 0; made < 120; made++) await service.createUser(`one-of-many-${made}`);
  await service.settle();
  examples = createToolExamples(user);
}, 600_000);
afterAll(() => service.stop());

/** Stores 100 days of each summary, and samples of each minute of six days. */
async function ingestYear(user: string): Promise<void> {
  const days = Array.from({ length: 100 }, (_, place) => dayAt(place));
  const example = (kind: keyof typeof summaryExamples) => summaryExamples[kind].record;
  const hour = (day: string, hours: number) => new Date(Date.parse(day) + hours * 3_600_000).toISOString();
  await ingestBatch(service, user, {
    activity: days.map((day) => ({ ...example("activity"), calendar_date: day.slice(0, 10) })),
    body: days.map((day) => ({ ...example("body"), calendar_date: day.slice(0, 10) })),
    sleep: days.map((day) => ({
      ...example("sleep"),
      calendar_date: day.slice(0, 10),
      provider_id: day,
      bedtime_start: day,
      bedtime_stop: hour(day, 8),
    })),
    workouts: days.map((day) => ({
      ...example("workouts"),
      provider_id: day,
      time_start: day,
      time_end: hour(day, 1),
    })),
    meal: days.map((day) => ({ ...example("meal"), provider_id: day, timestamp: day })),
  });
  const heartrate = Array.from({ length: 6 * 1_440 }, (_, minute) => ({
    timestamp: new Date(FIRST_DAY + minute * 60_000).toISOString(),
    value: 60 + (minute % 60),
  }));
  await ingestBatch(service, user, { heartrate });
}

/** Calls a tool without a client. @returns its structured content, and the size of the whole answer in bytes. */
async function measure(name: string, args: object) {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  const response = await fetch(`${service.baseUrl}/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.identity.api_key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { bytes: Buffer.byteLength(text), content: JSON.parse(text).result.structuredContent };
}

const summary = (kind: string, list: string) =>
  [
    `get_${kind === "meal" ? "meals" : kind}`,
    () => `/v2/summary/${kind}/${userId}?${query}`,
    list,
    { ...range },
  ] as const;

describe("an answer that is too long", () => {
  const lists: readonly (readonly [string, () => string, string, object])[] = [
    summary("activity", "activity"),
    summary("sleep", "sleep"),
    summary("workouts", "workouts"),
    summary("body", "body"),
    summary("meal", "meals"),
    ["list_orders", () => "/v3/orders?size=100", "orders", { size: 100, user_id: undefined }],
    ["list_events", () => "/v2/events?limit=500", "events", { limit: 500 }],
    ["list_users", () => "/v2/user?limit=500", "users", { limit: 500 }],
    [
      "list_resources",
      () => "/v2/introspect/resources?user_limit=100",
      "data",
      { user_limit: 100, user_id: undefined },
    ],
  ];
  test.each(lists)(
    "of %s has the first items, and counts the others",

    async (name, target, list, args) => {
      const { body } = await service.call("GET", target());
      const { bytes, content } = await measure(name, {
        ...(name.startsWith("get") ? { user_id: userId } : {}),
        ...args,
      });
      expect(bytes).toBeLessThanOrEqual(MAX_AGENT_ANSWER_BYTES);
      const kept = content.data[list].length;
      expect(content.data[list]).toEqual(body[list].slice(0, kept));
      if (name === "list_resources") return;
      expect([content.left_out, kept > 0]).toEqual([body[list].length - kept, true]);
      expect(content.left_out).toBeGreaterThan(0);
      expect(content.rest).toMatch(/^Call again with /);
      expect(content.data).not.toHaveProperty("next");
      // One more item would not have fitted: the bound is used.
      const item = 2.2 * JSON.stringify(body[list][kept]).length;
      expect(bytes + item).toBeGreaterThan(MAX_AGENT_ANSWER_BYTES - 300);
    },
  );

  test("of get_samples has statistics of intervals, which add up to the samples", async () => {
    const args = { user_id: userId, resource: "heartrate", start_date: "2026-01-01", end_date: "2026-01-08" };
    const { bytes, content } = await measure("get_samples", args);
    expect(bytes).toBeLessThanOrEqual(MAX_AGENT_ANSWER_BYTES);
    const rows = content.data.groups.apple_health_kit[0].data;
    expect(content.reduction).toEqual({
      method: "interval_statistics",
      interval_seconds: 3_600,
      samples: 8_640,
      rows: rows.length,
    });
    expect(content.left_out).toBe(8_640);
    expect(rows[0]).toEqual({
      ...{ start: "2026-01-01T00:00:00.000Z", end: "2026-01-01T01:00:00.000Z", type: null, unit: "bpm", count: 60 },
      value: { min: 60, max: 119, mean: 89.5, sum: 5_370 },
    });
    const count = rows.reduce((sum: number, row: { count: number }) => sum + row.count, 0);
    expect(count).toBe(8_640);
  });

  test("of query_data has the first rows of each table", async () => {
    const { args } = examples.query_data as ToolExample;
    const timeframe = { type: "relative", anchor: "2026-01-07", past: { value: 7, unit: "day" } };
    const select = [{ group_key: "*" }, { func: "mean", arg: { timeseries: "heartrate", field: "value" } }];
    const group_by = [{ date_trunc: { value: 1, unit: "minute" }, arg: { index: "timeseries" } }];
    const asked = { ...args, explain: false, timeframe, queries: [{ select, group_by }] };
    const { bytes, content } = await measure("query_data", asked);
    expect(bytes).toBeLessThanOrEqual(MAX_AGENT_ANSWER_BYTES);
    const columns: unknown[][] = Object.values(content.data.results[0].table);
    expect(columns.map((column) => column.length + content.left_out)).toEqual([8_640, 8_640]);
  });
});

test("the rest of a list follows from the call that the answer asks for", async () => {
  const { content: first } = await measure("get_sleep", { user_id: userId, ...range });
  const start_date = first.data.sleep.at(-1).calendar_date;
  const { content: second } = await measure("get_sleep", { user_id: userId, ...range, start_date });
  const { body } = await service.call("GET", `/v2/summary/sleep/${userId}?${query}`);
  const ids = [...first.data.sleep, ...second.data.sleep].map(({ id }: { id: string }) => id);
  const expected = body.sleep.map(({ id }: { id: string }) => id).slice(0, new Set(ids).size);
  expect([...new Set(ids)]).toEqual(expected);
});

test("no tool exceeds the bound, and neither does the list of tools", async () => {
  for (const [name, { args }] of Object.entries(examples)) {
    expect([name, (await measure(name, args)).bytes <= MAX_AGENT_ANSWER_BYTES]).toEqual([name, true]);
  }
  const { body } = await sendMessage(service, { jsonrpc: "2.0", id: 1, method: "tools/list" });
  expect(body.result.tools).toHaveLength(Object.keys(examples).length);
  expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(MAX_AGENT_ANSWER_BYTES);
});
