import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labTests } from "../../lib/contract/resources.ts";
import { labTestParams, noFields, pdfDocument } from "../../lib/contract/shared-schemas.ts";
import { collectionInstructions } from "../../lib/domain/lab-tests/collection-instructions.ts";
import { markersOf, sampleTypeOf } from "../../lib/domain/lab-tests/lab-test.ts";
import { findLab } from "../../lib/domain/lab-tests/labs.ts";
import { drawCollectionInstructions, instructionFacts } from "../../lib/labs/documents/collection-instruction.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { pdfAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";
import { loadLabCatalogue } from "../../lib/services/lab-tests/lab-catalogue.ts";
import { requireLabTest } from "../../lib/services/lab-tests/lab-tests.ts";

export const contract = endpoint({
  operationId: "getLabTestCollectionInstructionPdf",
  method: "GET",
  path: "/v3/lab_test/{lab_test_id}/collection_instruction_pdf",
  tag: "lab-tests",
  summary: "Retrieve collection instructions of a lab test (PDF)",
  description: [
    "Returns how the sample of a lab test is collected, as a page for patients, in English.",
    "The service draws it for each call from the collection method, the sample type and fasting.",
    "For a page with the patient's name and the requisition number, use the document of the order.",
  ],
  auth: "team",
  params: labTestParams,
  query: noFields,
  response: pdfDocument,
  errors: [NotFound],
  access: [getItem(labTests)],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params }, { labTests }) => {
  const test = await requireLabTest(labTests, scope, params.lab_test_id);
  const lab = findLab(test.lab);
  if (!lab) throw new NotFound("The lab of this test is no longer in the catalogue.");
  const markers = markersOf(test, await loadLabCatalogue());
  const sample = sampleTypeOf(test.method, lab, markers);
  const names = markers.map(({ wire }) => wire.name);
  const facts = instructionFacts(test, sample, names);
  const about = { description: test.description, facts, createdAt: ports().clock.now() };
  return pdfAnswer(
    await drawCollectionInstructions(collectionInstructions(test, lab, sample), about),
    `collection-instructions-${test.lab_test_id}.pdf`,
  );
});
