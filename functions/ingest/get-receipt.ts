import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { receipts, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { wireIngestReceipt } from "../../lib/domain/ingest/receipt.ts";
import { toWireRejections } from "../../lib/domain/ingest/wire-rejections.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getReceipt",
  method: "GET",
  path: "/v2/ingest/{user_id}/{receipt_id}",
  tag: "ingest",
  summary: "Retrieve the receipt of a batch",
  description: [
    "Returns what became of a batch: how many records were new, changed or unchanged, and the ids of its events.",
    "Poll it after `POST /v2/ingest/{user_id}`, or wait for the events instead.",
    "The status is `pending`, with counts of 0, until all records of the batch are stored.",
    "Storage can reject further records with the reason `too_dense`: one time bucket has too much data.",
    "Unchanged records cause no event, so a `done` receipt may have an empty `event_ids`.",
    "The service keeps a `done` receipt for 37 days; later, and for an unknown id, the answer is `not_found`.",
  ],
  auth: "team",
  params: userParams.extend({ receipt_id: z.string().min(1).max(64) }),
  query: noFields,
  response: wireIngestReceipt,
  errors: [UserNotFound, NotFound],
  access: [getItem(users), getItem(receipts)],
});

export const handler = implement(contract, async ({ scope, params }, { users, receipts }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const receipt = await receipts.get(scope, params.user_id, params.receipt_id);
  if (!receipt) throw new NotFound("There is no receipt with this id.");
  return { ...receipt, rejected: toWireRejections(receipt.rejected) };
});
