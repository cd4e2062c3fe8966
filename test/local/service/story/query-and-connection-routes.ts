import { expect } from "vitest";
import type { TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";

const efficiency = {
  select: [{ group_key: "*" }, { func: "mean", arg: { sleep: "efficiency" } }],
  group_by: [{ date_trunc: { value: 1, unit: "day" }, arg: { index: "sleep" } }],
};

/**
 * Calls every route of continuous queries, the audit log and the access log.
 * @param forget makes functions read keys again.
 */
export async function callQueryRoutes(service: TestService, forget: () => Promise<unknown>): Promise<void> {
  const org = `/v1/org/${service.identity.org_id}`;
  const team = `${org}/team/${service.identity.team_id}/sandbox`;
  const manage = async (method: string, path: string, body?: object) => {
    await forget();
    const answer = await service.manage(method, path, body ? { body } : {});
    expect([method, path, answer.status < 300]).toEqual([method, path, true]);
    return answer.body;
  };
  const queries = `${team}/continuous_query`;
  const { id } = await manage("POST", queries, { slug: "by-day", title: "By day", query: efficiency });
  await manage("POST", `${team}/validate_continuous_query`, { query: efficiency });
  await manage("GET", queries);
  for (const named of [id, "by-day"]) {
    await manage("GET", `${queries}/${named}`);
    await manage("PATCH", `${queries}/${named}`, { title: "Every day" });
  }
  for (const named of [id, "by-day"]) await manage("DELETE", `${queries}/${named}`);
  await manage("GET", `${org}/audit_log`);
  await manage("GET", `${org}/team/${service.identity.team_id}/access_log`);
}

/** Calls every route of a user's connections and devices. @param forget makes functions read keys again. */
export async function callConnectionRoutes(service: TestService, forget: () => Promise<unknown>): Promise<void> {
  const call = async (method: string, path: string, body?: object) => {
    await forget();
    const answer = await service.call(method, path, body ? { body } : {});
    expect([method, path, answer.status < 300]).toEqual([method, path, true]);
    return answer.body;
  };
  const user = await service.createUser("connected to a device");
  await call("POST", "/v2/link/connect/demo", { user_id: user, provider: "freestyle_libre" });
  await ingestBatch(service, user, { devices: [{ device_id: "watch" }] });
  await call("GET", "/v2/providers");
  await call("GET", `/v2/user/providers/${user}`);
  const [device] = await call("GET", `/v2/user/${user}/device`);
  await call("GET", `/v2/user/${user}/device/${device.id}`);
  await call("DELETE", `/v2/user/${user}/freestyle_libre`);
}
