import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { labReports } from "../../../../lib/contract/resources.ts";
import { locateResource } from "../../../../lib/runtime/aws/aws.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import {
  createEngineClient,
  findFunctionName,
  findItemsContaining,
  findItemsOutsideAccessLog,
} from "../support/stored-items.ts";
import {
  createTeamWithFeatures,
  knownRows,
  listObjects,
  openReview,
  parseReport,
  readJob,
  reportPdf,
  resendJobMessage,
  submitReport,
  unchangedRow,
  unknownRow,
} from "./report-helpers.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const UNKNOWN = "5b1d6f0e-0000-4000-8000-000000000000";
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let service: TestService;
let pdf: Buffer;
beforeAll(async () => {
  [service, pdf] = await Promise.all([TestService.start(), reportPdf(knownRows)]);
});
afterAll(() => service.stop());

const eventsOf = async (id: string, verb: string) => {
  const received = await service.inbox(`lab_report.parsing_job.${verb}`);
  return received.map(({ body }) => body).filter(({ data }) => data.id === id);
};
const resultsOf = (userId: string, more = "", options = {}) =>
  service.call("GET", `/lab_report/v1/results?user_id=${userId}${more}`, options);

/** Expects the one error shape. */
function expectRefusal(answer: Answer, status: number, code: string) {
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(answer.body).toMatchObject({ detail: expect.anything(), request_id: expect.any(String) });
}

