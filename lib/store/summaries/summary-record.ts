import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { type AcceptedSummary, findSummaryDay, type SummaryKind } from "../../domain/summaries/summary-kind.ts";
import type { Recorder } from "../recorder-key.ts";
import type { TeamScope } from "../team-scope.ts";
import { type NaturalKey, summaryId } from "./summary-keys.ts";

/** An incoming summary with its source and its recorder. */
export interface IncomingSummary extends Recorder {
  readonly userId: string;
  readonly kind: SummaryKind;
  readonly provider: string;
  readonly sourceType: string;
  readonly accepted: AcceptedSummary;
}

/** A stored summary. */
export const summaryRecord = z.object({
  id: z.string(),
  user_id: z.string(),
  provider: z.string(),
  source_type: z.string(),
  device_id: z.string().nullable(),
  /** Absent in records of versions before it was stored. */
  app_id: z.string().nullable().optional(),
  /** The provider's id; null if the provider has none. */
  provider_id: z.string().nullable(),
  fields: z.record(z.string(), z.unknown()),
  /** Date that ranges select by, YYYY-MM-DD. For kinds without a day, the date of receipt. */
  day: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  /** Number of contents that this summary has had. */
  version: z.number().int(),
  /** Receipt of the current content, and whether it created or updated the summary. */
  received_at: z.number(),
  receipt_id: z.string(),
  verb: z.enum(["created", "updated"]),
  /** Later receipt with the same content. Recorded if a batch received between the two could still arrive. */
  latest_receipt_id: z.string().optional(),
  /** When that receipt was received, epoch ms. */
  latest_received_at: z.number().optional(),
  /** Number of derivations from samples; absent if the source sent the summary. */
  derived: z.number().int().optional(),
});
export type SummaryRecord = z.output<typeof summaryRecord>;

/** Receipt of the batch of a summary. */
export interface SummaryReceipt {
  /** Epoch ms. */
  readonly receivedAt: number;
  readonly receiptId: string;
}

/** An incoming summary with the key under which it is stored. */
export interface PlacedSummary extends IncomingSummary {
  readonly place: NaturalKey;
}

/**
 * Returns the natural key of an incoming summary. The provider's id identifies a summary alone: a workout that arrives
 * from a phone and from a watch is one workout.
 */
export function naturalKey(incoming: IncomingSummary): NaturalKey {
  const { accepted, deviceId, appId } = incoming;
  const isIdentified = accepted.providerId === accepted.key || (deviceId === null && appId === null);
  return isIdentified ? sharedKey(incoming) : { ...sharedKey(incoming), recorder: { deviceId, appId } };
}

/** Returns the natural key without recorder. Versions that knew no recorders stored all summaries under it. */
export function sharedKey({ userId, kind, accepted, provider, sourceType }: IncomingSummary): NaturalKey {
  return { userId, kind: kind.name, key: accepted.key, provider, sourceType };
}

/**
 * Whether a summary under the key without recorder belongs to a recorder. One that an earlier version stored has no app;
 * if it has no device either, it belongs to the first recorder that sends it, since its source did not name recorders.
 */
export function isRecordedBy(
  { device_id, app_id }: Pick<SummaryRecord, "device_id" | "app_id">,
  { deviceId, appId }: Recorder,
): boolean {
  if (app_id === undefined) return device_id === null || device_id === deviceId;
  return device_id === deviceId && app_id === appId;
}

/** Returns the record of an incoming summary as successor of the stored one. */
export function nextSummaryRecord(
  stored: SummaryRecord | undefined,
  scope: TeamScope,
  incoming: PlacedSummary,
  receipt: SummaryReceipt,
): SummaryRecord {
  const now = new Date(receipt.receivedAt).toISOString();
  return {
    id: stored?.id ?? summaryId(scope, incoming.place),
    user_id: incoming.userId,
    provider: incoming.provider,
    source_type: incoming.sourceType,
    device_id: incoming.deviceId,
    app_id: incoming.appId,
    provider_id: incoming.accepted.providerId,
    fields: withLinks(scope, incoming),
    day: dayOf(incoming, now),
    created_at: stored?.created_at ?? now,
    // A derived summary may include samples received later than its replacement.
    updated_at: stored && stored.updated_at > now ? stored.updated_at : now,
    version: (stored?.version ?? 0) + 1,
    received_at: receipt.receivedAt,
    receipt_id: receipt.receiptId,
    verb: stored ? "updated" : "created",
  };
}

/**
 * Classifies an incoming summary against the stored one. It replaces a derived summary always, and a summary from its
 * source if that was received earlier.
 */
export function classifySummary(
  stored: SummaryRecord | undefined,
  given: SummaryRecord,
): "created" | "updated" | "unchanged" {
  if (!stored) return "created";
  if (stored.derived) return "updated";
  if (stored.receipt_id === given.receipt_id) return stored.verb;
  return isReceivedLater(given, stored) && !hasSameContent(stored, given) ? "updated" : "unchanged";
}

type Receipts = Pick<SummaryRecord, "receipt_id" | "latest_receipt_id">;

/** Whether the incoming summary was received after every receipt of the stored content. Receipt ids sort by time. */
export function isReceivedLater(given: Receipts, stored: Receipts): boolean {
  return given.receipt_id > (stored.latest_receipt_id ?? stored.receipt_id);
}

/** Whether two records of one summary have the same content, from the same device and app. */
export function hasSameContent(one: SummaryRecord, other: SummaryRecord): boolean {
  const content = ({ fields, provider_id, device_id, app_id = null }: SummaryRecord) => {
    return { fields, provider_id, device_id, app_id };
  };
  return isDeepStrictEqual(content(one), content(other));
}

/** Returns the fields of an incoming summary with the ids of linked summaries, which have the same recorder. */
function withLinks(scope: TeamScope, incoming: PlacedSummary): SummaryRecord["fields"] {
  const links = Object.entries(incoming.accepted.links ?? {});
  const ids = links.map(([field, link]) => [field, summaryId(scope, { ...incoming.place, ...link })]);
  return { ...incoming.accepted.fields, ...Object.fromEntries(ids) };
}

/** Returns the day of an incoming summary. */
function dayOf({ kind, accepted }: IncomingSummary, now: string): string {
  return findSummaryDay(kind, accepted) ?? now.slice(0, 10);
}

/** Condition: the summary still has the content that was read. */
export const ifUnchanged = ({ version }: SummaryRecord) => ({
  ConditionExpression: "version = :version",
  ExpressionAttributeValues: { ":version": version },
});

/** Condition: the summary is also still the same derivation from samples. */
export const ifDerivedUnchanged = ({ version, derived }: SummaryRecord) => ({
  ConditionExpression: "version = :version AND derived = :derived",
  ExpressionAttributeValues: { ":version": version, ":derived": derived },
});
