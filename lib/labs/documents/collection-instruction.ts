import type { CollectionInstructions } from "../../domain/lab-tests/collection-instructions.ts";
import { collectionMethodText } from "./collection-method.ts";
import { humanizeCode } from "./patient.ts";
import { PrintableDocument } from "./printable-document.ts";

/** Details of the lab test besides the collection steps. */
export interface InstructionDetails {
  readonly description: string;
  readonly facts: readonly (readonly [string, string])[];
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** Draws collection instructions on one page. @returns a PDF document. */
export async function drawCollectionInstructions(
  { title, before, steps, after }: CollectionInstructions,
  { description, facts, createdAt }: InstructionDetails,
): Promise<Buffer> {
  const sheet = await PrintableDocument.open({ title, kicker: "Collection instructions", createdAt });
  sheet.paragraph(description).facts(facts);
  sheet.heading("Before").paragraph(before.join(" "));
  sheet.heading("Step by step").steps(steps);
  return sheet.heading("After").paragraph(after).note(REMARK).finish();
}

/** The introductory details of collection instructions. @param names names of the test's markers. */
export const instructionFacts = (
  { method, fasting }: { readonly method: string; readonly fasting: boolean },
  sample: string,
  names: readonly string[],
): InstructionDetails["facts"] => [
  ["How", collectionMethodText(method)],
  ["Sample", humanizeCode(sample)],
  ["Fasting", fasting ? "Yes, 8 to 12 hours" : "No"],
  ["Tests", names.join(", ")],
];

const REMARK =
  "These are general instructions; where those of the laboratory or of the kit differ, follow those. " +
  "In an emergency call 911.";
