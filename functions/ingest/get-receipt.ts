import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { receipts, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { wireIngestReceipt } from "../../lib/domain/ingest/receipt.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Returns the outcome of a batch: how many records were new, changed or unchanged, and the ids of its events. */
export const contract = endpoint({
  operationId: "getReceipt",
  method: "GET",
  path: "/v2/ingest/{user_id}/{receipt_id}",
  tag: "ingest",
  summary: "Retrieve the receipt of a batch",
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
  return receipt;
});
