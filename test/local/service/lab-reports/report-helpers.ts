import PDFDocument from "pdfkit";
import { reportParses } from "../../../../lib/contract/queues.ts";
import { locateResource } from "../../../../lib/runtime/aws/aws.ts";
import type { Answer, TestService } from "../../../support/service.ts";

/** A printed row of results: test, result, flag, units, range. */
export type PrintedRow = readonly [string, string, string, string, string];

/** Rows that every laboratory prints. */
export const knownRows: readonly PrintedRow[] = [
  ["Glucose", "112", "H", "mg/dL", "65-99"],
  ["Creatinine", "0.88", "", "mg/dL", "0.57-1.00"],
  ["Sodium", "140", "", "mmol/L", "134-144"],
  ["Potassium", "4.4", "", "mmol/L", "3.5-5.2"],
];
/** A test name that no list of names contains. */
export const unknownRow: PrintedRow = ["Zymothrexin", "17", "", "mg/dL", "10-40"];

const columns = [50, 230, 300, 350, 430];
const head = [
  "Example Reference Laboratory",
  "Patient Name: Ada Sample    DOB: 05/17/1990    Gender: Female",
  "Date Collected: 05/01/2026    Date Reported: 05/02/2026    Specimen ID: S-1001",
];

/** Creates a report as a PDF with text. @param padding bytes of a stream that no page shows. */
export function reportPdf(rows: readonly PrintedRow[], padding = 0): Promise<Buffer> {
  return writePdf((document) => {
    document.fontSize(10);
    for (const [place, text] of head.entries()) document.text(text, 50, 50 + 18 * place, { lineBreak: false });
    const table = [["Test", "Result", "Flag", "Units", "Reference Range"], ...rows];
    for (const [place, cells] of table.entries()) {
      for (const [column, text] of cells.entries()) {
        document.text(text, columns[column], 130 + 18 * place, { lineBreak: false });
      }
    }
    document.text("This report is the final report of the laboratory for this patient.", 50, 700, { lineBreak: false });
    if (padding > 0) document.ref({}).end(Buffer.alloc(padding, " "));
  });
}

/** Creates a report as a PDF with only an image of its page. */
export const scannedPdf = (picture: Uint8Array): Promise<Buffer> =>
  writePdf((document) => document.image(Buffer.from(picture), 0, 0, { width: 612 }));

async function writePdf(draw: (document: PDFKit.PDFDocument) => unknown): Promise<Buffer> {
  const document = new PDFDocument({ size: "LETTER", compress: false });
  const parts: Buffer[] = [];
  document.on("data", (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => document.on("end", resolve));
  draw(document);
  document.end();
  await ended;
  return Buffer.concat(parts);
}

/** Input of a submitted report. */
export interface Submission {
  readonly user_id?: string;
  readonly needs_human_review?: boolean;
  readonly files?: readonly Uint8Array[];
  /** Team API key; the first team's key by default. */
  readonly key?: string;
}

/** Submits a report as the public client does. */
export async function submitReport(service: TestService, submission: Submission): Promise<Answer> {
  const { files = [], key = service.identity.api_key, ...fields } = submission;
  const form = new FormData();
  for (const file of files) form.append("file", new Blob([Uint8Array.from(file)]), "report");
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  const headers = { "x-service-api-key": key };
  const response = await fetch(`${service.baseUrl}/lab_report/v1/parser/job`, { method: "POST", headers, body: form });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Submits and parses a report of a user. @returns the job afterwards. */
export async function parseReport(service: TestService, submission: Submission): Promise<Answer["body"]> {
  const { status, body } = await submitReport(service, submission);
  if (status !== 200) throw new Error(`not taken: ${status} ${JSON.stringify(body)}`);
  await service.settle();
  return (await readJob(service, body.id, submission.key)).body;
}

export const readJob = (service: TestService, id: string, key?: string) =>
  service.call("GET", `/lab_report/v1/parser/job/${id}`, key === undefined ? {} : { key });

/** Opens the review link of a job. @returns functions that call review routes with it. */
export async function openReview(service: TestService, id: string, key = service.identity.api_key) {
  const { status, body } = await service.call("POST", `/lab_report/v1/parser/job/${id}/review_link`, { key });
  if (status !== 200) throw new Error(`no link: ${JSON.stringify(body)}`);
  const secret = new URL(body.url).hash.slice(1);
  const ask = (method: string, path: string, more?: unknown) =>
    service.call(method, `/lab_report/v1/review/${path}`, {
      key: null,
      headers: { "x-review-link": secret },
      ...(more === undefined ? {} : { body: more }),
    });
  return { url: body.url as string, ask };
}

/** Returns a reviewed row without changes. */
export const unchangedRow = (row: Answer["body"], from: number) => ({
  from,
  test_name: row.test_name,
  value: row.value,
  units: row.units,
  min_reference_range: row.min_reference_range,
  max_reference_range: row.max_reference_range,
  interpretation: row.interpretation,
  loinc_code: row.loinc_match_status === "no_match" ? null : (row.loinc_matches[0]?.loinc_code ?? null),
});

/** Creates a team with these features and a key. */
export async function createTeamWithFeatures(service: TestService, name: string, features: readonly string[]) {
  const team = await service.createTeam(name);
  const path = `/v1/org/${service.identity.org_id}/team/${team.teamId}`;
  const { status } = await service.manage("PATCH", path, { body: { sandbox: { features } } });
  if (status !== 200) throw new Error(`the features of a team could not be set: ${status}`);
  return team;
}

/** Lists the object names of a bucket. */
export async function listObjects(service: TestService, environmentName: string): Promise<string[]> {
  const { origin, authorization } = service.cloud.s3;
  const address = `${origin}/${process.env[environmentName] ?? ""}?list-type=2`;
  const listed = await (await fetch(address, { headers: { authorization } })).text();
  return [...listed.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => key);
}

/** Sends the queue message of a job again. */
export function resendJobMessage(service: TestService, team_id: string, job_id: string): void {
  service.cloud.queues.send(locateResource(reportParses), {
    body: JSON.stringify({ team_id, job_id }),
    groupId: team_id,
  });
}
