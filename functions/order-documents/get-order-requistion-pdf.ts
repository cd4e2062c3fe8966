import { get, load, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, pdf } from "../../lib/contract/parts.ts";
import { insurances, orderPlacements, orders, payors, users } from "../../lib/contract/resources.ts";
import { requisitionMissing } from "../../lib/domain/orders/order-documents.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { drawRequisition } from "../../lib/labs/documents/requisition.ts";
import { partnersOf } from "../../lib/labs/partners.ts";
import { pdfAnswer } from "../../lib/runtime/answer.ts";
import { deployment } from "../../lib/runtime/deployment.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { documentedOrder, payingInsurance, submittedOrder } from "../../lib/runtime/orders/submitted-order.ts";
import { ports } from "../../lib/runtime/ports.ts";

/** Returns the requisition of an order: the laboratory's own document, or else one that the service draws. */
export const contract = endpoint({
  // Clients use this spelling.
  operationId: "getOrderRequistionPdf",
  method: "GET",
  path: "/v3/order/{order_id}/requisition/pdf",
  tag: "order-documents",
  summary: "Retrieve the requisition of an order (PDF)",
  auth: "team",
  params: orderParams,
  query: nothing,
  response: pdf,
  errors: [NotFound],
  access: [get(orders), get(users), query(insurances), get(payors), load(orderPlacements)],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params: { order_id } }, uses) => {
  const record = await documentedOrder(scope, order_id, uses, requisitionMissing);
  const submitted = await submittedOrder(record, uses.orderPlacements);
  const partner = partnersOf(deployment().environment)(record.order.lab_test.lab?.slug ?? "");
  const own = await partner?.requisition(submitted);
  const drawn = async () => {
    const insurance = await payingInsurance(scope, submitted, uses);
    return drawRequisition(submitted, { insurance, madeAt: ports().clock.now() });
  };
  return pdfAnswer(own ?? (await drawn()), `requisition-${submitted.requisition}.pdf`);
});
