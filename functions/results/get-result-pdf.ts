import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields, pdfDocument } from "../../lib/contract/shared-schemas.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { drawResultReport } from "../../lib/labs/documents/result-report.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { pdfAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { requireResult, requireResultAccess } from "../../lib/services/results/require-result.ts";

export const contract = endpoint({
  operationId: "getResultPdf",
  method: "GET",
  path: "/v3/order/{order_id}/result/pdf",
  tag: "results",
  summary: "Retrieve the result of an order (PDF)",
  description: [
    "Returns the result of an order as a report for patient and physician.",
    "The service draws it for each call from the stored values; it is not the document of the laboratory.",
    "Without a result, `not_found` gives the reason in `detail`.",
    "Teams with `partial_webhooks_enabled` also get partial results; for all others they do not exist yet.",
  ],
  auth: "team",
  params: orderParams,
  query: noFields,
  response: pdfDocument,
  errors: [NotFound],
  access: requireResultAccess,
  memoryMb: 1024,
});

export const handler = implement(contract, async (call, deps) => {
  const { order, result, states } = await requireResult(call, call.params.order_id, deps);
  const document = await drawResultReport(order, result, { states, createdAt: ports().clock.now() });
  return pdfAnswer(document, `result-${order.id}.pdf`);
});
