import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { oauthProvider } from "../sources/providers.ts";

/** Users whose connections one call may change. */
export const MOST_USERS = 500;
/** Work that has not come to its end by then is given up. */
export const BULK_MS = 30 * 24 * 3_600_000;

const bulkTypes = ["link_bulk_import", "link_bulk_historical_trigger"] as const;
export type BulkType = (typeof bulkTypes)[number];
const bulkStates = ["in_progress", "success", "failure", "aborted"] as const;

/** The connections that a call is about: those of these users to this provider. */
export const bulkTarget = z.object({
  user_ids: z.array(z.guid().toLowerCase()).min(1).max(MOST_USERS),
  provider: oauthProvider,
});
export const waitForCompletion = z
  .boolean()
  .default(false)
  .describe("Answer when all is done (200), unless that takes longer than 20 seconds (202)");

/** Work on many connections as stored; counted down with each step. Instants are ISO 8601. */
export const bulkOp = z.object({
  /** When it began and a random id: the order of the list. */
  op: z.string(),
  type: z.enum(bulkTypes),
  provider: z.string(),
  pending: z.int(),
  processed: z.int(),
  failed: z.int(),
  started_at: z.string(),
  /** When the last step ended so far. */
  ended_at: z.string().nullable(),
});
export type BulkOp = z.output<typeof bulkOp>;

/** What names a step; messages to take it carry it. */
export const bulkStepName = z.object({ team_id: z.string(), user_id: z.string(), op: z.string() });
export type BulkStepName = z.output<typeof bulkStepName>;

/** What of such work is to be done for one user. */
export const bulkStep = bulkStepName.extend({
  type: z.enum(bulkTypes),
  provider: z.string(),
  status: z.enum(["pending", "success", "failure"]),
  /** What is to be imported, in an envelope; dropped once it is. */
  sealed: z.string().optional(),
  /** When somebody has to take it at the latest, ISO 8601; absent once it ended. */
  due_at: z.string().optional(),
});
export type BulkStep = z.output<typeof bulkStep>;

/** What the envelope of a step is bound to. */
export const stepContext = ({ team_id, user_id, provider }: Pick<BulkStep, "team_id" | "user_id" | "provider">) =>
  ({ purpose: "bulk_import", team_id, record: `${user_id}/${provider}`, field: "recipe" }) as const;

/** Such work as answered (wire reference, 4). */
export const wireBulkOp = z
  .object({
    type: openEnum(bulkTypes),
    status: openEnum(bulkStates),
    provider: z.string(),
    pending: z.int(),
    processed: z.int(),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "BulkOp" });

/** The answer for such work: a failure where nothing of it succeeded. */
export function toWireBulkOp({ op: _, failed, ...about }: BulkOp, nowMs: number): z.output<typeof wireBulkOp> {
  const { pending, processed, started_at, ended_at } = about;
  const abortedMs = Date.parse(started_at) + BULK_MS;
  if (pending === 0) return { ...about, status: failed === processed ? "failure" : "success", ended_at };
  if (nowMs < abortedMs) return { ...about, status: "in_progress", ended_at: null };
  return { ...about, status: "aborted", ended_at: new Date(abortedMs).toISOString() };
}
