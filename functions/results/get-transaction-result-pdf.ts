import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields, pdfDocument } from "../../lib/contract/shared-schemas.ts";
import { transactionParams } from "../../lib/domain/orders/order-transaction.ts";
import { drawResultReport } from "../../lib/labs/documents/result-report.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { pdfAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { requireTransactionResult, requireTransactionResultAccess } from "../../lib/services/results/require-result.ts";

export const contract = endpoint({
  operationId: "getTransactionResultPdf",
  method: "GET",
  path: "/v3/order_transaction/{transaction_id}/result/pdf",
  tag: "results",
  summary: "Retrieve the result of an order transaction (PDF)",
  description: [
    "Returns the merged results of an initial order with its redraws and recreations as one report.",
    "Each value comes from the last order that has it. The service draws the report for each call.",
    "A transaction without a result, and an unknown one, return `not_found`.",
    "Teams with `partial_webhooks_enabled` also get partial results.",
  ],
  auth: "team",
  params: transactionParams,
  query: noFields,
  response: pdfDocument,
  errors: [NotFound],
  access: requireTransactionResultAccess,
  memoryMb: 1024,
});

export const handler = implement(contract, async (call, deps) => {
  const { order, result, states } = await requireTransactionResult(call, call.params.transaction_id, deps);
  const document = await drawResultReport(order, result, { states, createdAt: ports().clock.now() });
  return pdfAnswer(document, `result-${order.id}.pdf`);
});
