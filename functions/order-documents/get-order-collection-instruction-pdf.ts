import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { orders, users } from "../../lib/contract/resources.ts";
import { noFields, pdfDocument } from "../../lib/contract/shared-schemas.ts";
import { collectionInstructions } from "../../lib/domain/lab-tests/collection-instructions.ts";
import { findLab } from "../../lib/domain/lab-tests/labs.ts";
import { requisitionNumber } from "../../lib/domain/orders/lab-partner.ts";
import { missingRequisitionReason } from "../../lib/domain/orders/order-documents.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { drawCollectionInstructions, instructionFacts } from "../../lib/labs/documents/collection-instruction.ts";
import { fullNameOf } from "../../lib/labs/documents/patient.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { pdfAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { requireOrder } from "../../lib/services/orders/change-order.ts";

export const contract = endpoint({
  operationId: "getOrderCollectionInstructionPdf",
  method: "GET",
  path: "/v3/order/{order_id}/collection_instruction_pdf",
  tag: "order-documents",
  summary: "Retrieve collection instructions of an order (PDF)",
  description: [
    "Returns how the sample of an order is collected, as a page for its patient, in English.",
    "It names the patient, the requisition number and the tests as far as the order has them.",
    "Unlike the other documents, it is available from the moment the order exists.",
    "The service draws the page for each call.",
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
  const { record } = await requireOrder(scope, order_id, deps);
  const { order } = record;
  const { lab_test: test, patient_details: patient } = order;
  const lab = findLab(test.lab?.slug ?? "");
  if (!lab) throw new NotFound("The lab of this order is no longer in the catalogue.");
  const names = (test.markers ?? []).map(({ name }) => name);
  const facts = [
    ...(patient ? [["Patient", fullNameOf(patient)] as const] : []),
    ...(missingRequisitionReason(record) ? [] : [["Requisition", requisitionNumber(order.id)] as const]),
    ...instructionFacts(test, test.sample_type, names),
  ];
  const about = { description: DESCRIPTION, facts, createdAt: ports().clock.now() };
  return pdfAnswer(
    await drawCollectionInstructions(collectionInstructions(test, lab, test.sample_type), about),
    `collection-instructions-${order_id}.pdf`,
  );
});

const DESCRIPTION = "This is how the sample for your order is taken. Keep the page until you have your result.";
