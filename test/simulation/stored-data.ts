import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { deliveries, outbox } from "../../lib/contract/resources.ts";
import { createEngineClient } from "../local/service/support/stored-items.ts";
import type { TestService } from "../support/service.ts";
import { canonicalJson, samplesOrderingKey } from "./replica.ts";

const stored = z.looseObject({ pk: z.string(), sk: z.string() });
const storedEvent = z.object({
  event_id: z.string(),
  team_id: z.string(),
  created_at: z.string(),
  sequence: z.number().optional(),
});
/** An event, with its sequence once it has one. */
export type StoredEvent = z.output<typeof storedEvent>;

/** Reads the stored events and deliveries directly from the tables. */
export async function readStoredEvents(service: TestService) {
  const client = createEngineClient(service);
  const events: StoredEvent[] = [];
  const states = new Map<string, string[]>();
  let start: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: process.env.TABLE_EVENTS, ...(start && { ExclusiveStartKey: start }) }),
    );
    for (const item of (page.Items ?? []).map((one) => stored.parse(one))) {
      if (item.pk.startsWith(outbox.keyPrefix) && item.sk.startsWith("evt_")) {
        events.push(storedEvent.parse(item));
      } else if (item.pk.startsWith(deliveries.keyPrefix)) {
        const id = String(item.event_id);
        states.set(id, [...(states.get(id) ?? []), String(item.state)]);
      }
    }
    start = page.LastEvaluatedKey;
  } while (start);
  client.destroy();
  return { events, states };
}

const feedPage = z.object({
  events: z.array(z.object({ sequence: z.number(), event_id: z.string() })),
  next: z.number(),
});

/** Reads the whole feed of a team. */
export async function readFeed(service: TestService, key: string) {
  const all: { sequence: number; event_id: string }[] = [];
  for (let after = 0; ; ) {
    const { body } = await service.call("GET", `/v2/events?after=${after}&limit=500`, { key });
    const { events, next } = feedPage.parse(body);
    if (events.length === 0) return all;
    all.push(...events);
    after = next;
  }
}

const grouped = z.object({
  groups: z.record(
    z.string(),
    z.array(
      z.object({
        source: z.object({ provider: z.string(), type: z.string() }),
        data: z.array(z.looseObject({ timestamp: z.string() })),
      }),
    ),
  ),
});
const summary = z.looseObject({
  id: z.string(),
  calendar_date: z.string(),
  source: z.looseObject({ type: z.string() }),
});

const RANGE = "start_date=2029-05-01&end_date=2029-07-30";
const SAMPLE_RESOURCES = ["heartrate", "glucose", "steps"];
const SUMMARY_FIELDS = { activity: "steps", body: "weight" } as const;

/** A value in a response: its text, and the number that was sent. */
export interface StoredValue {
  readonly text: string;
  readonly number: number;
}

/** Reads a user's values through the API, under the keys of a replica and of a sender. */
export async function readUserValues(service: TestService, key: string, userId: string) {
  const byReplica = new Map<string, StoredValue>();
  const bySender = new Map<string, number>();
  const provider = "apple_health_kit";
  for (const resource of SAMPLE_RESOURCES) {
    const { body } = await service.call("GET", `/v2/timeseries/${userId}/${resource}/grouped?${RANGE}`, { key });
    for (const { source, data } of Object.values(grouped.parse(body).groups).flat()) {
      for (const sample of data) {
        const name = samplesOrderingKey(userId, resource, source);
        const number = Number(sample.value);
        byReplica.set(`${name} ${sample.timestamp}`, { text: canonicalJson(sample), number });
        bySender.set(`${name} ${Date.parse(sample.timestamp)}`, number);
      }
    }
  }
  for (const [resource, field] of Object.entries(SUMMARY_FIELDS)) {
    const { body } = await service.call("GET", `/v2/summary/${resource}/${userId}?${RANGE}`, { key });
    for (const one of z.array(summary).parse(body[resource])) {
      byReplica.set(`summary ${one.id}`, { text: canonicalJson(one), number: Number(one[field]) });
      bySender.set([userId, resource, provider, one.source.type, one.calendar_date].join(" "), Number(one[field]));
    }
  }
  return { byReplica, bySender };
}