describe("a lab report", () => {
  test("is accepted, parsed and sent as events [endpoints-known-by-name-06] [endpoints-known-by-name-07] [events-30] [events-31] [versioning-01]", async () => {
    const user_id = await service.createUser("reported");
    const taken = await submitReport(service, { user_id, files: [pdf] });
    expect(taken).toMatchObject({
      status: 200,
      body: {
        status: "upload_pending",
        failure_reason: null,
        data: null,
        needs_human_review: false,
        is_reviewed: false,
      },
    });
    await service.settle();
    const { body } = await readJob(service, taken.body.id);
    expect(body).toMatchObject({
      id: taken.body.id,
      job_id: taken.body.id,
      status: "completed",
      failure_reason: null,
      is_reviewed: false,
    });
    expect(body.data.metadata).toMatchObject({ patient_last_name: "Sample", dob: "1990-05-17" });
    expect(body.data.results.map(({ test_name, value }: Answer["body"]) => [test_name, value])).toEqual(
      knownRows.map(([name, value]) => [name, value]),
    );
    expect(body.data.results[0]).toMatchObject({ interpretation: "abnormal", loinc_match_status: "auto_match" });
    expect(await eventsOf(body.id, "created")).toMatchObject([{ user_id, data: { status: "started", data: null } }]);
    expect(await eventsOf(body.id, "updated")).toMatchObject([{ user_id, data: body }]);
  });

  test("without a form, a file or a user is refused, and creates no job", async () => {
    const user_id = await service.createUser("refused");
    const json = await service.call("POST", "/lab_report/v1/parser/job", { body: { user_id } });
    expectRefusal(json, 400, "malformed_body");
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    for (const body of [
      "",
      "--x\r\n",
      "nothing of a form",
      '--x\r\ncontent-disposition: form-data; name="file"\r\n\r\n1',
    ])
      expectRefusal(await service.call("POST", "/lab_report/v1/parser/job", { body, headers }), 400, "malformed_body");
    expectRefusal(await submitReport(service, { user_id }), 422, "validation_failed");
    expectRefusal(await submitReport(service, { files: [pdf] }), 422, "validation_failed");
    expectRefusal(await submitReport(service, { user_id: "nobody", files: [pdf] }), 422, "validation_failed");
    expectRefusal(await submitReport(service, { user_id: UNKNOWN, files: [pdf] }), 404, "user_not_found");
    expect(await findItemsContaining(service, `of#${user_id}`)).toEqual([]);
  });

  test("with invalid files is refused with the reason [limits-10]", async () => {
    const user_id = await service.createUser("bad files");
    const encrypted = Buffer.concat([pdf, Buffer.from("trailer << /Encrypt 5 0 R >>")]);
    const bad: (readonly Uint8Array[])[] = [
      [Buffer.from("GIF89a, a picture")],
      [Buffer.alloc(0)],
      [encrypted],
      [pdf, PNG],
      [pdf, pdf],
      Array.from({ length: 9 }, () => PNG),
    ];
    for (const files of bad) {
      const answer = await submitReport(service, { user_id, files });
      expectRefusal(answer, 400, "report_refused");
      expect(answer.body.detail).toMatch(/^[A-Z].*\.$/);
    }
    expect(await listObjects(service, "BUCKET_REPORT_FILES")).not.toContainEqual(expect.stringContaining(user_id));
  });

  test("of doubtful quality waits for a review, even without a request for one", async () => {
    const user_id = await service.createUser("doubtful");
    const [first, ...others] = knownRows;
    const file = await reportPdf([...others, ["Glucose", "11200", "H", "mg/dL", "65-99"], first!]);
    const job = await parseReport(service, { user_id, files: [file] });
    expect(job).toMatchObject({ status: "pending_review", needs_human_review: false, data: null });
    const { body } = await (await openReview(service, job.id)).ask("GET", "report");
    expect(body.doubts[others.length]).toContain("implausible_value");
    expect(body.doubts[0]).toEqual([]);
  });

  test("with a damaged file ends as failed, with the reason [other-states-04]", async () => {
    const user_id = await service.createUser("damaged");
    const job = await parseReport(service, { user_id, files: [pdf.subarray(0, 400)] });
    expect(job).toMatchObject({ status: "failed", failure_reason: "invalid_input", data: null });
    expect(await eventsOf(job.id, "updated")).toMatchObject([{ data: { failure_reason: "invalid_input" } }]);
    expect((await resultsOf(user_id)).body).toEqual({ data: [], next_cursor: null });
  });

  test("needs the parsing feature of the team, and a review needs the review feature [versioning-09]", async () => {
    const without = await service.createTeam("Without reports");
    const other = await service.createUser("theirs", without.key);
    expectRefusal(await submitReport(service, { user_id: other, files: [pdf], key: without.key }), 403, "forbidden");
    const { key } = await createTeamWithFeatures(service, "Without reviews", ["lab_report_parsing"]);
    const user_id = await service.createUser("theirs", key);
    const asked = { user_id, files: [pdf], key, needs_human_review: true };
    expectRefusal(await submitReport(service, asked), 400, "not_possible");
    expect((await parseReport(service, { ...asked, needs_human_review: false })).status).toBe("completed");
  });

  test("is unknown to other teams", async () => {
    const { key } = await createTeamWithFeatures(service, "Others", ["lab_report_parsing", "lab_report_human_review"]);
    const user_id = await service.createUser("private");
    const { id } = await parseReport(service, { user_id, files: [pdf], needs_human_review: true });
    const paths: [string, string][] = [
      ["GET", `/job/${id}`],
      ["POST", `/job/${id}/start`],
      ["POST", `/job/${id}/review_link`],
    ];
    for (const [method, path] of paths)
      expectRefusal(await service.call(method, `/lab_report/v1/parser${path}`, { key }), 404, "not_found");
    expectRefusal(await resultsOf(user_id, "", { key }), 404, "user_not_found");
    expectRefusal(await submitReport(service, { user_id, files: [pdf], key }), 404, "user_not_found");
  });

  test("is limited to 300 in a sandbox, and a failed job frees a place", { tags: "deep" }, async () => {
    const { key, teamId } = await createTeamWithFeatures(service, "Full", ["lab_report_parsing"]);
    const user_id = await service.createUser("many", key);
    const item = { pk: `${labReports.keyPrefix}${teamId}`, sk: "count", taken: 299 };
    const client = createEngineClient(service);
    await client.send(new PutCommand({ TableName: locateResource(labReports), Item: item }));
    client.destroy();
    const atOnce = Array.from({ length: 4 }, () =>
      submitReport(service, { user_id, files: [pdf.subarray(0, 400)], key }),
    );
    const answers = await Promise.all(atOnce);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403, 403]);
    await service.settle();
    expect((await parseReport(service, { user_id, files: [pdf], key })).status).toBe("completed");
    expectRefusal(await submitReport(service, { user_id, files: [pdf], key }), 403, "quota_reached");
  });
});

