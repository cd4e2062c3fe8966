import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { summaries } from "../contract/resources.ts";
import type { AcceptedSummary, SummaryKind } from "../domain/summaries/summary-kind.ts";
import { ConditionFailed } from "./condition-failed.ts";
import { isNew, type Key, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

/** A summary that arrives, with the source it is of. */
export interface IncomingSummary {
  readonly userId: string;
  readonly kind: SummaryKind;
  readonly provider: string;
  readonly sourceType: string;
  readonly accepted: AcceptedSummary;
}

const summaryRecord = z.object({
  id: z.string(),
  user_id: z.string(),
  provider: z.string(),
  source_type: z.string(),
  fields: z.record(z.string(), z.unknown()),
  /** Calendar date by which ranges select, YYYY-MM-DD; for kinds without one the date of receipt. */
  day: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  /** Counts the contents that this summary has had. */
  version: z.number().int(),
  /** The receipt that brought the present content, and what it was for this summary then. */
  received_at: z.number(),
  receipt_id: z.string(),
  verb: z.enum(["created", "updated"]),
});
export type SummaryRecord = z.output<typeof summaryRecord>;

interface Receipt {
  readonly receivedAt: number;
  readonly receiptId: string;
}

const MERGE_ATTEMPTS = 20;

const partition = (scope: TeamScope, userId: string) => `${summaries.keyPrefix}${scope.teamId}#${userId}`;

/** Summaries by natural key; the one received last is the one that stands. */
export class SummaryStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Stores a summary unless a later one is there. Told again of a receipt that it holds, it answers the same as then. */
  async merge(scope: TeamScope, incoming: IncomingSummary, receipt: Receipt) {
    const key: Key = { pk: partition(scope, incoming.userId), sk: sortKey(incoming) };
    for (let attempt = 1; ; attempt++) {
      const stored = await this.#table.get(key, summaryRecord);
      const outcome = judge(stored, incoming, receipt);
      if (stored && (outcome === "unchanged" || stored.receipt_id === receipt.receiptId))
        return { outcome, record: stored };
      const record = next(scope, stored, incoming, receipt);
      try {
        await this.#table.put(
          { ...key, summary_id: `${summaries.keyPrefix}${scope.teamId}#${record.id}`, ...record },
          overwriting(stored),
        );
        return { outcome, record };
      } catch (error) {
        if (!(error instanceof ConditionFailed) || attempt === MERGE_ATTEMPTS) throw error;
      }
    }
  }

  /** Summaries of one kind whose day lies between two dates (YYYY-MM-DD, both included), oldest first. */
  async list(
    scope: TeamScope,
    userId: string,
    kind: SummaryKind,
    days: { from: string; to: string },
  ): Promise<SummaryRecord[]> {
    const input = {
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :kind)",
      FilterExpression: "#day BETWEEN :from AND :to",
      ExpressionAttributeNames: { "#day": "day" },
      ExpressionAttributeValues: {
        ":pk": partition(scope, userId),
        ":kind": `${kind.name}#`,
        ":from": days.from,
        ":to": days.to,
      },
    };
    return Array.fromAsync(this.#table.all(input, summaryRecord));
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.erasePartition(partition(scope, userId));
  }
}

const sortKey = ({ kind, accepted, provider, sourceType }: IncomingSummary) =>
  [kind.name, accepted.key, provider, sourceType].join("#");

/** What an arriving summary is to the stored one. */
function judge(
  stored: SummaryRecord | undefined,
  { accepted }: IncomingSummary,
  receipt: Receipt,
): "created" | "updated" | "unchanged" {
  if (!stored) return "created";
  if (stored.receipt_id === receipt.receiptId) return stored.verb;
  const isLater =
    receipt.receivedAt > stored.received_at ||
    (receipt.receivedAt === stored.received_at && receipt.receiptId > stored.receipt_id);
  return isLater && !isDeepStrictEqual(stored.fields, accepted.fields) ? "updated" : "unchanged";
}

function next(
  scope: TeamScope,
  stored: SummaryRecord | undefined,
  incoming: IncomingSummary,
  receipt: Receipt,
): SummaryRecord {
  const now = new Date(receipt.receivedAt).toISOString();
  const { fields } = incoming.accepted;
  return {
    id: stored?.id ?? summaryId(scope, incoming),
    user_id: incoming.userId,
    provider: incoming.provider,
    source_type: incoming.sourceType,
    fields: { ...fields },
    day: typeof fields.calendar_date === "string" ? fields.calendar_date : now.slice(0, 10),
    created_at: stored?.created_at ?? now,
    updated_at: now,
    version: (stored?.version ?? 0) + 1,
    received_at: receipt.receivedAt,
    receipt_id: receipt.receiptId,
    verb: stored ? "updated" : "created",
  };
}

const overwriting = (stored: SummaryRecord | undefined) =>
  stored
    ? {
        ConditionExpression: "version = :version",
        ExpressionAttributeValues: { ":version": stored.version },
      }
    : { ConditionExpression: isNew };

/** The id follows from the natural key, so it is the same for ever: a version 8 UUID (RFC 9562) over SHA-256. */
function summaryId(scope: TeamScope, incoming: IncomingSummary): string {
  const about = [scope.teamId, incoming.userId, sortKey(incoming)].join("#");
  const hex = createHash("sha256").update(about).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
