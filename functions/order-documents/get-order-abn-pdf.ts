import { get } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, pdf } from "../../lib/contract/parts.ts";
import { orders, users } from "../../lib/contract/resources.ts";
import { requisitionNumber } from "../../lib/domain/orders/lab-partner.ts";
import { noticeMissing } from "../../lib/domain/orders/order-documents.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { drawAdvanceNotice } from "../../lib/labs/documents/advance-notice.ts";
import { pdfAnswer } from "../../lib/runtime/answer.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { documentedOrder } from "../../lib/runtime/orders/submitted-order.ts";
import { ports } from "../../lib/runtime/ports.ts";

/** Returns the Advance Beneficiary Notice, which a patient signs before tests that the health plan may not pay. */
export const contract = endpoint({
  operationId: "getOrderAbnPdf",
  method: "GET",
  path: "/v3/order/{order_id}/abn_pdf",
  tag: "order-documents",
  summary: "Retrieve the Advance Beneficiary Notice of an order (PDF)",
  auth: "team",
  params: orderParams,
  query: nothing,
  response: pdf,
  errors: [NotFound],
  access: [get(orders), get(users)],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params: { order_id } }, uses) => {
  const isSandbox = deployment().environment === "sandbox";
  const { order } = await documentedOrder(scope, order_id, uses, (record) => noticeMissing(record, isSandbox));
  const about = { order, requisition: requisitionNumber(order.id) };
  return pdfAnswer(await drawAdvanceNotice(about, { madeAt: ports().clock.now() }), `abn-${about.requisition}.pdf`);
});