describe("files that exceed the limit of a request", () => {
  test("are refused with the advice to use upload URLs [limits-11]", async () => {
    const user_id = await service.createUser("big");
    const answer = await submitReport(service, { user_id, files: [await reportPdf(knownRows, 4_500_000)] });
    expectRefusal(answer, 413, "body_too_large");
    expect(answer.body.detail).toContain("/lab_report/v1/parser/upload");
    // Beyond this size the gateway itself refuses, locally as on AWS.
    for (const bytes of [5_000_000, 11_000_000])
      expectRefusal(await submitReport(service, { user_id, files: [Buffer.alloc(bytes)] }), 413, "body_too_large");
  });

  test("are uploaded to URLs that accept exactly their size, and are then parsed", { tags: "deep" }, async () => {
    const user_id = await service.createUser("sent");
    const file = await reportPdf(knownRows, 9_000_000);
    const draft = { user_id, files: [{ size: file.length }] };
    const opened = await service.call("POST", "/lab_report/v1/parser/upload", { body: draft });
    expect(opened).toMatchObject({ status: 200, body: { job: { status: "upload_pending" } } });
    const { job, uploads } = opened.body;
    const start = () => service.call("POST", `/lab_report/v1/parser/job/${job.id}/start`);
    expectRefusal(await start(), 400, "not_possible");
    const send = async (content: Buffer) =>
      (await fetch(uploads[0].url, { method: "PUT", body: Uint8Array.from(content) })).status;
    expect(await send(Buffer.concat([file, Buffer.from(" ")]))).toBe(403);
    expectRefusal(await start(), 400, "not_possible");
    expect(await send(file)).toBe(200);
    expect(await start()).toMatchObject({ status: 200, body: { id: job.id, status: "started" } });
    await service.settle();
    expect(await start()).toMatchObject({ status: 200, body: { id: job.id, status: "completed" } });
    expect(await eventsOf(job.id, "created")).toHaveLength(1);
  });

  test("have at most 10,000,000 bytes, and an upload URL is valid for an hour", async () => {
    const user_id = await service.createUser("too big");
    const open = (size: number) =>
      service.call("POST", "/lab_report/v1/parser/upload", { body: { user_id, files: [{ size: 1 }, { size }] } });
    expectRefusal(await open(10_000_000), 413, "body_too_large");
    const { job, uploads } = (await open(9_999_999)).body;
    await service.advance(3_601_000);
    expect((await fetch(uploads[0].url, { method: "PUT", body: " " })).status).toBe(403);
    expectRefusal(await readJob(service, job.id), 404, "not_found");
  });
});

describe("a parsing run", () => {
  test("starts once for duplicate messages, and sends one event", async () => {
    const user_id = await service.createUser("twice");
    const { body } = await submitReport(service, { user_id, files: [pdf] });
    for (let copy = 0; copy < 3; copy++) resendJobMessage(service, service.identity.team_id, body.id);
    await service.settle();
    resendJobMessage(service, service.identity.team_id, body.id);
    expect(await eventsOf(body.id, "updated")).toHaveLength(1);
  });

  test("is started by the sweeper if its message is lost", { tags: "deep" }, async () => {
    const user_id = await service.createUser("lost message");
    const name = findFunctionName(service, "parserCreateJob");
    service.cloud.faults.add({ service: "sqs", function: name, mode: "fail_before", every_attempt: true });
    const { body } = await submitReport(service, { user_id, files: [pdf] });
    service.cloud.faults.clear();
    await service.settle();
    expect((await readJob(service, body.id)).body.status).toBe("started");
    await service.advance(3 * 60_000);
    expect((await readJob(service, body.id)).body.status).toBe("completed");
  });

  test("fails the job after several attempts that never finish", { tags: "deep" }, async () => {
    const user_id = await service.createUser("never ends");
    const name = findFunctionName(service, "parseLabReport");
    service.cloud.faults.add({ service: "s3", function: name, mode: "fail_before", every_attempt: true });
    const { id } = await parseReport(service, { user_id, files: [pdf] });
    await service.advance(10 * 60_000);
    service.cloud.faults.clear();
    const { body } = await readJob(service, id);
    expect(body).toMatchObject({ status: "failed", failure_reason: "processing_error" });
    expect(await eventsOf(id, "updated")).toHaveLength(1);
  });
});

