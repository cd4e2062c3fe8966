import { deepEqual, equal, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import { parquetReadObjects } from "hyparquet";
import { unzip } from "../support/unzip.ts";
import type { Deployment } from "./deployment.ts";
import type { SignedReceiver } from "./signed-receiver.ts";
import { type Steps, until } from "./steps.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A user with samples, and their values in the order of time. */
export interface StoryUser {
  readonly userId: string;
  readonly day: string;
  readonly samples: readonly { readonly timestamp: string; readonly value: number }[];
}

/** Heart rates of each minute of the day before yesterday. */
function createSamples() {
  const day = new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10);
  const startMs = Date.parse(`${day}T00:00:00Z`);
  const samples = Array.from({ length: 1_440 }, (_, minute) => ({
    timestamp: new Date(startMs + minute * MINUTE_MS).toISOString(),
    value: 50 + ((minute * 7) % 90),
  }));
  return { day, samples };
}

/** Sends a batch and waits until it is stored. @param api another address of the API. @returns the receipt. */
export async function ingest(deployment: Deployment, userId: string, resources: object, api = "") {
  const batch = { provider: "apple_health_kit", source_type: "watch", resources };
  const { receipt_id } = await deployment.call("POST", `${api}/v2/ingest/${userId}`, batch);
  return until("the batch is stored", async () => {
    const receipt = await deployment.call("GET", `${api}/v2/ingest/${userId}/${receipt_id}`);
    return receipt.status === "done" ? receipt : undefined;
  });
}

type Samples = StoryUser["samples"];

/** Samples as comparable texts: the instants of the service have another form. */
const sorted = (samples: Samples) => samples.map(({ timestamp, value }) => `${Date.parse(timestamp)} ${value}`).sort();

/** Reads all samples of the user's day and compares them with what was sent. @param api another address of the API. */
export async function compareSamples(
  deployment: Deployment,
  { userId, day, samples }: StoryUser,
  api = "",
): Promise<void> {
  const path = `${api}/v2/timeseries/${userId}/heartrate/grouped?start_date=${day}&end_date=${day}`;
  const { groups, next_cursor } = await deployment.call("GET", path);
  equal(next_cursor, null);
  const read = groups.apple_health_kit.flatMap(({ data }: { data: Samples }) => data);
  deepEqual(sorted(read), sorted(samples));
}

/** A user sends data, reads it, receives it as webhooks and exports it. */
export async function runDataStory(steps: Steps, deployment: Deployment, receiver: SignedReceiver): Promise<StoryUser> {
  const { day, samples } = createSamples();
  const userId: string = await steps.run("a user is created", async () => {
    const { user_id } = await deployment.call("POST", "/v2/user", { client_user_id: "first" });
    return user_id;
  });
  const user = { userId, day, samples };
  await steps.run("the same reference is refused with 400", async () => {
    const { status, body } = await deployment.request("POST", "/v2/user", { client_user_id: "first" });
    deepEqual([status, body.user_id], [400, userId]);
  });
  const receipt = await steps.run("1,440 samples and an activity are stored", async () => {
    const activity = [{ calendar_date: day, steps: 9_000 }];
    const stored = await ingest(deployment, userId, { heartrate: samples, activity });
    equal(stored.stored, samples.length + 1);
    return stored;
  });
  await steps.run("every sample is read back with its value", () => compareSamples(deployment, user));
  await steps.run("the activity is read back", async () => {
    const path = `/v2/summary/activity/${userId}?start_date=${day}&end_date=${day}`;
    const { activity } = await deployment.call("GET", path);
    deepEqual([activity.length, activity[0]?.steps], [1, 9_000]);
  });
  await steps.run("an aggregation counts the samples", () => countSamples(deployment, user));
  await steps.run("each event of the batch arrives as a webhook with a valid signature", () =>
    compareWebhooks(deployment, receiver, userId, receipt.event_ids),
  );
  await steps.run("an export contains every sample", () => compareExport(deployment, user));
  return user;
}

async function countSamples(deployment: Deployment, { userId, day, samples }: StoryUser): Promise<void> {
  const arg = { timeseries: "heartrate", field: "value" };
  const group_by = [{ date_trunc: { value: 1, unit: "day" }, arg: { index: "timeseries" } }];
  const select = [{ group_key: "*" }, { func: "count", arg }];
  const timeframe = { type: "relative", anchor: day, past: { value: 1, unit: "day" } };
  const body = { timeframe, queries: [{ select, group_by }] };
  const { results } = await deployment.call("POST", `/aggregate/v1/user/${userId}/query`, body);
  ok(JSON.stringify(results).includes(String(samples.length)), JSON.stringify(results));
}

async function compareWebhooks(
  deployment: Deployment,
  receiver: SignedReceiver,
  userId: string,
  eventIds: readonly string[],
): Promise<void> {
  ok(eventIds.length > 0, "the batch has no events");
  await until("all webhooks arrive", () =>
    eventIds.every((id) => receiver.verified.some((one) => one.id === id)) ? true : undefined,
  );
  equal(receiver.rejected, 0);
  const types = receiver.verified.filter(({ id }) => eventIds.includes(id)).map(({ body }) => body.event_type);
  ok(types.includes("daily.data.heartrate.created"), types.join());
  const feed = await deployment.call("GET", "/v2/events?after=0&limit=500");
  const published = feed.events.filter(({ body }: { body: { user_id?: string } | null }) => body?.user_id === userId);
  ok(published.length >= eventIds.length, "the feed lacks events");
}

async function compareExport(deployment: Deployment, { userId, samples }: StoryUser): Promise<void> {
  const { id } = await deployment.call("POST", `/v2/user/${userId}/export`);
  const url: string = await until("the export is done", async () => {
    const { status, download_url } = await deployment.call("GET", `/v2/user/${userId}/export/${id}`);
    equal(status === "failed", false, "the export failed");
    return download_url ?? undefined;
  });
  const files = await unzip(await (await fetch(url)).bytes());
  const table = files.get("heartrate.parquet") ?? Buffer.alloc(0);
  const manifest = JSON.parse(files.get("manifest.json")?.toString() ?? "{}");
  ok(JSON.stringify(manifest).includes(createHash("sha256").update(table).digest("hex")), "the digest differs");
  const rows = await parquetReadObjects({ file: new Uint8Array(table).buffer });
  const values = rows.map(({ start, value }) => `${Number(start)} ${value}`).sort();
  deepEqual(values, sorted(samples));
}
