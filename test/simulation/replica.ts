import * as z from "zod";
import { sortKeys } from "./sort-keys.ts";

/** A webhook's body, reduced to what a receiver needs. */
export const webhookBody = z.object({
  event_type: z.string(),
  user_id: z.string(),
  data: z.looseObject({
    id: z.string().optional(),
    source: z.looseObject({ provider: z.string(), type: z.string() }),
    data: z.array(z.looseObject({ timestamp: z.string() })).optional(),
  }),
});
export type WebhookBody = z.output<typeof webhookBody>;

/** The ordering key of a source's samples, or of a summary. Receivers compare `webhook-version` within one key. */
function orderingKeyOf({ event_type, user_id, data }: WebhookBody): string {
  if (data.data === undefined) return `summary ${data.id}`;
  const [, , resource = ""] = event_type.split(".");
  return samplesOrderingKey(user_id, resource, data.source);
}

export const samplesOrderingKey = (userId: string, resource: string, source: { provider: string; type: string }) =>
  [userId, resource, source.provider, source.type].join(" ");

/** The values of a webhook by key: a summary by its id, samples by source and timestamp. */
function replicaEntries(body: WebhookBody): [key: string, value: string][] {
  const order = orderingKeyOf(body);
  const { data } = body.data;
  if (data === undefined) return [[order, canonicalJson(body.data)]];
  return data.map((sample) => [`${order} ${sample.timestamp}`, canonicalJson(sample)]);
}

/** JSON of a value with sorted keys, so that equal values give equal texts. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sortKeys(value));

/** A copy of the data, built from webhooks alone. */
export interface Replica {
  readonly values: ReadonlyMap<string, string>;
  apply(body: WebhookBody, version: number): void;
}

/** Keeps the value received last. */
export class LastReceivedReplica implements Replica {
  readonly values = new Map<string, string>();
  /** How often an attempt took effect after a later attempt with the same key. */
  overtaken = 0;
  readonly #versions = new Map<string, number>();

  apply(body: WebhookBody, version: number): void {
    const order = orderingKeyOf(body);
    const highest = this.#versions.get(order) ?? 0;
    if (version < highest) this.overtaken += 1;
    this.#versions.set(order, Math.max(version, highest));
    for (const [key, value] of replicaEntries(body)) this.values.set(key, value);
  }
}

/** Drops a value with a lower version than the applied one (docs/events.md, Order). */
export class HighestVersionReplica implements Replica {
  readonly values = new Map<string, string>();
  readonly #versions = new Map<string, number>();

  apply(body: WebhookBody, version: number): void {
    const order = orderingKeyOf(body);
    if (version < (this.#versions.get(order) ?? 0)) return;
    this.#versions.set(order, version);
    for (const [key, value] of replicaEntries(body)) this.values.set(key, value);
  }
}
