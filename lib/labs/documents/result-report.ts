import { requisitionNumber } from "../../domain/orders/lab-partner.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { ValueState } from "../../domain/results/result-record.ts";
import type { BiomarkerResult, MissingResult, WireResult } from "../../domain/results/wire-result.ts";
import { formatInstant } from "./dates.ts";
import { humanizeCode, UNKNOWN_TEXT } from "./patient.ts";
import { type Fact, PrintableDocument } from "./printable-document.ts";
import type { TableRow } from "./table.ts";

/** Data of a report besides the result. */
export interface ResultReportOptions {
  /** State of each result, in order; see statesOf. */
  readonly states: readonly ValueState[];
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** Draws the result of an order for the patient and the physician. @returns a PDF document. */
export async function drawResultReport(
  order: Order,
  result: WireResult,
  { states, createdAt }: ResultReportOptions,
): Promise<Buffer> {
  const { metadata, results, missing_results } = result;
  const sheet = await PrintableDocument.open({
    title: order.lab_test.name,
    kicker: "Laboratory result",
    createdAt,
    notices: marksOf(result, states),
    runningHeader: `${metadata.patient || UNKNOWN_TEXT}   born ${metadata.dob || UNKNOWN_TEXT}   sample ${metadata.specimen_number || UNKNOWN_TEXT}`,
  });
  sheet.facts(facts(order, result), 3);
  addSamples(sheet, result);
  const place = mainLaboratory(results);
  const rows = results.map((value, index) => rowOf(value, states[index] ?? "final", place));
  if (rows.length === 0) sheet.heading("Results").paragraph("The laboratory has reported no values yet.");
  else sheet.heading("Results").table(COLUMNS, rows);
  if (missing_results && missing_results.length > 0) addMissing(sheet, missing_results);
  if (place !== null) sheet.note(`Tested at ${place}, unless the test names another laboratory.`);
  return sheet.note(READING).finish();
}

const COLUMNS = [
  { name: "Test", share: 4.3 },
  { name: "Result", share: 2.2, isNumber: true },
  { name: "Unit", share: 2.2 },
  { name: "Flag", share: 2.5 },
  { name: "Reference range", share: 2.6 },
];

const READING =
  "Flags compare a value with the reference range that the laboratory gave, which may depend on age and sex; the " +
  "laboratory's own flag is in brackets. A value outside its range is not in itself an illness, nor one within it proof " +
  "of health: please speak about results with your physician.";

function marksOf({ metadata, results }: WireResult, states: readonly ValueState[]): string[] {
  return [
    metadata.status === "partial" ? "PARTIAL - MORE RESULTS TO COME" : metadata.status.toUpperCase(),
    ...(states.includes("corrected") ? ["CORRECTED"] : []),
    ...(results.some(({ interpretation }) => interpretation === "critical") ? ["CRITICAL VALUES"] : []),
  ];
}

function facts(order: Order, { metadata }: WireResult): Fact[] {
  const at = (text: string | null) => (text ? formatInstant(text) : UNKNOWN_TEXT);
  const sex = order.patient_details?.gender;
  const lab = [metadata.laboratory ?? UNKNOWN_TEXT, metadata["clia_#"] && `CLIA ${metadata["clia_#"]}`];
  return [
    ["Patient", metadata.patient || UNKNOWN_TEXT, "strong"],
    ["Date of birth", metadata.age ? `${metadata.dob} (${metadata.age} years)` : metadata.dob || UNKNOWN_TEXT],
    ["Sex", sex ? humanizeCode(sex) : UNKNOWN_TEXT],
    ["Collected", at(metadata.date_collected)],
    ["Received", at(metadata.date_received)],
    ["Reported", at(metadata.date_reported)],
    ["Ordering physician", metadata.provider ?? UNKNOWN_TEXT],
    ["Laboratory", lab.filter(Boolean).join("\n")],
    ["Sample number", metadata.specimen_number || UNKNOWN_TEXT],
    ["Requisition", requisitionNumber(order.id)],
    ["Account", metadata.account_id ?? UNKNOWN_TEXT],
    ["Patient number", metadata.patient_id ?? UNKNOWN_TEXT],
  ];
}

/** For a single sample, the facts above state everything. */
function addSamples(sheet: PrintableDocument, { sample_information }: WireResult): void {
  const samples = Object.entries(sample_information ?? {});
  if (samples.length < 2) return;
  const at = (text: string | null) => (text ? formatInstant(text) : "");
  const names = ["Sample", "Collected", "Received", "Reported"];
  sheet.heading("Samples").table(
    names.map((name) => ({ name, share: 1 })),
    samples.map(([id, sample]) => [
      sample.sample_id ?? id,
      at(sample.date_collected),
      at(sample.date_received),
      at(sample.date_reported),
    ]),
  );
}

/** The laboratory of most values. */
function mainLaboratory(results: readonly BiomarkerResult[]): string | null {
  const places = results.flatMap(({ performing_laboratory: place }) => place ?? []);
  const count = (place: string) => places.filter((other) => other === place).length;
  return [...new Set(places)].toSorted((a, b) => count(b) - count(a))[0] ?? null;
}

const stateWords: Readonly<Record<ValueState, string>> = {
  preliminary: " (preliminary)",
  final: "",
  corrected: " (corrected)",
};
/** Maximum length of a value in its column; a longer text follows below the row. */
const MAX_CELL_VALUE_LENGTH = 28;

function rowOf(value: BiomarkerResult, state: ValueState, usual: string | null): TableRow {
  const { name, result, unit, reference_range, notes, performing_laboratory: place } = value;
  const isText = result.length > MAX_CELL_VALUE_LENGTH || result.includes("\n");
  const below = [isText ? result : null, notes, place && place !== usual ? `Tested at ${place}` : null].filter(Boolean);
  return {
    cells: [
      `${name}${stateWords[state]}`,
      isText ? "See below" : result,
      unit ?? "",
      flagOf(value),
      reference_range ?? "",
    ],
    isStrong: ["abnormal", "critical"].includes(value.interpretation),
    below: below.join("\n"),
  };
}

function flagOf(value: BiomarkerResult): string {
  const { interpretation, source_interpretation, is_above_max_range, is_below_min_range } = value;
  const side = is_above_max_range ? "high" : is_below_min_range ? "low" : "";
  const isOutside = interpretation === "abnormal" || interpretation === "critical";
  const words = interpretation === "critical" ? `critical ${side}` : side || "abnormal";
  const own = source_interpretation && `(${source_interpretation})`;
  return [isOutside ? humanizeCode(words.trim()) : "", own].filter(Boolean).join(" ");
}

function addMissing(sheet: PrintableDocument, missing: readonly MissingResult[]): void {
  const columns = [
    { name: "Test", share: 5 },
    { name: "Why there is no result", share: 5 },
  ];
  const rows = missing.map(({ name, inferred_failure_type: type, note }) => ({
    cells: [name, failures[type] ?? humanizeCode(type)],
    below: note ?? "",
  }));
  sheet.heading("Missing results").table(columns, rows);
}

const failures: Readonly<Record<string, string>> = {
  quantity_not_sufficient_failure: "Too little of the sample",
  insufficient_volume: "Too little of the sample",
  collection_process_failure: "The sample was not usable as it was taken",
  drop_off_failure: "The sample came too late",
  internal_lab_failure: "A fault at the laboratory",
  order_entry_failure: "A mistake in the order",
  non_failure: "Not needed",
  patient_condition_failure: "Something in the sample disturbed the test",
  missing_result_calc_failure: "It could not be calculated",
  missing_demo_aoe_calc_failure: "Facts about the patient were missing",
  unknown_failure: "The laboratory gave no reason",
};
