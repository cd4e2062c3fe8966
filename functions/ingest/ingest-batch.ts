import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { type AcceptedBatch, acceptBatch, exceedsMaxRecords } from "../../lib/domain/ingest/accept-batch.ts";
import { MAX_RECORDS_PER_REQUEST } from "../../lib/domain/ingest/batch.ts";
import { ingestBody } from "../../lib/domain/ingest/ingest-body.ts";
import { wireIngestAcceptance } from "../../lib/domain/ingest/receipt.ts";
import { toWireRejections } from "../../lib/domain/ingest/wire-rejections.ts";
import { BodyTooLarge, UserNotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { countRefusedRecords } from "../../lib/services/ingest/count-metrics.ts";
import { queueBatch, queueBatchAccess } from "../../lib/services/ingest/queue-batch.ts";
import { loadUnitConverter } from "../../lib/services/timeseries/unit-conversion.ts";

export const contract = endpoint({
  operationId: "ingestBatch",
  method: "POST",
  path: "/v2/ingest/{user_id}",
  tag: "ingest",
  summary: "Ingest samples and summaries of a user",
  description: [
    "Accepts up to 10,000 records and 4 MB of one source from a server; a phone calls `POST /v2/sdk/sync` instead.",
    "With a 202, each record is either queued for storage or listed in `rejected` with its reason.",
    "An entry with `field` names a part that the service left out of an accepted record.",
    "Poll `GET /v2/ingest/{user_id}/{receipt_id}` for the outcome, or wait for the events.",
    "Of two versions of a record, the one received later wins; an identical repetition changes nothing.",
    "New and changed data of the stage `daily` sends `daily.data.<resource>.created` and `.updated`.",
    "A history sends one `historical.data.<resource>.created` per resource, unless `is_final` is false.",
    "If no record is acceptable, the answer is `validation_failed` with the first 100 records.",
  ],
  auth: "team",
  params: userParams,
  query: noFields,
  body: ingestBody,
  response: wireIngestAcceptance,
  status: 202,
  errors: [UserNotFound],
  access: [getItem(users), ...queueBatchAccess],
  maxBodyBytes: 4 * 1_048_576,
  memoryMb: 1024,
});

/** The path of a field. Names of fields have no dots. */
const toPath = (field: string | null): (string | number)[] =>
  field?.split(".").map((name) => (/^\d+$/.test(name) ? Number(name) : name)) ?? [];

/** @throws ValidationFailed when no record is acceptable. */
function requireAcceptedRecord({ accepted, rejected }: AcceptedBatch): void {
  if (accepted > 0) return;
  if (rejected.length === 0) throw ValidationFailed.at(["body", "resources"], "At least one record is required");
  throw new ValidationFailed(
    toWireRejections(rejected.slice(0, 100)).map(({ resource, index, field, reason, detail }) => ({
      loc: ["body", "resources", resource, index, ...toPath(field)],
      msg: detail,
      type: reason,
    })),
  );
}

export const handler = implement(contract, async ({ scope, params, body, work, log }, deps) => {
  if (exceedsMaxRecords(body.resources))
    throw new BodyTooLarge(`More than ${MAX_RECORDS_PER_REQUEST} records. Send smaller batches.`);
  const user = await deps.users.get(scope, params.user_id);
  if (!user) throw new UserNotFound();
  const receivedAt = ports().clock.now();
  const raw = { ...body, device_id: body.device?.id ?? null, app_id: body.app?.id ?? null };
  const accepted = acceptBatch(raw, user, receivedAt, await loadUnitConverter(body.resources));
  countRefusedRecords(log, accepted.rejected);
  requireAcceptedRecord(accepted);
  const receipt_id = await queueBatch(deps, scope, user.user_id, accepted, receivedAt, work);
  return { receipt_id, accepted: accepted.accepted, rejected: toWireRejections(accepted.rejected) };
});
