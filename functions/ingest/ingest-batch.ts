import * as z from "zod";
import { get, keep, put, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, userParams } from "../../lib/contract/parts.ts";
import { batches, ingestion, receipts, users } from "../../lib/contract/resources.ts";
import { type AcceptedBatch, acceptBatch, isTooMany } from "../../lib/domain/acceptance.ts";
import { MOST_RECORDS, stages } from "../../lib/domain/batch.ts";
import { wireAcceptance } from "../../lib/domain/receipt.ts";
import { knownProvider } from "../../lib/domain/sources/providers.ts";
import { givenSourceType } from "../../lib/domain/sources/source.ts";
import { BodyTooLarge, UserNotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { queueBatch } from "../../lib/runtime/ingestion.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { converterFor } from "../../lib/runtime/unit-conversion.ts";

/**
 * Takes samples and summaries of one source. Each record is judged on its own: 202 means that every record is either
 * on its way to the store or named in `rejected` with its reason; nothing is dropped in silence.
 */
export const contract = endpoint({
  operationId: "ingestBatch",
  method: "POST",
  path: "/v2/ingest/{user_id}",
  tag: "ingest",
  summary: "Send samples and summaries of a user",
  auth: "team",
  params: userParams,
  query: nothing,
  body: z.object({
    provider: knownProvider,
    source_type: givenSourceType,
    device: z.object({ id: z.string().max(256) }).nullish(),
    stage: z.enum(stages).default("daily"),
    is_final: z
      .boolean()
      .default(true)
      .describe("Of a history: false while more of it comes, so that only its last request tells that it is there"),
    resources: z.record(z.string().max(64), z.array(z.unknown())).meta({
      description:
        "Records by resource. The unit of a sample may be any of its kind, as UCUM code or as usually spelled",
    }),
  }),
  response: wireAcceptance,
  status: 202,
  errors: [UserNotFound],
  access: [get(users), put(receipts), send(ingestion), keep(batches)],
  maxBodyBytes: 4 * 1_048_576,
  memoryMb: 1024,
});

/** @throws ValidationFailed when not one record can be taken. */
function requireSome({ accepted, rejected }: AcceptedBatch): void {
  if (accepted > 0) return;
  if (rejected.length === 0) throw ValidationFailed.at(["body", "resources"], "At least one record is required");
  throw new ValidationFailed(
    rejected.slice(0, 100).map(({ resource, index, reason }) => ({
      loc: ["body", "resources", resource, index],
      msg: "Record not accepted",
      type: reason,
    })),
  );
}

export const handler = implement(contract, async ({ scope, params, body }, uses) => {
  if (isTooMany(body.resources))
    throw new BodyTooLarge(`More than ${MOST_RECORDS} records; send them in smaller parts.`);
  const user = await uses.users.get(scope, params.user_id);
  if (!user) throw new UserNotFound();
  const receivedAt = ports().clock.now();
  const raw = { ...body, device_id: body.device?.id ?? null };
  const accepted = acceptBatch(raw, user, receivedAt, await converterFor(body.resources));
  requireSome(accepted);
  const receipt_id = await queueBatch(uses, scope, user.user_id, accepted, receivedAt);
  return { receipt_id, accepted: accepted.accepted, rejected: [...accepted.rejected] };
});
