import { get, getMany, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, pdf } from "../../lib/contract/parts.ts";
import { orders, results, users } from "../../lib/contract/resources.ts";
import { transactionParams } from "../../lib/domain/orders/order-transaction.ts";
import { drawResultReport } from "../../lib/labs/documents/result-report.ts";
import { pdfAnswer } from "../../lib/runtime/answer.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { requireTransactionResult } from "../../lib/runtime/results/reading-results.ts";

/** Returns the merged results of an order transaction as one report for patient and physician. */
export const contract = endpoint({
  operationId: "getTransactionResultPdf",
  method: "GET",
  path: "/v3/order_transaction/{transaction_id}/result/pdf",
  tag: "results",
  summary: "Retrieve the result of an order transaction (PDF)",
  auth: "team",
  params: transactionParams,
  query: nothing,
  response: pdf,
  errors: [NotFound],
  access: [getMany(orders), query(orders), get(users), get(results)],
  memoryMb: 1024,
});

export const handler = implement(contract, async (call, uses) => {
  const { order, result, states } = await requireTransactionResult(call, call.params.transaction_id, uses);
  const document = await drawResultReport(order, result, { states, madeAt: ports().clock.now() });
  return pdfAnswer(document, `result-${order.id}.pdf`);
});
