import type { BillingType } from "../../domain/lab-tests/lab-account.ts";
import type { PartnerOrder } from "../../domain/orders/lab-partner.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { BilledInsurance } from "../../domain/orders/placement/billed-insurance.ts";
import { printsClinicalNotes } from "../../domain/orders/placement/clinical-notes.ts";
import type { OrderPlacement } from "../../domain/orders/placement/order-placement.ts";
import { collectionMethodText } from "./collection-method.ts";
import { formatInstant } from "./dates.ts";
import { birthDateOf, formatAddress, fullNameOf, humanizeCode, UNKNOWN_TEXT } from "./patient.ts";
import { type Fact, PrintableDocument } from "./printable-document.ts";

/** Data of a requisition besides the order. */
export interface RequisitionOptions {
  /** The insurance that pays, if any. */
  readonly insurance: BilledInsurance | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/**
 * Draws the requisition of an order, with all data that a laboratory needs to collect and test the sample.
 * @returns a PDF document.
 */
export async function drawRequisition(submitted: PartnerOrder, about: RequisitionOptions): Promise<Buffer> {
  const { order, placement, requisition } = submitted;
  const { lab_test: test } = order;
  const sheet = await PrintableDocument.open({
    title: test.name,
    kicker: "Laboratory requisition",
    createdAt: about.createdAt,
    notices: [...(order.priority ? ["PRIORITY"] : []), ...(test.fasting ? ["FASTING"] : [])],
    barCode: requisition,
    runningHeader: `${requisition}   ${fullNameOf(order.patient_details)}   born ${birthDateOf(order)}`,
  });
  sheet.heading("Patient").facts(patientFacts(order), 3);
  sheet.heading("Order").facts(orderFacts(submitted), 3);
  sheet.heading("Billing").facts(billingFacts(order, about.insurance), 3);
  addTests(sheet, order);
  addAnswers(sheet, order, placement);
  const notes = printsClinicalNotes(test.lab?.slug) ? order.clinical_notes : null;
  if (notes) sheet.heading("Clinical notes", 40).paragraph(notes);
  sheet.heading("Collection", 60).fillInLines([
    ["Collected by", 4],
    ["Date", 2],
    ["Time", 2],
    ["Hours since last meal", 2],
  ]);
  return sheet.finish();
}

function patientFacts({ patient_details: patient, patient_address: home, ...order }: Order): Fact[] {
  const facts: Fact[] = [
    ["Name", fullNameOf(patient), "strong"],
    ["Date of birth", birthDateOf({ ...order, patient_details: patient, patient_address: home })],
    ["Sex", patient ? humanizeCode(patient.gender) : UNKNOWN_TEXT],
    ["Address", formatAddress(home)],
    ["Phone", patient?.phone_number ?? UNKNOWN_TEXT],
  ];
  const guarantor = patient?.medical_proxy;
  if (guarantor) {
    const { address, phone_number } = guarantor;
    facts.push(["Guarantor", [fullNameOf(guarantor), formatAddress(address), phone_number].join("\n")]);
  }
  return facts;
}

function orderFacts({ order, placement }: PartnerOrder): Fact[] {
  const { lab_test: test, physician } = order;
  const sample = humanizeCode(test.sample_type);
  const facts: Fact[] = [
    ["Ordering physician", physician ? `${fullNameOf(physician)}\nNPI ${physician.npi}` : UNKNOWN_TEXT],
    ["Laboratory", test.lab ? laboratoryText(test.lab) : UNKNOWN_TEXT],
    ["Account", placement.account_number],
    ["Ordered", formatInstant(order.created_at)],
    ["Collection", collectionMethodText(test.method)],
    ["Sample", order.sample_id === null ? sample : `${sample}\n${order.sample_id}`],
  ];
  if (test.fasting) facts.push(["Fasting", "Yes, 8 to 12 hours"]);
  if (order.activate_by !== null) facts.push(["Not before", order.activate_by]);
  return facts;
}

const laboratoryText = ({ name, first_line_address, city, zipcode }: NonNullable<Order["lab_test"]["lab"]>): string =>
  `${name}\n${first_line_address}\n${city} ${zipcode}`;

const payers: Readonly<Record<BillingType, string>> = {
  client_bill: "Client account",
  commercial_insurance: "Insurance",
  patient_bill_passthrough: "Patient, through the client",
  patient_bill: "Patient",
};

function billingFacts(order: Order, insurance: BilledInsurance | null): Fact[] {
  const facts: Fact[] = [
    ["Bill to", payers[order.billing_type] ?? humanizeCode(order.billing_type)],
    ["Diagnoses (ICD-10)", order.icd_codes?.join(", ") || UNKNOWN_TEXT],
    ["Advance notice (ABN)", order.has_abn ? "Needed" : "Not needed"],
  ];
  if (order.billing_type !== "commercial_insurance" || !insurance) return facts;
  const { company, payor_code, member_id, group_id, relationship, insured } = insurance;
  return [
    ...facts,
    ["Insurance", `${company.name}\nPayor ${payor_code}`],
    ["Member", group_id === null ? member_id : `${member_id}\nGroup ${group_id}`],
    ["Insured", `${fullNameOf(insured)}\nPatient is: ${relationship}`],
  ];
}

function addTests(sheet: PrintableDocument, { lab_test: test }: Order): void {
  const rows = (test.markers ?? []).map(({ provider_id, name, type }, index) => [
    String(index + 1),
    provider_id ?? "",
    name,
    humanizeCode(type ?? ""),
  ]);
  const columns = [
    { name: "No.", share: 0.7 },
    { name: "Code", share: 2 },
    { name: "Test", share: 8 },
    { name: "Kind", share: 1.8 },
  ];
  sheet.heading("Tests").table(columns, rows);
}

function addAnswers(sheet: PrintableDocument, { lab_test: test }: Order, { aoe_answers }: OrderPlacement): void {
  const rows = (test.markers ?? []).flatMap(({ id, name, aoe }) =>
    (aoe?.questions ?? []).flatMap((question) => {
      const given = aoe_answers.find(({ marker_id, question_id }) => marker_id === id && question_id === question.id);
      return given ? [[name, question.value, answerText(question.answers, given.answer)]] : [];
    }),
  );
  if (rows.length === 0) return;
  const columns = [
    { name: "Test", share: 4 },
    { name: "Question", share: 4 },
    { name: "Answer", share: 3 },
  ];
  sheet.heading("Questions at order entry").table(columns, rows);
}

/** The text of the selected answers; an answer without a matching option stays as it is. */
function answerText(choices: readonly { readonly code: string; readonly value: string }[], answer: string): string {
  if (choices.length === 0) return answer;
  const words = (code: string) => choices.find((choice) => choice.code === code)?.value ?? code;
  return answer
    .split(",")
    .map((code) => words(code.trim()))
    .join(", ");
}
