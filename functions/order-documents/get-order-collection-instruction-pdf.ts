import { get } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, pdf } from "../../lib/contract/parts.ts";
import { orders, users } from "../../lib/contract/resources.ts";
import { collectionInstructions } from "../../lib/domain/lab-tests/collection-instructions.ts";
import { labOf } from "../../lib/domain/lab-tests/labs.ts";
import { requisitionNumber } from "../../lib/domain/orders/lab-partner.ts";
import { requisitionMissing } from "../../lib/domain/orders/order-documents.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { drawCollectionInstructions, instructionFacts } from "../../lib/labs/documents/collection-instruction.ts";
import { nameOf } from "../../lib/labs/documents/patient.ts";
import { pdfAnswer } from "../../lib/runtime/answer.ts";
import { requireOrder } from "../../lib/runtime/changing-orders.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";

/** Returns the collection instructions of an order as a page for its patient. */
export const contract = endpoint({
  operationId: "getOrderCollectionInstructionPdf",
  method: "GET",
  path: "/v3/order/{order_id}/collection_instruction_pdf",
  tag: "order-documents",
  summary: "Retrieve collection instructions of an order (PDF)",
  auth: "team",
  params: orderParams,
  query: nothing,
  response: pdf,
  errors: [NotFound],
  access: [get(orders), get(users)],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params: { order_id } }, uses) => {
  const { record } = await requireOrder(scope, order_id, uses);
  const { order } = record;
  const { lab_test: test, patient_details: patient } = order;
  const lab = labOf(test.lab?.slug ?? "");
  if (!lab) throw new NotFound("The lab of this order is no longer in the catalogue.");
  const names = (test.markers ?? []).map(({ name }) => name);
  const facts = [
    ...(patient ? [["Patient", nameOf(patient)] as const] : []),
    ...(requisitionMissing(record) ? [] : [["Requisition", requisitionNumber(order.id)] as const]),
    ...instructionFacts(test, test.sample_type, names),
  ];
  const about = { description: DESCRIPTION, facts, madeAt: ports().clock.now() };
  return pdfAnswer(
    await drawCollectionInstructions(collectionInstructions(test, lab, test.sample_type), about),
    `collection-instructions-${order_id}.pdf`,
  );
});

const DESCRIPTION = "This is how the sample for your order is taken. Keep the page until you have your result.";
