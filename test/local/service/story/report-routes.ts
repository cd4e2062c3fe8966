import type { TestService } from "../../../support/service.ts";
import {
  knownRows,
  openReview,
  reportPdf,
  submitReport,
  unchangedRow,
  unknownRow,
} from "../lab-reports/report-helpers.ts";
import { findFunctionName } from "../support/stored-items.ts";

/**
 * Calls every route of lab reports for the first team.
 * @param before runs before each request.
 * @returns the user of the reports.
 */
export async function callReportRoutes(service: TestService, before: () => Promise<unknown>): Promise<string> {
  const ask = async (method: string, path: string, body?: unknown) => {
    await before();
    const answer = await service.call(method, `/lab_report/v1${path}`, body === undefined ? {} : { body });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const user_id = await service.createUser("who has every report");
  const file = await reportPdf([...knownRows, unknownRow]);
  // One message is lost, and the sweeper starts its job.
  const submitting = { service: "sqs", function: findFunctionName(service, "parserCreateJob") } as const;
  service.cloud.faults.add({ ...submitting, mode: "fail_before", every_attempt: true });
  await before();
  // A form without files is refused, but the console looks its session up.
  await service.call("POST", "/lab_report/v1/parser/job", { body: {} });
  const { body: lost } = await submitReport(service, { user_id, files: [file], needs_human_review: true });
  service.cloud.faults.clear();
  await service.advance(3 * 60_000);
  await ask("GET", `/parser/job/${lost.id}`);
  const { data: waiting } = await ask("GET", "/waiting_reports");
  if (waiting[0]?.job_id !== lost.id) throw new Error("the report that waits for a review is not listed");
  const { job, uploads } = await ask("POST", "/parser/upload", { user_id, files: [{ size: file.length }] });
  await fetch(uploads[0].url, { method: "PUT", body: Uint8Array.from(file) });
  await ask("POST", `/parser/job/${job.id}/start`);
  await service.settle();
  await before();
  const reviewer = await openReview(service, lost.id);
  const review = async (method: string, path: string, body?: unknown) => {
    await before();
    const answer = await reviewer.ask(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await fetch(reviewer.url);
  await review("GET", "file/0/0");
  const { data } = await review("GET", "loinc?query=glucose");
  const { version, data: read } = await review("GET", "report");
  const results = read.results.map(unchangedRow);
  results[results.length - 1].loinc_code = data[0].loinc_code;
  await review("POST", "accept", { version, metadata: read.metadata, results });
  await ask("GET", `/results?user_id=${user_id}`);
  return user_id;
}
