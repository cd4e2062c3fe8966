import * as z from "zod";
import { typedOpenEnum } from "../../../contract/open-enum.ts";
import { mappingCounts } from "./compare-mappings.ts";

/** Receipts that a remap names. */
export const MAX_NAMED_RECEIPTS = 100;
/** Time without progress after which a user's next remap may replace a remap that is not done. */
export const REMAP_TIMEOUT_MS = 3_600_000;

const remapStatuses = ["running", "done"] as const;

/** A remap in its wire form. */
export const wireRemap = z
  .object({
    id: z.guid(),
    status: typedOpenEnum(remapStatuses),
    provider: z.string(),
    resource: z.string().nullable().describe("Unit of data that was pulled; null for all"),
    received_since: z.string().nullable().describe("Only payloads received at or after this time"),
    dry_run: z.boolean().describe("Whether the remap counts differences without storing anything"),
    pulls: z.int().describe("Number of pulls and pushes that were mapped again"),
    incomplete: z.int().describe("Number of pulls of which a payload that the mapper reads is not kept"),
    resources: z.record(z.string(), mappingCounts).describe("Numbers of records by resource"),
    receipt_ids: z.array(z.string()).describe(`Receipts of the stored data, the first ${MAX_NAMED_RECEIPTS}`),
    started_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "Remap" });

/** A remap as stored. */
export const remap = wireRemap.extend({
  team_id: z.string(),
  user_id: z.string(),
  /** Number of finished steps. */
  step: z.int(),
  /** The last pull of the finished steps. */
  after: z.string().nullable(),
  /** Resources with a difference. Their later records are sent again, so that an older pull does not outlive them. */
  touched: z.array(z.string()),
});
export type Remap = z.output<typeof remap>;

/** Queue message of a step. */
export const remapStep = z.object({ team_id: z.string(), user_id: z.string(), remap_id: z.string(), step: z.int() });

export const toRemapStep = ({ team_id, user_id, id, step }: Remap): z.output<typeof remapStep> => ({
  team_id,
  user_id,
  remap_id: id,
  step,
});

/** Converts a remap to its wire form. */
export const toWireRemap = ({
  team_id: _,
  user_id: __,
  step,
  after,
  touched,
  ...wire
}: Remap): z.output<typeof wireRemap> => wire;
