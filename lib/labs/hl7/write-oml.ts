import type { PartnerOrder } from "../../domain/orders/lab-partner.ts";
import { header, message, segment, toHl7Time } from "./write.ts";

/** Receiver, control id, time and processing id of a message. */
export interface OmlGround {
  readonly receiver: string;
  readonly control: string;
  readonly at: string;
  readonly processing: "P" | "T";
}

/** Order control code: `NW` for a new order, `CA` for a cancellation. */
type OrderControl = "NW" | "CA";

const genders: Readonly<Record<string, string>> = { female: "F", male: "M", other: "O", unknown: "U" };

/** Writes the OML^O21 message of a new or cancelled order, with one request per test. */
export function writeOml(submitted: PartnerOrder, control: OrderControl, ground: OmlGround): string {
  const { order, placement } = submitted;
  const tests = (order.lab_test.markers ?? []).filter(({ provider_id }) => provider_id !== null);
  return message([
    header({ ...ground, sender: "TRIBUTARY", type: ["OML", "O21", "OML_O21"] }),
    patient(submitted),
    ...(order.clinical_notes === null ? [] : [segment("NTE", ["1", "P", order.clinical_notes])]),
    ...tests.flatMap(({ id, provider_id, name }, index) => [
      segment("ORC", [
        control,
        submitted.requisition,
        "",
        "",
        "",
        "",
        "",
        "",
        toHl7Time(ground.at),
        "",
        "",
        physician(order),
      ]),
      request(submitted, [provider_id, name, "L"], index),
      ...(order.icd_codes ?? []).map((code, place) => segment("DG1", [place + 1, "I10", [code, "", "I10"]])),
      ...answers(placement.aoe_answers, id),
    ]),
  ]);
}

function patient({ order, placement }: PartnerOrder): string {
  const { patient_details: person, patient_address: home } = order;
  const dob = person?.dob.slice(0, 10).replaceAll("-", "");
  return segment("PID", [
    "1",
    "",
    [order.user_id, "", "", "TRIBUTARY"],
    "",
    [person?.last_name, person?.first_name],
    "",
    dob,
    genders[person?.gender ?? ""] ?? "U",
    "",
    "",
    [home?.first_line, home?.second_line, home?.city, home?.state, home?.zip, home?.country],
    "",
    person?.phone_number,
    "",
    "",
    "",
    "",
    placement.account_number,
  ]);
}

const physician = ({ physician: by }: PartnerOrder["order"]) => (by ? [by.npi, by.last_name, by.first_name] : "");

function request(submitted: PartnerOrder, test: readonly (string | null)[], index: number): string {
  const { order, requisition } = submitted;
  const priority = order.priority ? "S" : "R";
  return segment("OBR", [
    index + 1,
    requisition,
    "",
    test,
    priority,
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    physician(order),
  ]);
}

function answers(given: PartnerOrder["placement"]["aoe_answers"], marker: number): string[] {
  const own = given.filter(({ marker_id }) => marker_id === marker);
  return own.map(({ question_id, answer }, place) =>
    segment("OBX", [place + 1, "ST", [String(question_id), "", "L"], "", answer, "", "", "", "", "", "O"]),
  );
}
