import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { orders, users } from "../../lib/contract/resources.ts";
import { pdfDocument, queryInteger } from "../../lib/contract/shared-schemas.ts";
import { missingLabelsReason } from "../../lib/domain/orders/order-documents.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { calendarDate } from "../../lib/domain/users/user.ts";
import { drawLabels } from "../../lib/labs/documents/labels.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { pdfAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { requireDocumentedOrder } from "../../lib/services/orders/submitted-order.ts";

/** Maximum number of labels: ten sheets of the large format. */
const MAX_LABELS = 100;

export const contract = endpoint({
  operationId: "getLabelsPdf",
  method: "GET",
  path: "/v3/order/{order_id}/labels/pdf",
  tag: "order-documents",
  summary: "Retrieve sample labels of an order (PDF)",
  description: [
    "Returns labels for the tubes of an order, with the sample number as a Code 128 barcode.",
    "Without a sample number, the barcode encodes the requisition number.",
    "The document has one label by default and at most 100.",
    "An order has labels once it has a sample number or a requisition, and a kit once it is registered.",
    "Otherwise `not_found` gives the reason in `detail`.",
  ],
  auth: "team",
  params: orderParams,
  query: z.object({
    number_of_labels: queryInteger(1, MAX_LABELS).nullish().describe("Default: 1"),
    collection_date: z
      .union([calendarDate, z.iso.datetime({ offset: true, local: true })])
      .describe("Collection date of the sample. A date-time counts as its date, as written"),
  }),
  response: pdfDocument,
  errors: [NotFound],
  access: [getItem(orders), getItem(users)],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params: { order_id }, query }, deps) => {
  const { order } = await requireDocumentedOrder(scope, order_id, deps, missingLabelsReason);
  const about = { count: query.number_of_labels ?? 1, collectionDate: query.collection_date.slice(0, 10) };
  return pdfAnswer(await drawLabels(order, { ...about, createdAt: ports().clock.now() }), `labels-${order_id}.pdf`);
});
