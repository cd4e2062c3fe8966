import { randomUUID } from "node:crypto";
import { requisitionNumber } from "../../../../lib/domain/orders/lab-partner.ts";
import { toHl7Time } from "../../../../lib/labs/hl7/write-message.ts";
import type { Answer, TestService } from "../../../support/service.ts";
import { patientDetails, placeOrder, simulateOrder } from "../orders/order-helpers.ts";

type Order = Answer["body"];

/** Creates a key with which a laboratory sends reports to a team, by default the first team. */
export async function createLabKey(
  service: TestService,
  lab = "quest",
  team_id = service.identity.team_id,
): Promise<string> {
  const { org_id } = service.identity;
  const path = `/v1/org/${org_id}/team_api_keys/sandbox/us`;
  const made = await service.manage("POST", path, { body: { label: `reports of ${lab}`, team_id, lab } });
  if (made.status !== 200) throw new Error(JSON.stringify(made.body));
  return made.body.value;
}

/** Places an order that can receive its result. */
export async function createOpenOrder(
  service: TestService,
  userId: string,
  more: Record<string, unknown> = {},
): Promise<Order> {
  const order = await placeOrder(service, userId, more);
  return simulateOrder(service, order.id, "?final_status=received.walk_in_test.requisition_created");
}

/** Contents of an HL7 message. */
export interface OruMessageOptions {
  readonly control: string;
  readonly requisition?: string;
  readonly report?: string;
  readonly sample?: string;
  /** OBR-25: F, C or P. */
  readonly status?: string;
  readonly last_name?: string;
  /** LOINC code of the value; glucose by default. */
  readonly loinc?: string;
  readonly value?: string;
  readonly flag?: string;
  readonly reported?: string;
  /** MSH-7; the time of the report by default. */
  readonly sent?: string;
  readonly dob?: string;
}

/** Creates a message of results as a laboratory sends it. */
export function createOruMessage({
  control,
  requisition = "",
  report = `R-${control}`,
  sample = "",
  ...wish
}: OruMessageOptions): string {
  const {
    status = "F",
    last_name = patientDetails.last_name,
    loinc = "2345-7",
    value = "85",
    flag = "",
    dob = patientDetails.dob,
  } = wish;
  const reported = toHl7Time(wish.reported ?? "2026-05-01T08:00:00Z");
  const sent = toHl7Time(wish.sent ?? wish.reported ?? "2026-05-01T08:00:00Z");
  return [
    `MSH|^~\\&|LIS|LAB|TRIBUTARY||${sent}||ORU^R01^ORU_R01|${control}|P|2.5.1`,
    `PID|1||P-1^^^LAB||${last_name}^${patientDetails.first_name}||${dob.replaceAll("-", "")}|F`,
    `OBR|1|${requisition}|${report}|90546^General wellness^L|||${reported}|||||||||||||||${reported}|||${status}`,
    `OBX|1|NM|${loinc}^Glucose^LN||${value}|mg/dL|70-99|${flag}|||${status}`,
    ...(sample === "" ? [] : [`SPM|1|${sample}`]),
    "",
  ].join("\r");
}

/** Returns a sender of a laboratory's messages. @returns status, acknowledgement code and texts. */
export const createLabSender = (service: TestService, key: string) => async (text: string) => {
  const headers = { "x-lab-key": key, "content-type": "application/hl7-v2" };
  const answer = await service.call("POST", "/v3/lab_result", { body: text, key: null, headers });
  const code = /MSA\|(\w\w)/.exec(String(answer.body))?.[1];
  return { ...answer, code };
};

export const requisitionOf = ({ id }: Order): string => requisitionNumber(id);

/**
 * Places an order of a patient with a unique last name, sends a report that names the patient alone, and accepts the
 * review of it. @returns the order.
 */
export async function acceptReviewOf(service: TestService, userId: string, last_name: string): Promise<Order> {
  const order = await createOpenOrder(service, userId, { patient_details: { ...patientDetails, last_name } });
  const send = createLabSender(service, await createLabKey(service));
  const { code } = await send(createOruMessage({ control: randomUUID(), last_name }));
  const found = await service.call("GET", `/v3/unmatched_result?search_input=${last_name}`);
  const path = `/v3/unmatched_result/${found.body.data[0]?.id}/accept`;
  const { status, body } = await service.call("POST", path, { body: { order_id: order.id } });
  if (code !== "AA" || status !== 200) throw new Error(`not accepted: ${code} ${JSON.stringify(body)}`);
  await service.settle();
  return order;
}
