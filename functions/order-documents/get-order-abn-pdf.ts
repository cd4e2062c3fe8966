import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { orders, users } from "../../lib/contract/resources.ts";
import { noFields, pdfDocument } from "../../lib/contract/shared-schemas.ts";
import { requisitionNumber } from "../../lib/domain/orders/lab-partner.ts";
import { missingAbnReason } from "../../lib/domain/orders/order-documents.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { drawAdvanceNotice } from "../../lib/labs/documents/advance-notice.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { pdfAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { requireDocumentedOrder } from "../../lib/services/orders/submitted-order.ts";

export const contract = endpoint({
  operationId: "getOrderAbnPdf",
  method: "GET",
  path: "/v3/order/{order_id}/abn_pdf",
  tag: "order-documents",
  summary: "Retrieve the Advance Beneficiary Notice of an order (PDF)",
  description: [
    "Returns the Advance Beneficiary Notice, which a patient signs before tests that the health plan may not pay.",
    "An order has it if `has_abn` is true, and a sandbox draws it for every order with a requisition.",
    "`not_found` gives the reason in `detail`: no notice is needed, or the order has no requisition.",
    "The service draws the page for each call from the order.",
  ],
  auth: "team",
  params: orderParams,
  query: noFields,
  response: pdfDocument,
  errors: [NotFound],
  access: [getItem(orders), getItem(users)],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params: { order_id } }, deps) => {
  const isSandbox = deployment().environment === "sandbox";
  const { order } = await requireDocumentedOrder(scope, order_id, deps, (record) =>
    missingAbnReason(record, isSandbox),
  );
  const about = { order, requisition: requisitionNumber(order.id) };
  return pdfAnswer(await drawAdvanceNotice(about, { createdAt: ports().clock.now() }), `abn-${about.requisition}.pdf`);
});
