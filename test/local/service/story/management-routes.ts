import { expect } from "vitest";
import type { TestService } from "../../../support/service.ts";
import { connectAccount, setPullDays } from "../connections/link-helpers.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import {
  knownRows,
  openReview,
  parseReport,
  reportPdf,
  unchangedRow,
  unknownRow,
} from "../lab-reports/report-helpers.ts";
import { orderRequest } from "../orders/order-helpers.ts";
import { createLabKey, createLabSender, createOruMessage } from "../results/result-helpers.ts";
import { recordSlowAttempt } from "../webhooks/troubled-endpoints.ts";
import { RECEIVER_SECRET, Receiver } from "../webhooks/webhook-receiver.ts";

const address = { first_line: "1 Main Street", zip_code: "85004", state: "AZ", city: "Phoenix" };
const efficiency = {
  select: [{ group_key: "*" }, { func: "mean", arg: { sleep: "efficiency" } }],
  group_by: [{ date_trunc: { value: 1, unit: "day" }, arg: { index: "sleep" } }],
};

/**
 * Calls every route of organizations, teams, keys and provider settings, and starts the deletion of a team that has one
 * of every resource.
 * @param forget makes functions read keys again.
 */
export async function callManagementRoutes(service: TestService, forget: () => Promise<unknown>): Promise<void> {
  const receiver = await Receiver.start(service, () => 500);
  const org = `/v1/org/${service.identity.org_id}`;
  const manage = async (method: string, path: string, body?: object) => {
    await forget();
    const answer = await service.manage(method, `${org}${path}`, body ? { body } : {});
    expect([method, path, answer.status < 300]).toEqual([method, path, true]);
    return answer.body;
  };
  await manage("GET", "");
  await manage("PATCH", "", { name: "Renamed" });
  const { id } = await manage("POST", "/team", { name: "To be erased", region: "us", integration_team_id: "one" });
  await manage("GET", `/team/${id}`);
  await manage("PATCH", `/team/${id}`, {
    integration_team_id: "two",
    sandbox: { features: ["insurance", "lab_report_parsing", "lab_report_human_review"] },
  });
  await manage("POST", "/resolve_team", { integration_team_id: "two" });
  await callProviderRoutes(manage, id);
  await callSignInRoutes(manage, id);
  const { value } = await manage("POST", "/team_api_keys/sandbox/us", { label: "kept", team_id: id });
  await callKeyRoutes(manage, id, await service.createUser("to be signed out", value));
  await setPullDays(service, 0, "oura", id);
  await createPausedConnection(service, value);
  await createReportAlias(service, value);
  const webhook = { url: receiver.url, secret: RECEIVER_SECRET };
  const { id: endpointId } = await manage("POST", `/team/${id}/sandbox/webhook`, webhook);
  await recordSlowAttempt(service, { team_id: id, endpoint_id: endpointId });
  await fillTeam(service, value);
  await receiveUnmatchedReport(service, id);
  await manage("POST", `/team/${id}/sandbox/webhook/${endpointId}/test`, {});
  const query = { slug: "efficiency", title: "Efficiency", query: efficiency };
  await manage("POST", `/team/${id}/sandbox/continuous_query`, query);
  await manage("DELETE", `/team/${id}`);
  await manage("POST", `/team/${id}/undo_delete`);
  await manage("DELETE", `/team/${id}`);
  await receiver.stop();
}

type Manage = (method: string, path: string, body?: object) => Promise<{ id: string }>;

async function callKeyRoutes(manage: Manage, teamId: string, userId: string): Promise<void> {
  const label = "key";
  const bound = { role: "team_admin", team_role_bindings: [{ team_id: teamId }] };
  const { id: managementKey } = await manage("POST", "/management_key", { label, ...bound });
  await manage("GET", "/management_key");
  await manage("PATCH", `/management_key/${managementKey}`, bound);
  await manage("DELETE", `/management_key/${managementKey}`);
  const { id: apiKey } = await manage("POST", "/team_api_keys/sandbox/us", { label, team_id: teamId });
  await manage("GET", `/team_api_keys/sandbox/us?team_id=${teamId}`);
  await manage("POST", `/team/${teamId}/revoke_credentials`, { api_key_id: apiKey, user_id: userId });
  await manage("DELETE", `/team_api_keys/sandbox/us?api_key_id=${apiKey}&keep_made=true`);
  await manage("DELETE", `/team_api_keys/sandbox/us?api_key_id=${apiKey}`);
  await manage("POST", `/team/${teamId}/create_api_access_token`, { env: "sandbox", user_id: userId });
}

/** Leaves a provider in place. */
async function callSignInRoutes(manage: Manage, team_id: string): Promise<void> {
  const path = `/team/${team_id}/console_provider`;
  const client = { issuer: "http://127.0.0.1:9", client_id: "console", client_secret: "secret", role_claim: "groups" };
  const set = (role: string) => manage("PUT", path, { ...client, roles: [{ value: "ops", role }] });
  await set("support");
  await set("admin");
  await manage("GET", path);
  await manage("DELETE", path);
  await set("support");
}

