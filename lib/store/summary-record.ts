import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { AcceptedSummary, SummaryKind } from "../domain/summaries/summary-kind.ts";
import { type NaturalKey, summaryId } from "./summary-keys.ts";
import type { TeamScope } from "./team-scope.ts";

/** A summary that arrives, with the source it is of. */
export interface IncomingSummary {
  readonly userId: string;
  readonly kind: SummaryKind;
  readonly provider: string;
  readonly sourceType: string;
  readonly deviceId: string | null;
  readonly accepted: AcceptedSummary;
}

/** A summary as stored. */
export const summaryRecord = z.object({
  id: z.string(),
  user_id: z.string(),
  provider: z.string(),
  source_type: z.string(),
  device_id: z.string().nullable(),
  /** The provider's own id; null where it gives none. */
  provider_id: z.string().nullable(),
  fields: z.record(z.string(), z.unknown()),
  /** Date by which ranges select, YYYY-MM-DD; for kinds that are of no day the date of receipt. */
  day: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  /** Counts the contents that this summary has had. */
  version: z.number().int(),
  /** The receipt that brought the present content, and what it was for this summary then. */
  received_at: z.number(),
  receipt_id: z.string(),
  verb: z.enum(["created", "updated"]),
  /** A later receipt that brought the same content, noted where a batch received between the two could still arrive. */
  latest_receipt_id: z.string().optional(),
  /** When that was received, epoch ms. */
  latest_received_at: z.number().optional(),
  /** Counts how often it was made of samples; absent where its source gave it. */
  derived: z.number().int().optional(),
});
export type SummaryRecord = z.output<typeof summaryRecord>;

/** The batch that a summary came with. */
export interface Receipt {
  /** Epoch ms. */
  readonly receivedAt: number;
  readonly receiptId: string;
}

/** What tells the arriving summary apart from others. */
export function naturalKey({ userId, kind, accepted, provider, sourceType }: IncomingSummary): NaturalKey {
  return { userId, kind: kind.name, key: accepted.key, provider, sourceType };
}

/** The record of an arriving summary, as it would follow the stored one. */
export function recordAfter(
  stored: SummaryRecord | undefined,
  scope: TeamScope,
  incoming: IncomingSummary,
  receipt: Receipt,
): SummaryRecord {
  const now = new Date(receipt.receivedAt).toISOString();
  return {
    id: stored?.id ?? summaryId(scope, naturalKey(incoming)),
    user_id: incoming.userId,
    provider: incoming.provider,
    source_type: incoming.sourceType,
    device_id: incoming.deviceId,
    provider_id: incoming.accepted.providerId,
    fields: withLinks(scope, incoming),
    day: dayOf(incoming, now),
    created_at: stored?.created_at ?? now,
    // A derived summary may be of samples that were received later than what replaces it.
    updated_at: stored && stored.updated_at > now ? stored.updated_at : now,
    version: (stored?.version ?? 0) + 1,
    received_at: receipt.receivedAt,
    receipt_id: receipt.receiptId,
    verb: stored ? "updated" : "created",
  };
}

/** What a given summary is to the stored one: it replaces a derived one always, a given one that was received earlier. */
export function judge(stored: SummaryRecord | undefined, given: SummaryRecord): "created" | "updated" | "unchanged" {
  if (!stored) return "created";
  if (stored.derived) return "updated";
  if (stored.receipt_id === given.receipt_id) return stored.verb;
  return isLater(given, stored) && !hasSameContent(stored, given) ? "updated" : "unchanged";
}

/** Whether what arrives was received after everything that brought the stored content; receipt ids sort by time. */
export function isLater(given: SummaryRecord, stored: SummaryRecord): boolean {
  return given.receipt_id > (stored.latest_receipt_id ?? stored.receipt_id);
}

/** Whether two records of one summary say the same. */
export function hasSameContent(one: SummaryRecord, other: SummaryRecord): boolean {
  const content = ({ fields, provider_id }: SummaryRecord) => ({ fields, provider_id });
  return isDeepStrictEqual(content(one), content(other));
}

/** The fields of an arriving summary with the ids of the summaries that it names. */
function withLinks(scope: TeamScope, incoming: IncomingSummary): SummaryRecord["fields"] {
  const links = Object.entries(incoming.accepted.links ?? {});
  const ids = links.map(([field, link]) => [field, summaryId(scope, { ...naturalKey(incoming), ...link })]);
  return { ...incoming.accepted.fields, ...Object.fromEntries(ids) };
}

/** The day of an arriving summary. */
function dayOf({ kind, accepted }: IncomingSummary, now: string): string {
  const { calendar_date } = accepted.fields;
  if (typeof calendar_date === "string") return calendar_date;
  return (kind.days ? accepted.key : now).slice(0, 10);
}

/** Holds while a summary has the content that was read. */
export const isStill = ({ version }: SummaryRecord) => ({
  ConditionExpression: "version = :version",
  ExpressionAttributeValues: { ":version": version },
});

/** Holds while that is also of the samples that it was made of. */
export const isStillDerived = ({ version, derived }: SummaryRecord) => ({
  ConditionExpression: "version = :version AND derived = :derived",
  ExpressionAttributeValues: { ":version": version, ":derived": derived },
});
