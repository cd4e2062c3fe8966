import { createHash } from "node:crypto";
import type { TestService } from "../../../../support/service.ts";
import { connectAccount, createLinkToken } from "../../connections/link-helpers.ts";
import { sendBatch } from "../../ingest/ingest-batch.ts";
import { knownRows, reportPdf, submitReport } from "../../lab-reports/report-helpers.ts";
import { orderRequest, patientAddress, patientDetails } from "../../orders/order-helpers.ts";
import { acceptReviewOf } from "../../results/result-helpers.ts";

/** Prefix of every canary; no other text contains it. */
const CANARY_PREFIX = "qzxv";
/** Matches all values that a search looks for: ids, canaries and the phone numbers of this file. */
export const SEARCH_PATTERN =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|qzxv[a-p]{16}|\+1602[2-9]\d{6}/gi;

/** A user with a unique value in every field. */
export interface CanaryUser {
  readonly user_id: string;
  /** All text about the user. */
  readonly canaries: ReadonlySet<string>;
}

/** Data of the user besides samples and summaries. */
export interface CanaryUserOptions {
  /** Code of an insurer. */
  readonly payor_code: string;
  readonly order: boolean;
  readonly report: boolean;
  /** Whether a result of the user is accepted by a review. */
  readonly review?: boolean;
  /** Provider to connect an account at. */
  readonly connection?: string;
}

/** Creates the canaries of one user. They contain only letters, because names accept nothing else. */
class CanarySet {
  readonly all = new Set<string>();
  readonly #of: string;

  constructor(of: string) {
    this.#of = of;
  }

  word(field: string): string {
    const digest = createHash("sha256").update(`${this.#of}/${field}`).digest("hex").slice(0, 16);
    const letters = digest.replaceAll(/[0-9a-f]/g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)));
    this.all.add(CANARY_PREFIX + letters);
    return CANARY_PREFIX + letters;
  }

  phone(): string {
    const digest = createHash("sha256").update(this.#of).digest();
    const number = `+1602${2 + (digest.readUInt8() % 8)}${String(digest.readUInt32BE(1) % 1_000_000).padStart(6, "0")}`;
    this.all.add(number);
    return number;
  }
}

/** Creates a payor for the first team. @returns its code. */
export async function createPayor(service: TestService): Promise<string> {
  const { first_line, zip, state, city } = patientAddress;
  const address = { first_line, zip_code: zip, state, city };
  return (await service.call("POST", "/v3/payor", { body: { name: "Zenith Mutual", address } })).body.payor_code;
}

/** Creates a user with a canary in every text field of every store. */
export async function createCanaryUser(
  service: TestService,
  name: string,
  having: CanaryUserOptions,
): Promise<CanaryUser> {
  const marks = new CanarySet(name);
  const ask = async (method: string, path: string, body: unknown) => {
    const answer = await service.call(method, path, { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const user_id = await service.createUser(marks.word("client_user_id"));
  const person = canaryUserInfo(marks);
  await ask("PATCH", `/v2/user/${user_id}/info`, person);
  const insurance = {
    payor_code: having.payor_code,
    member_id: marks.word("member"),
    relationship: "Self",
    insured: person,
  };
  await ask("POST", `/v2/user/${user_id}/insurance`, { ...insurance, group_id: marks.word("group") });
  await sendCanaryBatch(service, user_id, marks);
  await createLinkToken(service, user_id, { redirect_url: `https://app.example.com/${marks.word("redirect")}` });
  await ask("POST", `/v2/user/${user_id}/sign_in_token`, undefined);
  if (having.connection) await connectAccount(service, user_id, marks.word("account"), having.connection);
  if (having.order) {
    const { first_name, last_name, email, phone_number } = person;
    const patient_details = { ...patientDetails, first_name, last_name, email, phone_number };
    const patient_address = { ...patientAddress, access_notes: marks.word("notes") };
    await ask("POST", "/v3/order", orderRequest(user_id, { patient_details, patient_address }));
  }
  if (having.review) await acceptReviewOf(service, user_id, marks.word("patient"));
  if (having.report) {
    const rows = [...knownRows, [marks.word("analyte"), "17", "", "mg/dL", "10-40"] as const];
    await submitReport(service, { user_id, files: [await reportPdf(rows)] });
  }
  return { user_id, canaries: marks.all };
}

function canaryUserInfo(marks: CanarySet) {
  const address = { first_line: marks.word("street"), city: marks.word("city"), state: "AZ", zip_code: "85004" };
  return {
    first_name: marks.word("first"),
    last_name: marks.word("last"),
    email: `${marks.word("email")}@example.com`,
    phone_number: marks.phone(),
    gender: "female",
    dob: "1985-03-14",
    address,
  };
}

/** Sends a batch with text in samples, summaries, their metadata and streams. Does not wait until it is stored. */
async function sendCanaryBatch(service: TestService, userId: string, marks: CanarySet): Promise<void> {
  const [begin, end] = ["2026-05-01T06:00:00Z", "2026-05-01T06:30:00Z"];
  const [workout, sleep] = [marks.word("workout"), marks.word("sleep")];
  const time = [Date.parse(begin) / 1000];
  const resources = {
    note: [{ timestamp: begin, value: marks.word("note") }],
    heartrate: [{ timestamp: begin, value: 61 }],
    activity: [{ calendar_date: "2026-05-01", steps: 1_000 }],
    workouts: [{ provider_id: workout, title: marks.word("title"), time_start: begin, time_end: end }],
    workout_stream: [{ provider_id: workout, time, heartrate: [120] }],
    sleep: [{ provider_id: sleep, bedtime_start: begin, bedtime_stop: end }],
    sleep_stream: [{ provider_id: sleep, hrv: [{ timestamp: begin, value: 40 }] }],
    meal: [{ provider_id: marks.word("meal"), timestamp: begin, name: marks.word("dish") }],
  };
  const recorder = { device: { id: marks.word("device") }, app: { id: marks.word("app") } };
  const { status, body } = await sendBatch(service, userId, resources, recorder);
  if (status !== 202 || body.rejected.length > 0) throw new Error(`not taken: ${JSON.stringify(body)}`);
}