/** Leaves every setting in place. */
async function callProviderRoutes(manage: Manage, team_id: string): Promise<void> {
  const preferences = { team_ids: [team_id], providers: {} };
  await manage("POST", "/team_data_pull_preferences/sandbox/us", preferences);
  await manage("GET", "/team_data_pull_preferences/sandbox/us");
  await manage("DELETE", `/team_data_pull_preferences/sandbox/us?team_id=${team_id}`);
  await manage("POST", "/team_data_pull_preferences/sandbox/us", preferences);
  const credentials = { team_id, provider: "oura", client_secret: "secret" };
  const { id } = await manage("POST", "/team_custom_credentials/sandbox/us", credentials);
  await manage("GET", "/team_custom_credentials/sandbox/us");
  await manage("DELETE", `/team_custom_credentials/sandbox/us?team_id=${team_id}&credential_id=${id}`);
  await manage("POST", "/team_custom_credentials/sandbox/us", credentials);
  await manage("POST", "/prepare_team_custom_credentials/sandbox/us", { team_id, provider: "oura" });
  await manage("POST", `/team/${team_id}/scope_requirements`, { oura: null });
  await manage("GET", `/team/${team_id}/scope_requirements`);
  const svix = { preferred: "svix", enabled: ["svix"] };
  await manage("POST", "/team_etl_pipelines/sandbox/us", { team_ids: [team_id], preferences: svix });
}

/** Creates a user with a paused connection, because the events of its data would have no receiver. */
async function createPausedConnection(service: TestService, key: string): Promise<void> {
  const userId = await service.createUser("connected in a team to be erased", key);
  await connectAccount(service, userId, "of-a-team", "oura", key);
  const many = { user_ids: [userId], provider: "oura" };
  expect((await service.call("POST", "/v2/link/bulk_trigger_historical_pull", { key, body: many })).status).toBe(202);
  await service.settle();
  expect((await service.call("POST", "/v2/link/bulk_pause", { key, body: many })).body.user_ids_failed).toEqual([]);
}

/** Creates a reviewed lab report that stored an alias for a test name, without events to a receiver. */
async function createReportAlias(service: TestService, key: string): Promise<void> {
  const user_id = await service.createUser("with a report in a team to be erased", key);
  const files = [await reportPdf([...knownRows, unknownRow])];
  const { id } = await parseReport(service, { user_id, files, needs_human_review: true, key });
  const { ask } = await openReview(service, id, key);
  const { version, data } = (await ask("GET", "report")).body;
  const results = data.results.map(unchangedRow);
  results.at(-1).loinc_code = "2345-7";
  const accepted = await ask("POST", "accept", { version, metadata: data.metadata, results });
  expect([accepted.status, accepted.body.code ?? ""]).toEqual([200, ""]);
  await service.settle();
}

/** Receives a report that matches no user, so it remains after the team's users are erased. */
async function receiveUnmatchedReport(service: TestService, teamId: string): Promise<void> {
  const send = createLabSender(service, await createLabKey(service, "quest", teamId));
  const { code } = await send(createOruMessage({ control: "of nobody", last_name: "Nobody" }));
  expect(code).toBe("AA");
}

/** Creates a user with data and undeliverable events, a payor, a lab test and an order with its physician. */
async function fillTeam(service: TestService, key: string): Promise<void> {
  const make = async (path: string, body: object) =>
    expect([path, (await service.call("POST", path, { key, body })).status]).toEqual([path, 200]);
  const userId = await service.createUser("of a team to be erased", key);
  await ingestBatch(service, userId, { activity: [{ calendar_date: "2026-05-01", steps: 1 }] }, { key });
  await make("/v3/payor", { name: "Zenith Mutual", address });
  const accounts = (await service.call("GET", "/v3/lab_test/lab_account?status=active", { key })).body.data;
  const { id: lab_account_id } = accounts.find(({ lab }: { lab: string }) => lab === "quest");
  const labTest = { name: "Panel", description: "A panel", method: "walk_in_test", provider_ids: ["90101"] };
  await make("/v3/lab_tests", { ...labTest, lab_account_id });
  const physician = { first_name: "Grace", last_name: "Physician", npi: "1234567893" };
  await make("/v3/order", orderRequest(userId, { physician }));
  await service.call("PATCH", "/v2/team/source/priorities", {
    key,
    body: [{ data_type: "activity", provider: "oura", priority: 1 }],
  });
  const trial = { case: "match_demo", order_source: "managed" };
  await service.call("POST", "/v3/unmatched_result_test", {
    key,
    headers: { "x-idempotency-key": "one" },
    body: trial,
  });
  await service.settle();
}