describe("a review", () => {
  /** Returns a report that waits for review, and its reviewer. */
  async function waiting(name: string) {
    const user_id = await service.createUser(name);
    const file = await reportPdf([...knownRows, unknownRow]);
    const job = await parseReport(service, { user_id, files: [file], needs_human_review: true });
    return { user_id, file, job, ...(await openReview(service, job.id)) };
  }

  test("shows the report and accepts corrections, whose results belong to the user", async () => {
    const { user_id, job, ask } = await waiting("reviewed");
    expect(job).toMatchObject({ status: "pending_review", needs_human_review: true, data: null });
    expect((await resultsOf(user_id)).body.data).toEqual([]);
    const { body: report } = await ask("GET", "report");
    expect(report).toMatchObject({
      job_id: job.id,
      status: "pending_review",
      files: [{ media_type: "application/pdf", parts: 1 }],
      pages: [{ origin: "text", words: expect.arrayContaining([expect.objectContaining({ text: "Glucose" })]) }],
    });
    expect(report.doubts).toHaveLength(report.data.results.length);
    const [first, , ...others] = report.data.results.map(unchangedRow);
    const results = [
      { ...first, value: "118", max_reference_range: 120, interpretation: "normal" },
      ...others,
      {
        ...unchangedRow(report.data.results[0], 0),
        from: null,
        test_name: "Added by hand",
        value: "Negative",
        units: null,
      },
    ];
    const metadata = { ...report.data.metadata, lab_name: "Corrected Laboratory" };
    const accepted = await ask("POST", "accept", { version: report.version, metadata, results });
    expect(accepted).toMatchObject({ status: 200, body: { status: "completed", is_reviewed: true } });
    const { body } = await readJob(service, job.id);
    expect(body.data.metadata.lab_name).toBe("Corrected Laboratory");
    expect(body.data.results).toHaveLength(report.data.results.length);
    expect(body.data.results[0]).toMatchObject({ value: "118", is_above_max_range: false, interpretation: "normal" });
    expect(body.data.results.at(-1)).toMatchObject({ test_name: "Added by hand", type: "comment" });
    expect(await eventsOf(job.id, "updated")).toMatchObject([{ data: { status: "pending_review" } }, { data: body }]);
    expect((await resultsOf(user_id)).body).toEqual({
      data: [{ job_id: job.id, created_at: expect.any(String), is_reviewed: true, data: body.data }],
      next_cursor: null,
    });
    expectRefusal(await ask("POST", "accept", { version: report.version, metadata, results }), 409, "conflict");
  });

  test("stores the corrected names of tests for the team", { tags: "deep" }, async () => {
    const { user_id, file, ask } = await waiting("teacher");
    const { body: report } = await ask("GET", "report");
    const { body: found } = await ask("GET", "loinc?query=creatin%20urine");
    const [{ loinc_code }] = found.data;
    const place = report.data.results.length - 1;
    expect(report.data.results[place].loinc_match_status).not.toBe("auto_match");
    const results = report.data.results.map(unchangedRow);
    results[place] = { ...results[place], loinc_code };
    expect(
      (await ask("POST", "accept", { version: report.version, metadata: report.data.metadata, results })).status,
    ).toBe(200);
    const next = await parseReport(service, { user_id, files: [file] });
    const row = next.data?.results[place];
    expect(row).toMatchObject({ loinc_match_status: "auto_match", loinc_matches: [{ loinc_code }] });
  });

  test("refuses unknown rows and codes, and repeats no value", async () => {
    const { ask } = await waiting("strange corrections");
    const { body: report } = await ask("GET", "report");
    const [first] = report.data.results.map(unchangedRow);
    const { version, data } = report;
    const wrong = [
      [{ ...first, from: 99 }],
      [first, first],
      [{ ...first, loinc_code: "99999-9" }],
      [{ ...first, value: "" }],
      [{ ...first, interpretation: "secret" }],
    ];
    for (const results of wrong) {
      const answer = await ask("POST", "accept", { version, metadata: data.metadata, results });
      expectRefusal(answer, 422, "validation_failed");
      expect(JSON.stringify(answer.body)).not.toContain("secret");
    }
    for (const [field, text] of [
      ["dob", "not a secret date"],
      ["date_collected", "yesterday"],
      ["date_reported", "2026-02-31"],
    ] as const) {
      const answer = await ask("POST", "accept", {
        version,
        metadata: { ...data.metadata, [field]: text },
        results: [],
      });
      expectRefusal(answer, 422, "validation_failed");
      expect(answer.body.detail).toMatchObject([{ loc: ["body", "metadata", field] }]);
      expect(JSON.stringify(answer.body)).not.toContain("secret");
    }
  });

  test("tells a changed report from an accepted one", async () => {
    const { ask } = await waiting("two reviewers");
    const { body: report } = await ask("GET", "report");
    const about = { metadata: report.data.metadata, results: report.data.results.map(unchangedRow) };
    const changed = await ask("POST", "accept", { version: report.version + 1, ...about });
    expectRefusal(changed, 409, "conflict");
    expect(changed.body.detail).toContain("Load the report again");
    expect((await ask("POST", "accept", { version: report.version, ...about })).status).toBe(200);
    const accepted = await ask("POST", "accept", { version: report.version, ...about });
    expectRefusal(accepted, 409, "conflict");
    expect(accepted.body.detail).toContain("already been accepted");
  });

  test("returns the original file, in ranges, to holders of the link alone", { tags: "deep" }, async () => {
    const { job, file, ask, url } = await waiting("file parts");
    const path = "/lab_report/v1/review/file/0/0";
    const headers = { "x-review-link": new URL(url).hash.slice(1) };
    const response = await fetch(`${service.baseUrl}${path}`, { headers });
    expect(response.headers.get("content-type")).toBe("application/pdf");
    expect(Buffer.from(await response.arrayBuffer()).equals(file)).toBe(true);
    expectRefusal(await ask("GET", "file/0/1"), 404, "not_found");
    expectRefusal(await ask("GET", "file/1/0"), 404, "not_found");
    for (const more of [{}, { "x-review-link": "rv_other" }])
      expectRefusal(await service.call("GET", path, { headers: more }), 401, "unauthorized");
    await service.advance(DAY_MS / 2 + 1_000);
    expectRefusal(await ask("GET", "report"), 401, "unauthorized");
    const { body } = await readJob(service, job.id);
    expect(body.status).toBe("pending_review");
  });

  test("is available only for reports that wait for review", async () => {
    const user_id = await service.createUser("no review");
    const { id } = await parseReport(service, { user_id, files: [pdf] });
    const answer = await service.call("POST", `/lab_report/v1/parser/job/${id}/review_link`);
    expectRefusal(answer, 400, "not_possible");
  });
});

