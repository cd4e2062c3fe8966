import { get, keep, put, send } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, userParams } from "../../lib/contract/parts.ts";
import { ingestion } from "../../lib/contract/queues.ts";
import { batches, receipts, users } from "../../lib/contract/resources.ts";
import { type AcceptedBatch, acceptBatch, isTooMany } from "../../lib/domain/acceptance.ts";
import { MOST_RECORDS } from "../../lib/domain/batch.ts";
import { ingestBody } from "../../lib/domain/ingest-body.ts";
import { wireAcceptance } from "../../lib/domain/receipt.ts";
import { BodyTooLarge, UserNotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { queueBatch } from "../../lib/runtime/ingestion.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { converterFor } from "../../lib/runtime/unit-conversion.ts";

/**
 * Accepts samples and summaries of one source and validates each record on its own. With a 202, each record is either
 * queued for storage or listed in `rejected` with its reason.
 */
export const contract = endpoint({
  operationId: "ingestBatch",
  method: "POST",
  path: "/v2/ingest/{user_id}",
  tag: "ingest",
  summary: "Ingest samples and summaries of a user",
  auth: "team",
  params: userParams,
  query: nothing,
  body: ingestBody,
  response: wireAcceptance,
  status: 202,
  errors: [UserNotFound],
  access: [get(users), put(receipts), send(ingestion), keep(batches)],
  maxBodyBytes: 4 * 1_048_576,
  memoryMb: 1024,
});

/** @throws ValidationFailed when no record is acceptable. */
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

export const handler = implement(contract, async ({ scope, params, body, work }, uses) => {
  if (isTooMany(body.resources)) throw new BodyTooLarge(`More than ${MOST_RECORDS} records. Send smaller batches.`);
  const user = await uses.users.get(scope, params.user_id);
  if (!user) throw new UserNotFound();
  const receivedAt = ports().clock.now();
  const raw = { ...body, device_id: body.device?.id ?? null };
  const accepted = acceptBatch(raw, user, receivedAt, await converterFor(body.resources));
  requireSome(accepted);
  const receipt_id = await queueBatch(uses, scope, user.user_id, accepted, receivedAt, work);
  return { receipt_id, accepted: accepted.accepted, rejected: [...accepted.rejected] };
});
