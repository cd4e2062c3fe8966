import type { PartnerOrder } from "../../domain/orders/lab-partner.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import { formatDay } from "./dates.ts";
import { fullNameOf, UNKNOWN_TEXT } from "./patient.ts";
import { PrintableDocument } from "./printable-document.ts";

/** Options of the notice. */
export interface AdvanceNoticeOptions {
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/**
 * Draws the advance beneficiary notice (ABN), which a patient signs before tests that their health plan may not pay.
 * The wording is this service's own.
 * @returns a PDF document.
 */
export async function drawAdvanceNotice(
  { order, requisition }: Pick<PartnerOrder, "order" | "requisition">,
  { createdAt }: AdvanceNoticeOptions,
): Promise<Buffer> {
  const { lab_test: test, patient_details: patient, physician } = order;
  const sheet = await PrintableDocument.open({
    title: "Your health plan may not pay for these tests",
    kicker: "Advance notice of cost (ABN)",
    createdAt,
    barCode: requisition,
    runningHeader: `${requisition}   ${fullNameOf(patient)}`,
  });
  sheet.facts(
    [
      ["Patient", fullNameOf(patient), "strong"],
      ["Ordering physician", fullNameOf(physician)],
      ["Date of this notice", formatDay(new Date(createdAt).toISOString())],
      ["Laboratory", test.lab?.name ?? UNKNOWN_TEXT],
      ["Requisition", requisition],
    ],
    3,
  );
  sheet.heading("What this is about").paragraph(WHY);
  addCosts(sheet, order);
  sheet.heading("Your choice", 110).paragraph("Tick one. Nobody may choose for you.").checkboxes(CHOICES);
  sheet.heading("Before you sign", 90).paragraph(SIGNING);
  return sheet
    .fillInLines([
      ["Signature of the patient, or of who acts for them", 5],
      ["Name in print", 3],
      ["Date", 2],
    ])
    .finish();
}

function addCosts(sheet: PrintableDocument, { lab_test: test }: Order): void {
  const rows = (test.markers ?? []).map(({ name, provider_id, price }) => [
    name,
    provider_id ?? "",
    price === null ? "Not known" : `$${price}`,
  ]);
  const total = { cells: ["All tests of this order together", "", `$${test.price.toFixed(2)}`], isStrong: true };
  sheet
    .heading("Tests and estimated cost")
    .table(COLUMNS, [...rows, total])
    .note(ESTIMATE);
}

const COLUMNS = [
  { name: "Test", share: 7 },
  { name: "Code", share: 2 },
  { name: "Estimated cost", share: 2, isNumber: true },
];

const WHY =
  "Your physician ordered the tests below. A health plan pays for a test only in the cases that it has set down, such as " +
  "for certain diagnoses, or not more often than it allows. We have reason to believe that yours will not pay for some " +
  "or all of these tests. This does not mean that you do not need them. Please read on before the sample is taken.";

const ESTIMATE =
  "The costs are estimates of what you would pay if your plan pays nothing. A test that follows from the outcome of " +
  "another is listed with its own cost and is not in the sum; it is charged only if it is made.";

const CHOICES = [
  "Do the tests, and ask my health plan to pay. If it does not pay, I will pay for them, and I can appeal its decision. " +
    "If it pays, I get back what I paid, apart from the share that my plan leaves to me.",
  "Do the tests, and do not ask my health plan. I will pay for them, and as the plan is not asked, there is no decision " +
    "that I could appeal.",
  "Do not do the tests. I owe nothing for them, and I will speak with my physician about what to do instead.",
];

const SIGNING =
  "By signing you say that you have read and understood this notice, that your questions were answered, and that you were " +
  "given a copy. It is our opinion, not a decision of your plan; you can ask your plan itself before you decide.";