test("results of reports are listed newest first, page by page, with cursors bound to their user", {
  tags: "deep",
}, async () => {
  const user_id = await service.createUser("many reports");
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) {
    ids.unshift((await parseReport(service, { user_id, files: [pdf] })).id);
    await service.advance(1_000);
  }
  const first = (await resultsOf(user_id, "&limit=2")).body;
  const second = (await resultsOf(user_id, `&limit=2&next_cursor=${first.next_cursor}`)).body;
  expect([...first.data, ...second.data].map(({ job_id }: Answer["body"]) => job_id)).toEqual(ids);
  expect(second.next_cursor).toBeNull();
  const other = await service.createUser("other reports");
  expectRefusal(await resultsOf(other, `&next_cursor=${first.next_cursor}`), 422, "validation_failed");
});

test("an erasure deletes a user's reports, their files and pending uploads", { tags: "deep" }, async () => {
  const { key, teamId } = await createTeamWithFeatures(service, "Erasing", ["lab_report_parsing"]);
  const user_id = await service.createUser("erased", key);
  const { id } = await parseReport(service, { user_id, files: [pdf], key });
  await service.call("POST", "/lab_report/v1/parser/upload", { key, body: { user_id, files: [{ size: 5 }] } });
  const holding = async () =>
    (await listObjects(service, "BUCKET_REPORT_FILES")).filter((name) => name.includes(user_id));
  expect(await holding()).toHaveLength(2);
  await service.call("DELETE", `/v2/user/${user_id}`, { key });
  expectRefusal(await readJob(service, id, key), 404, "not_found");
  await service.advance(8 * DAY_MS);
  expect([
    await holding(),
    await findItemsContaining(service, user_id),
    await findItemsOutsideAccessLog(service, id),
  ]).toEqual([[], [], []]);
  expect(await findItemsContaining(service, `${labReports.keyPrefix}${teamId}`)).toHaveLength(1);
});
