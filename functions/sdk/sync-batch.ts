import * as z from "zod";
import { getItem, grants } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { isPhoneSource, phoneProvider } from "../../lib/domain/connections/providers/phone-providers.ts";
import { ingestBody } from "../../lib/domain/ingest/ingest-body.ts";
import { wireIngestAcceptance } from "../../lib/domain/ingest/receipt.ts";
import { Forbidden, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { syncPartsAccess, syncPhone } from "../../lib/services/connections/phones/sync-phone.ts";
import { queueBatchAccess } from "../../lib/services/ingest/queue-batch.ts";

const deletedSample = z.object({
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
  params: noFields,
  query: noFields,
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
      deleted: z.record(z.string().max(64), z.array(deletedSample).max(10_000)).default({}),
    })
    .refine(({ provider, source_type }) => isPhoneSource(provider, source_type), {
      path: ["source_type"],
      message: "not a source type of this provider",
    }),
  response: wireIngestAcceptance,
  status: 202,
  errors: [UserNotFound],
  access: grants(getItem(users), queueBatchAccess, syncPartsAccess),
  maxBodyBytes: 4 * 1_048_576,
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, session, body, work }, deps) => {
  if (!(session.providers?.includes(body.provider) ?? true)) {
    throw new Forbidden("The link that signed in this phone does not allow this provider.");
  }
  return syncPhone(deps, { scope, userId: session.user_id, work }, body);
});
