import * as z from "zod";
import { grants } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { isPhoneSource, phoneProvider } from "../../lib/domain/connections/providers/phone-providers.ts";
import { sentDeletion } from "../../lib/domain/ingest/deleted-sample.ts";
import { ingestBody } from "../../lib/domain/ingest/ingest-body.ts";
import { wireIngestAcceptance } from "../../lib/domain/ingest/receipt.ts";
import { ConnectionEnded, Forbidden, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import {
  ensurePhoneConnection,
  ensurePhoneConnectionAccess,
} from "../../lib/services/connections/phones/ensure-phone-connection.ts";
import { syncPartsAccess, syncPhone } from "../../lib/services/connections/phones/sync-phone.ts";
import { queueBatchAccess } from "../../lib/services/ingest/queue-batch.ts";

export const contract = endpoint({
  operationId: "syncBatch",
  method: "POST",
  path: "/v2/sdk/sync",
  tag: "sdk",
  summary: "Sync data of a phone",
  description: [
    "Accepts what a phone collected, in any number of parts with one `sync_id`.",
    "A part holds at most 10,000 records and 4 MB, and 10,000 deletions.",
    "A part of a provider with the same `sync_id` and `part` gets the first response again for 30 days: repeat it freely.",
    "A 202 accepts the records that `rejected` does not name; storage and `daily.data.<resource>.created` follow.",
    "With the stage `historical`, the part with `done` sends one `historical.data.<resource>.created` per resource.",
    "`deleted` removes samples by their time and sends no event. Malformed deletions, and those of summaries, appear in `rejected`.",
    "The first part of a provider connects it to the user and sends one `provider.connection.created`.",
    "A provider that the link of the sign-in does not allow answers `forbidden`.",
    "The answer `connection_ended` means that the user was disconnected from the provider: stop, and do not retry.",
    "The answer `user_not_found` means that the user was deleted: do not sign in again.",
  ],
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
        .meta({ description: "Identifies this synchronisation among those of the user with this provider" }),
      part: z.int().min(0).max(100_000).describe("Number of the part within its synchronisation"),
      done: z.boolean().default(false).meta({ description: "This is the last part" }),
      deleted: z
        .record(z.string().max(64), z.array(sentDeletion).max(10_000))
        .default({})
        .describe("Samples to delete, by resource"),
    })
    .refine(({ provider, source_type }) => isPhoneSource(provider, source_type), {
      path: ["source_type"],
      message: "not a source type of this provider",
    }),
  response: wireIngestAcceptance,
  status: 202,
  errors: [UserNotFound, Forbidden, ConnectionEnded],
  access: grants(ensurePhoneConnectionAccess, queueBatchAccess, syncPartsAccess),
  maxBodyBytes: 4 * 1_048_576,
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, session, user, body, work }, deps) => {
  if (!(session.providers?.includes(body.provider) ?? true)) {
    throw new Forbidden("The link that signed in this phone does not allow this provider.");
  }
  await ensurePhoneConnection(deps, { scope, session, user }, body.provider);
  return syncPhone(deps, { scope, user, work }, body);
});
