import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { knownRows, parseReport, reportPdf } from "../lab-reports/report-helpers.ts";
import { Receiver } from "../webhooks/webhook-receiver.ts";
import { callInConsole, createTicket, openConsole } from "./console-helpers.ts";

let service: TestService;
let receiver: Receiver;
let userId: string;
let held: Record<string, string>;
const team = () => `/v1/org/${service.identity.org_id}/team/${service.identity.team_id}`;
const change = (settings: object) => service.manage("PATCH", team(), { body: { sandbox: settings } });

beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("reached through a link");
  receiver = await Receiver.start(service, () => 204);
  await service.manage("POST", `${team()}/sandbox/webhook`, { body: { url: receiver.url } });
  await ingestBatch(service, userId, { heartrate: [{ timestamp: "2026-01-01T01:00:00Z", value: 60 }] });
  await service.settle();
}, 120_000);
afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
});

const signIn = async (name: string) => {
  held = await openConsole(service, { ticket: (await createTicket(service, { name })).ticket });
};
const secretOf = (url: string) => new URL(url).hash.slice(1);
const openPortal = async () => {
  const { url } = (await callInConsole(service, held, "GET", "/v2/team/svix/url")).body;
  return (path: string, more: object = {}) =>
    callInConsole(service, { "x-portal-session": secretOf(url), ...more }, "GET", `/v2/portal/webhook${path}`);
};
const entriesOf = async (operation: string) =>
  (await service.manage("GET", `${team()}/access_log`)).body.entries.filter(
    (entry: { operation: string }) => entry.operation === operation,
  );

describe("a portal that a session opens", () => {
  test("is recorded as the console, with the session and its person", async () => {
    await signIn("Portal person");
    const ask = await openPortal();
    const [{ id }] = (await ask("")).body.data;
    const [{ event_id }] = (await ask(`/${id}/message`)).body.data;
    expect((await ask(`/${id}/message/${event_id}/attempt?user_id=${userId}`)).status).toBe(200);
    const { session_id } = (await callInConsole(service, held, "GET", "/console/session")).body;
    for (const operation of ["listPortalMessages", "listPortalAttempts"]) {
      const [entry] = await entriesOf(operation);
      expect(entry).toMatchObject({ caller: "console", session_id, actor: "Portal person" });
    }
  });

  test("asks why the person looks at a user", async () => {
    await change({ console_reasons: true });
    await service.advance(61_000);
    const ask = await openPortal();
    const [{ id }] = (await ask("")).body.data;
    const [{ event_id }] = (await ask(`/${id}/message`)).body.data;
    const path = `/${id}/message/${event_id}/attempt?user_id=${userId}`;
    expect((await ask(path)).status).toBe(403);
    expect((await ask(path, { "x-console-reason": "support 4711" })).status).toBe(200);
    const logged = await entriesOf("listPortalAttempts");
    expect(logged.map(({ reason }: { reason: string | null }) => reason)).toContain("support 4711");
    await change({ console_reasons: false });
    await service.advance(61_000);
  });

  test("ends with the session, and one that a key opened does not", async () => {
    const { url } = (await service.call("GET", "/v2/team/svix/url")).body;
    const own = { "x-portal-session": secretOf(url) };
    const ask = await openPortal();
    expect((await ask("")).status).toBe(200);
    expect((await callInConsole(service, held, "DELETE", "/console/session")).status).toBe(204);
    expect((await ask("")).status).toBe(401);
    expect((await callInConsole(service, own, "GET", "/v2/portal/webhook")).status).toBe(200);
  });
});

test("a review that a session opens is recorded as the console, and ends with the session", async () => {
  await change({ features: ["lab_report_parsing", "lab_report_human_review"] });
  await service.advance(61_000);
  const { id } = await parseReport(service, {
    user_id: userId,
    files: [await reportPdf(knownRows)],
    needs_human_review: true,
  });
  await signIn("Review person");
  const opened = await callInConsole(service, held, "POST", `/lab_report/v1/parser/job/${id}/review_link`);
  expect(opened.status).toBe(200);
  const ask = () =>
    callInConsole(service, { "x-review-link": secretOf(opened.body.url) }, "GET", "/lab_report/v1/review/report");
  expect((await ask()).status).toBe(200);
  const [entry] = await entriesOf("getReview");
  expect(entry).toMatchObject({ caller: "console", actor: "Review person" });
  await callInConsole(service, held, "DELETE", "/console/session");
  expect((await ask()).status).toBe(401);
});
