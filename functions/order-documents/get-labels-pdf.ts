import * as z from "zod";
import { get } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { pdf, queryInteger } from "../../lib/contract/parts.ts";
import { orders, users } from "../../lib/contract/resources.ts";
import { labelsMissing } from "../../lib/domain/orders/order-documents.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { calendarDate } from "../../lib/domain/user.ts";
import { drawLabels } from "../../lib/labs/documents/labels.ts";
import { pdfAnswer } from "../../lib/runtime/answer.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { documentedOrder } from "../../lib/runtime/orders/submitted-order.ts";
import { ports } from "../../lib/runtime/ports.ts";

/** Maximum number of labels: ten sheets of the large format. */
const MOST_LABELS = 100;

/** Returns labels for the tubes of an order. Each label contains the sample number as a barcode. */
export const contract = endpoint({
  operationId: "getLabelsPdf",
  method: "GET",
  path: "/v3/order/{order_id}/labels/pdf",
  tag: "order-documents",
  summary: "Retrieve sample labels of an order (PDF)",
  auth: "team",
  params: orderParams,
  query: z.object({
    number_of_labels: queryInteger(1, MOST_LABELS).nullish(),
    collection_date: z
      .union([calendarDate, z.iso.datetime({ offset: true, local: true })])
      .describe("Collection date of the sample. A date-time counts as its date, as written"),
  }),
  response: pdf,
  errors: [NotFound],
  access: [get(orders), get(users)],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params: { order_id }, query }, uses) => {
  const { order } = await documentedOrder(scope, order_id, uses, labelsMissing);
  const about = { count: query.number_of_labels ?? 1, collectionDate: query.collection_date.slice(0, 10) };
  return pdfAnswer(await drawLabels(order, { ...about, madeAt: ports().clock.now() }), `labels-${order_id}.pdf`);
});
