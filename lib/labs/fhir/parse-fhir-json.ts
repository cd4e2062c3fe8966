import { ReportRefused } from "../../domain/results/lab-report.ts";

/** A decimal as it was written: `5.10` says more than 5.1 (FHIR R4, 2.24.0.1 "decimal"). */
export class Decimal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The member of a Quantity that has a decimal. */
const DECIMAL_MEMBER = "value";

/** A function for `JSON.parse` that also gets the text of a number (ECMAScript, JSON.parse source text access). */
type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

const keepDecimals: Reviver = (name, value, context) =>
  name === DECIMAL_MEMBER && typeof value === "number" ? new Decimal(writeOut(value, context?.source)) : value;

/** Parses JSON, with a {@link Decimal} for each number that is a `value`. @throws ReportRefused for other text. */
export function parseFhirJson(text: string): unknown {
  try {
    return JSON.parse(text, keepDecimals);
  } catch {
    throw new ReportRefused("The message is not valid JSON.");
  }
}

/** The digits as written, without an exponent. */
const writeOut = (value: number, source = String(value)): string => (/e/i.test(source) ? String(value) : source);
