import { getItem, getObject, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { insurances, orderPlacements, orders, payors, users } from "../../lib/contract/resources.ts";
import { noFields, pdfDocument } from "../../lib/contract/shared-schemas.ts";
import { missingRequisitionReason } from "../../lib/domain/orders/order-documents.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { drawRequisition } from "../../lib/labs/documents/requisition.ts";
import { labPartnersFor } from "../../lib/labs/lab-partners.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { pdfAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import {
  findPayingInsurance,
  loadSubmittedOrder,
  requireDocumentedOrder,
} from "../../lib/services/orders/submitted-order.ts";

export const contract = endpoint({
  // Clients use this spelling.
  operationId: "getOrderRequistionPdf",
  method: "GET",
  path: "/v3/order/{order_id}/requisition/pdf",
  tag: "order-documents",
  summary: "Retrieve the requisition of an order (PDF)",
  description: [
    "Returns the requisition that the patient or phlebotomist shows to the laboratory.",
    "It is the laboratory's own document, or else one that the service draws for each call from the order.",
    "It exists once the service has submitted the order to the laboratory, and for a kit once it is registered.",
    "Before that, and for an imported order, `not_found` gives the reason in `detail`.",
    "A cancelled order keeps the requisition that it had.",
  ],
  auth: "team",
  params: orderParams,
  query: noFields,
  response: pdfDocument,
  errors: [NotFound],
  access: [getItem(orders), getItem(users), queryItems(insurances), getItem(payors), getObject(orderPlacements)],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params: { order_id } }, deps) => {
  const record = await requireDocumentedOrder(scope, order_id, deps, missingRequisitionReason);
  const submitted = await loadSubmittedOrder(record, deps.orderPlacements);
  const partner = labPartnersFor(deployment().environment)(record.order.lab_test.lab?.slug ?? "");
  const own = await partner?.requisition(submitted);
  const drawn = async () => {
    const insurance = await findPayingInsurance(scope, submitted, deps);
    return drawRequisition(submitted, { insurance, createdAt: ports().clock.now() });
  };
  return pdfAnswer(own ?? (await drawn()), `requisition-${submitted.requisition}.pdf`);
});
