import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { oauthProvider } from "./providers/known-provider.ts";

/** Maximum number of users in one bulk operation. */
export const MAX_USERS_PER_BULK_OP = 500;
/** Time after which an unfinished bulk operation is aborted. */
export const BULK_OP_TIMEOUT_MS = 30 * 24 * 3_600_000;

const bulkOpTypes = ["link_bulk_import", "link_bulk_historical_trigger"] as const;
export type BulkOpType = (typeof bulkOpTypes)[number];
const bulkOpStatuses = ["in_progress", "success", "failure", "aborted"] as const;

/** Connections of a bulk operation: those of the given users to one provider. */
export const bulkTarget = z.object({
  user_ids: z.array(z.guid().toLowerCase()).min(1).max(MAX_USERS_PER_BULK_OP),
  provider: oauthProvider,
});
export const waitForCompletion = z
  .boolean()
  .default(false)
  .describe("Respond after completion (200), or after 20 seconds (202) if the operation takes longer");

/** Stored bulk operation on connections. Each step decrements `pending`. Instants are ISO 8601. */
export const bulkOp = z.object({
  /** Start time and a random id; the sort key of the list. */
  op: z.string(),
  type: z.enum(bulkOpTypes),
  provider: z.string(),
  pending: z.int(),
  processed: z.int(),
  failed: z.int(),
  started_at: z.string(),
  /** End of the most recent step. */
  ended_at: z.string().nullable(),
});
export type BulkOp = z.output<typeof bulkOp>;

/** Reference to a step, as queue messages carry it. */
export const bulkStepRef = z.object({ team_id: z.string(), user_id: z.string(), op: z.string() });
export type BulkStepRef = z.output<typeof bulkStepRef>;

/** Step of a bulk operation: the work for one user. */
export const bulkStep = bulkStepRef.extend({
  type: z.enum(bulkOpTypes),
  provider: z.string(),
  status: z.enum(["pending", "success", "failure"]),
  /** Envelope with the recipe to import; deleted after the import. */
  sealed: z.string().optional(),
  /** Time at which the sweeper starts the step, ISO 8601; absent once the step has ended. */
  due_at: z.string().optional(),
});
export type BulkStep = z.output<typeof bulkStep>;

/** Encryption context of a step's envelope. */
export const bulkStepEncryptionContext = ({
  team_id,
  user_id,
  provider,
}: Pick<BulkStep, "team_id" | "user_id" | "provider">) =>
  ({ purpose: "bulk_import", team_id, record: `${user_id}/${provider}`, field: "recipe" }) as const;

/** Bulk operation, as returned. */
export const wireBulkOp = z
  .object({
    type: openEnum(bulkOpTypes),
    status: openEnum(bulkOpStatuses),
    provider: z.string(),
    pending: z.int().describe("Number of users to process"),
    processed: z.int().describe("Number of processed users, including failures"),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "BulkOp" });

/** Converts a bulk operation. The status is `failure` only if every step failed. */
export function toWireBulkOp({ op: _, failed, ...about }: BulkOp, nowMs: number): z.output<typeof wireBulkOp> {
  const { pending, processed, started_at, ended_at } = about;
  const abortedMs = Date.parse(started_at) + BULK_OP_TIMEOUT_MS;
  if (pending === 0) return { ...about, status: failed === processed ? "failure" : "success", ended_at };
  if (nowMs < abortedMs) return { ...about, status: "in_progress", ended_at: null };
  return { ...about, status: "aborted", ended_at: new Date(abortedMs).toISOString() };
}
