import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, TestService } from "../../../support/service.ts";
import { testSettings } from "../../../support/test-settings.ts";
import { callWithLinkToken, createLinkToken } from "../connections/link-helpers.ts";
import { createHeartRates, ingestBatch, sendBatch } from "../ingest/ingest-batch.ts";
import {
  createTeamWithFeatures,
  knownRows,
  openReview,
  readJob,
  reportPdf,
  submitReport,
} from "../lab-reports/report-helpers.ts";
import { createLabKey, createLabSender } from "../results/result-helpers.ts";

const HALF_HOUR_MS = 30 * 60_000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start(mkdtempSync(join(tmpdir(), "tributary-test-")), testSettings.small);
});
afterAll(() => service.stop());

const sparse = (count: number) => createHeartRates("2024-01-01T00:10:00Z", count, HALF_HOUR_MS);

/** Returns the first refusal of consecutive requests. */
async function refusalOf(ask: () => Promise<Answer>, most: number): Promise<Answer> {
  for (let at = 0; at < most; at++) {
    const answer = await ask();
    if (answer.status === 429) return answer;
  }
  throw new Error(`none of ${most} requests was refused`);
}

function expectRefusal({ body, headers }: Answer): void {
  expect(body).toEqual({ code: "too_many_requests", detail: expect.any(String), request_id: expect.any(String) });
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(headers.get("x-ratelimit-remaining")).toBe("0");
}

test("an explanation of too many groups is refused, one of fewer groups is not", async () => {
  const { key } = await service.createTeam("Explained");
  const made = await service.call("POST", "/v2/user", { key, body: { client_user_id: "explained" } });
  const user = made.body.user_id;
  await ingestBatch(service, user, { heartrate: createHeartRates("2026-05-01T00:00:00Z", 1_600, 60_000) }, { key });
  const ask = (unit: string) =>
    service.call("POST", `/aggregate/v1/user/${user}/query?explain=true`, {
      key,
      body: {
        timeframe: { type: "relative", anchor: "2026-05-02", past: { unit: "day", value: 2 } },
        queries: [
          {
            select: [{ group_key: "*" }, { func: "mean", arg: { timeseries: "heartrate", field: "value" } }],
            group_by: [{ date_trunc: { unit, value: 1 }, arg: { index: "timeseries" } }],
          },
        ],
      },
    });
  expect((await ask("hour")).status).toBe(200);
  const refused = await ask("minute");
  expect(refused.status).toBe(422);
  expect(refused.body.detail[0].msg).toContain("1500 groups");
});

test("a batch of many chunks is charged by its chunks, a dense batch is not, and the budget recovers over time", {
  tags: "deep",
}, async () => {
  const { key } = await service.createTeam("Sparse");
  const made = await service.call("POST", "/v2/user", { key, body: { client_user_id: "sparse" } });
  const user = made.body.user_id;
  const dense = () => sendBatch(service, user, { heartrate: createHeartRates("2026-05-01T08:00:00Z", 1_000) }, { key });
  for (let at = 0; at < 5; at++) expect((await dense()).status).toBe(202);
  expect((await sendBatch(service, user, { heartrate: sparse(2_500) }, { key })).status).toBe(202);
  const refused = await sendBatch(service, user, { heartrate: sparse(2_500) }, { key });
  expect(refused.status).toBe(429);
  expectRefusal(refused);
  await service.settle();
  await service.advance(Number(refused.headers.get("retry-after")) * 1000 + 1000);
  expect((await sendBatch(service, user, { heartrate: sparse(2_400) }, { key })).status).toBe(202);
  await service.settle();
});

test("a phone, a link, an organization key and an API key each have a budget", { tags: "deep" }, async () => {
  const user = await service.createUser("phone");
  const { body: signIn } = await service.call("POST", `/v2/user/${user}/sign_in_token`);
  const session = await service.call("POST", "/v2/sdk/session", {
    key: null,
    body: { sign_in_token: signIn.sign_in_token },
  });
  expect(session.status).toBeLessThan(300);
  let part = 0;
  const sync = () =>
    service.call("POST", "/v2/sdk/sync", {
      key: null,
      headers: { authorization: `Bearer ${session.body.access_token}` },
      body: {
        provider: "apple_health_kit",
        source_type: "watch",
        sync_id: "first",
        part: part++,
        resources: { heartrate: sparse(200) },
      },
    });
  expectRefusal(await refusalOf(sync, 5));
  const { link_token } = await createLinkToken(service, user);
  expectRefusal(await refusalOf(() => callWithLinkToken(service, "GET", "/v2/link/providers", link_token), 120));
  const orgs = () => service.manage("GET", `/v1/org/${service.identity.org_id}`);
  expectRefusal(await refusalOf(orgs, 120));
});

test("portal links and review links share the link budget of their team, and its keys have another budget", {
  tags: "deep",
}, async () => {
  const { teamId, key } = await createTeamWithFeatures(service, "Reviewed", [
    "lab_report_parsing",
    "lab_report_human_review",
  ]);
  const made = await service.call("POST", "/v2/user", { key, body: { client_user_id: "reviewed" } });
  const { user_id } = made.body;
  const files = [await reportPdf(knownRows)];
  const { body: job } = await submitReport(service, { user_id, files, needs_human_review: true, key });
  await service.settle();
  const { ask } = await openReview(service, job.id, key);
  const read = () => ask("GET", "report");
  expect((await read()).status).toBe(200);
  expectRefusal(await refusalOf(read, 120));
  const other = await service.createTeam("Shown");
  const { body } = await service.call("GET", "/v2/team/svix/url", { key: other.key });
  const headers = { "x-portal-session": new URL(body.url).hash.slice(1) };
  const look = () => service.call("GET", "/v2/portal/webhook", { key: null, headers });
  expect((await look()).status).toBe(200);
  expectRefusal(await refusalOf(look, 120));
  for (const [id, mine] of [
    [teamId, key],
    [other.teamId, other.key],
  ] as const) {
    expect([id, (await service.call("GET", "/v2/team/svix/url", { key: mine })).status]).toEqual([id, 200]);
  }
});

test("the key of a laboratory uses its team's budget by message size, whether the message is valid or not", {
  tags: "deep",
}, async () => {
  const { teamId } = await service.createTeam("Reported");
  const send = createLabSender(service, await createLabKey(service, "quest", teamId));
  const unreadable = `MSH|^~\\&|${"x".repeat(900_000)}`;
  expect((await send(unreadable)).status).toBe(422);
  expectRefusal(await refusalOf(() => send(unreadable), 80));
});

test("an invalid report is charged like a valid one", { tags: "deep" }, async () => {
  const { key } = await createTeamWithFeatures(service, "Unreadable", ["lab_report_parsing"]);
  const made = await service.call("POST", "/v2/user", { key, body: { client_user_id: "unreadable" } });
  const submission = { user_id: made.body.user_id, files: [Buffer.from("%PDF-1.4\nnothing")], key };
  const jobs: string[] = [];
  const refused = await refusalOf(async () => {
    const answer = await submitReport(service, submission);
    if (answer.status === 200) jobs.push(answer.body.id);
    return answer;
  }, 40);
  expectRefusal(refused);
  // A burst of 12,000 units: 23 reports of 500 units, and a few more for the elapsed time.
  expect(jobs.length).toBeGreaterThanOrEqual(20);
  expect(jobs.length).toBeLessThanOrEqual(30);
  await service.settle();
  await service.advance(HALF_HOUR_MS);
  expect((await readJob(service, jobs[0] ?? "", key)).body).toMatchObject({ status: "failed" });
});
