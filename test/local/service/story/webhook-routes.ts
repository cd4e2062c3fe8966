import { expect } from "vitest";
import type { TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { DeliveryRecords } from "../webhooks/delivery-records.ts";
import { createTeamWithReceiver, Receiver } from "../webhooks/webhook-receiver.ts";

/** More deliveries than one step of a task reads. */
const EVENTS = 31;
/** The days whose events the receiver refuses permanently, at the same time. */
const FAILING_DAYS = ["2026-01-01", "2026-01-02"];

/**
 * Calls every webhook management route of both APIs, and runs the tasks that they start.
 * @param forget makes functions read keys again.
 */
export async function callWebhookRoutes(service: TestService, forget: () => Promise<unknown>): Promise<void> {
  const receiver = await Receiver.start(service, (_, { data }) =>
    FAILING_DAYS.includes(data.calendar_date) ? 500 : 204,
  );
  const key = await createTeamWithReceiver(service, receiver);
  const userId = await service.createUser("looked after", key);
  const records = new DeliveryRecords(service);
  const { team_id, endpoint_id } = await records.endpoint(userId, key);
  records.stop();
  const since = new Date(service.cloud.clock.now() - 60_000).toISOString();
  const days = Array.from({ length: EVENTS }, (_, day) => ({
    calendar_date: new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
  }));
  const { event_ids } = await ingestBatch(service, userId, { activity: days }, { key });
  const base = `/v1/org/${service.identity.org_id}/team/${team_id}/sandbox/webhook`;
  const message = `message/${event_ids[0]}`;
  const manage = async (method: string, path: string, body?: object) => {
    await forget();
    const answer = await service.manage(method, path, body ? { body } : {});
    expect([method, path, answer.status < 300]).toEqual([method, path, true]);
    return answer.body;
  };
  const late = await manage("POST", base, { url: receiver.url, filter_types: ["daily.data.activity.created"] });
  const of = (path: string) => `${base}/${endpoint_id}${path}`;
  // No function has opened the keys used here: this endpoint has no deliveries yet.
  const ofLate = (path: string) => `${base}/${late.id}${path}`;
  await manage("GET", base);
  await manage("GET", of(""));
  await manage("PATCH", of(""), { disabled: true });
  await manage("PATCH", of(""), { disabled: false });
  for (const url of ["http://127.0.0.1:9/", receiver.url]) await manage("PATCH", ofLate(""), { url });
  await manage("PUT", ofLate("/headers"), { headers: { "x-a": "b" } });
  await manage("GET", ofLate("/headers"));
  await manage("POST", ofLate("/secret/rotate"), {});
  await manage("GET", ofLate("/secret"));
  await manage("GET", of("/message"));
  await manage("GET", of(`/${message}/attempt?user_id=${userId}`));
  await manage("POST", of(`/${message}/resend?user_id=${userId}`));
  await manage("POST", of("/test"), {});
  await ingestBatch(service, userId, { activity: [{ calendar_date: "2026-06-01" }] }, { key });
  await manage("POST", ofLate("/replay_missing"), { since });
  await manage("GET", base.replace(/webhook$/, "event_delivery_metric"));
  const { id } = await manage("POST", of("/recover"), { since });
  await manage("GET", of(`/task/${id}`));
  await forget();
  await callPortalRoutes(service, key, `${endpoint_id}/${message}`, userId);
  // An endpoint that is left without a receiver is probed each minute for days.
  await manage("DELETE", of(""));
  await manage("DELETE", ofLate(""));
  await receiver.stop();
}

async function callPortalRoutes(service: TestService, key: string, message: string, userId: string): Promise<void> {
  const { url } = (await service.call("GET", "/v2/team/svix/url", { key })).body;
  const headers = { "x-portal-session": new URL(url).hash.slice(1) };
  const [webhook] = message.split("/");
  const requests: [string, string, object?][] = [
    ["GET", "portal.html"],
    ["GET", "webhook"],
    ["GET", `webhook/${webhook}/message`],
    ["GET", `webhook/${message}/attempt?user_id=${userId}`],
    ["POST", `webhook/${message}/resend?user_id=${userId}`],
    ["POST", `webhook/${webhook}/test`, {}],
  ];
  for (const [method, path, body] of requests) {
    const options = { key: null, headers, ...(body ? { body } : {}) };
    expect((await service.call(method, `/v2/portal/${path}`, options)).status).toBeLessThan(300);
  }
}
