import type { PartnerOrder } from "../../domain/orders/lab-partner.ts";
import { numberedFields, toHl7Time, writeHeader, writeMessage, writeSegment } from "./write-message.ts";

/** Receiver, control id, time and processing id of a message. */
export interface OmlContext {
  readonly receiver: string;
  readonly control: string;
  readonly at: string;
  readonly processing: "P" | "T";
}

/** Order control code: `NW` for a new order, `CA` for a cancellation. */
type OrderControl = "NW" | "CA";

/** Type of the diagnosis for which a test is ordered (HL7 table 0052). DG1-6 is required. */
const WORKING_DIAGNOSIS = "W";

const genders: Readonly<Record<string, string>> = { female: "F", male: "M", other: "O", unknown: "U" };

/** Writes the OML^O21 message of a new or cancelled order, with one request per test. */
export function writeOml(submitted: PartnerOrder, control: OrderControl, context: OmlContext): string {
  const { order, placement } = submitted;
  const tests = (order.lab_test.markers ?? []).filter(({ provider_id }) => provider_id !== null);
  return writeMessage([
    writeHeader({ ...context, sender: "TRIBUTARY", type: ["OML", "O21", "OML_O21"] }),
    patient(submitted),
    ...(order.clinical_notes === null ? [] : [writeSegment("NTE", ["1", "P", order.clinical_notes])]),
    ...tests.flatMap(({ id, provider_id, name }, index) => [
      writeSegment(
        "ORC",
        numberedFields({ 1: control, 2: submitted.requisition, 9: toHl7Time(context.at), 12: physician(order) }),
      ),
      request(submitted, [provider_id, name, "L"], index),
      ...(order.icd_codes ?? []).map((code, place) =>
        writeSegment("DG1", [place + 1, "I10", [code, "", "I10"], "", "", WORKING_DIAGNOSIS]),
      ),
      ...answers(placement.aoe_answers, id),
    ]),
  ]);
}

function patient({ order, placement }: PartnerOrder): string {
  const { patient_details: person, patient_address: home } = order;
  const dob = person?.dob.slice(0, 10).replaceAll("-", "");
  const fields = {
    1: "1",
    3: [order.user_id, "", "", "TRIBUTARY"],
    5: [person?.last_name, person?.first_name],
    7: dob,
    8: genders[person?.gender ?? ""] ?? "U",
    11: [home?.first_line, home?.second_line, home?.city, home?.state, home?.zip, home?.country],
    13: person?.phone_number,
    18: placement.account_number,
  };
  return writeSegment("PID", numberedFields(fields));
}

const physician = ({ physician: by }: PartnerOrder["order"]) => (by ? [by.npi, by.last_name, by.first_name] : "");

function request(submitted: PartnerOrder, test: readonly (string | null)[], index: number): string {
  const { order, requisition } = submitted;
  const priority = order.priority ? "S" : "R";
  const fields = { 1: index + 1, 2: requisition, 4: test, 5: priority, 16: physician(order) };
  return writeSegment("OBR", numberedFields(fields));
}

function answers(given: PartnerOrder["placement"]["aoe_answers"], marker: number): string[] {
  const own = given.filter(({ marker_id }) => marker_id === marker);
  return own.map(({ question_id, answer }, place) =>
    writeSegment(
      "OBX",
      numberedFields({ 1: place + 1, 2: "ST", 3: [String(question_id), "", "L"], 5: answer, 11: "O" }),
    ),
  );
}
