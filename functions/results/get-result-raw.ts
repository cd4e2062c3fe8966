import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { wireResult } from "../../lib/domain/results/wire-result.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireResult, requireResultAccess } from "../../lib/services/results/require-result.ts";

export const contract = endpoint({
  operationId: "getResultRaw",
  method: "GET",
  path: "/v3/order/{order_id}/result",
  tag: "results",
  summary: "Retrieve the result of an order",
  description: [
    "Returns the values of an order's result, each with its range and interpretation, and the missing results.",
    "Call it after `labtest.order.updated` with `completed` or `corrected`: a correction changes a result later.",
    "Reports merge: of two values, the corrected one counts, else the final one, else the newest.",
    "The laboratory's flag interprets a value, or else the reference range for the patient's sex and age.",
    "`result` is the value as text. `value` is its older form, and -1 for a value that is not a number.",
    "`missing_results` names ordered tests without a value, once a final report exists.",
    "Without a result, `not_found` gives the reason; only teams with `partial_webhooks_enabled` get partial ones.",
  ],
  auth: "team",
  params: orderParams,
  query: noFields,
  response: wireResult,
  agentTool: {
    name: "get_order_result",
    description: ["Returns the result of an order: each value with its unit, reference range and interpretation."],
    reach: "object",
    shortening: { kind: "list", of: "results" },
    rest: "The tool has no pages.",
  },
  errors: [NotFound],
  access: requireResultAccess,
});

export const handler = implement(contract, async (call, deps) => {
  const { result } = await requireResult(call, call.params.order_id, deps);
  return result;
});
