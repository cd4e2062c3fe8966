import { get } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labTestParams, nothing, pdf } from "../../lib/contract/parts.ts";
import { labTests } from "../../lib/contract/resources.ts";
import { collectionInstructions } from "../../lib/domain/lab-tests/collection-instructions.ts";
import { markersOf, sampleTypeOf } from "../../lib/domain/lab-tests/lab-test.ts";
import { labOf } from "../../lib/domain/lab-tests/labs.ts";
import { drawCollectionInstructions, instructionFacts } from "../../lib/labs/documents/collection-instruction.ts";
import { pdfAnswer } from "../../lib/runtime/answer.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { labCatalogue } from "../../lib/runtime/lab-catalogue.ts";
import { requireLabTest } from "../../lib/runtime/lab-tests.ts";
import { ports } from "../../lib/runtime/ports.ts";

/** Returns the collection instructions of a lab test as a page for the patient. */
export const contract = endpoint({
  operationId: "getLabTestCollectionInstructionPdf",
  method: "GET",
  path: "/v3/lab_test/{lab_test_id}/collection_instruction_pdf",
  tag: "lab-tests",
  summary: "Retrieve collection instructions of a lab test (PDF)",
  auth: "team",
  params: labTestParams,
  query: nothing,
  response: pdf,
  errors: [NotFound],
  access: [get(labTests)],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params }, { labTests }) => {
  const test = await requireLabTest(labTests, scope, params.lab_test_id);
  const lab = labOf(test.lab);
  if (!lab) throw new NotFound("The lab of this test is no longer in the catalogue.");
  const markers = markersOf(test, await labCatalogue());
  const sample = sampleTypeOf(test.method, lab, markers);
  const names = markers.map(({ wire }) => wire.name);
  const facts = instructionFacts(test, sample, names);
  const about = { description: test.description, facts, madeAt: ports().clock.now() };
  return pdfAnswer(
    await drawCollectionInstructions(collectionInstructions(test, lab, sample), about),
    `collection-instructions-${test.lab_test_id}.pdf`,
  );
});
