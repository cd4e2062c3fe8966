import * as z from "zod";
import { get, keep, put, query, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { historyEnds, ingestion } from "../../lib/contract/queues.ts";
import { batches, receipts, syncParts, users } from "../../lib/contract/resources.ts";
import { ingestBody } from "../../lib/domain/ingest-body.ts";
import { wireAcceptance } from "../../lib/domain/receipt.ts";
import { isPhoneSource, phoneProvider } from "../../lib/domain/sources/phone-providers.ts";
import { Forbidden, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { syncPhone } from "../../lib/runtime/linking/syncing.ts";

const takenBack = z.object({
  timestamp: z.string().max(64),
  type: z
    .string()
    .max(64)
    .optional()
    .meta({ description: "Type of the sample, for resources with several samples of one instant" }),
});

/**
 * Accepts the collected data of a phone in any number of parts. A repeated part gets the first response. The event of a
 * completed history is recorded once, after all of its data is stored. Samples can be deleted; other records in
 * `deleted` are returned in `rejected`. Only providers on the phone are accepted, and of those only the ones that the
 * sign-in allows.
 */
export const contract = endpoint({
  operationId: "syncBatch",
  method: "POST",
  path: "/v2/sdk/sync",
  tag: "sdk",
  summary: "Sync data of a phone",
  auth: "session",
  params: nothing,
  query: nothing,
  body: ingestBody
    .omit({ is_final: true })
    .extend({
      provider: phoneProvider,
      sync_id: z
        .string()
        .min(1)
        .max(128)
        .meta({ description: "Identifies this synchronisation among those of the user" }),
      part: z.int().min(0).max(100_000),
      done: z.boolean().default(false).meta({ description: "This is the last part" }),
      deleted: z.record(z.string().max(64), z.array(takenBack).max(10_000)).default({}),
    })
    .refine(({ provider, source_type }) => isPhoneSource(provider, source_type), {
      path: ["source_type"],
      message: "not a source type of this provider",
    }),
  response: wireAcceptance,
  status: 202,
  errors: [UserNotFound],
  access: [
    ...([get(users), put(receipts), send(ingestion), keep(batches)] as const),
    ...([get(syncParts), put(syncParts), query(syncParts), send(historyEnds)] as const),
  ],
  maxBodyBytes: 4 * 1_048_576,
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, session, body, work }, uses) => {
  if (!(session.providers?.includes(body.provider) ?? true)) {
    throw new Forbidden("The link that signed in this phone does not allow this provider.");
  }
  return syncPhone(uses, { scope, userId: session.user_id, work }, body);
});
