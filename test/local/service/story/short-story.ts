import { createHeartRates, ingestBatch } from "../ingest/ingest-batch.ts";
import { orderRequest } from "../orders/order-helpers.ts";
import { createTeamWithReceiver } from "../webhooks/webhook-receiver.ts";
import type { StoryFixture } from "./story-fixture.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Sends the first message of the receiver again, through the attempt queue. */
async function resendFirstMessage({ service, receiver }: StoryFixture): Promise<void> {
  const { team_id, user_id } = receiver.received[0]?.body ?? {};
  const path = `/v1/org/${service.identity.org_id}/team/${team_id}/sandbox/webhook`;
  const manage = async (method: string, route: string) => {
    const { status, body } = await service.manage(method, `${path}${route}`);
    if (status >= 300) throw new Error(`${method} ${route}: ${JSON.stringify(body)}`);
    return body;
  };
  const [{ id }] = (await manage("GET", "")).data;
  const [{ event_id }] = (await manage("GET", `/${id}/message`)).data;
  await manage("POST", `/${id}/message/${event_id}/resend?user_id=${user_id}`);
  await service.settle();
}

/** Runs one user from creation to erasure, through the functions of every event and every erasure. */
export async function runShortStory(story: StoryFixture): Promise<void> {
  const { service, receiver, expireCaches: forget } = story;
  const key = await createTeamWithReceiver(service, receiver);
  const ask = async (method: string, path: string, body?: object) => {
    await forget();
    const answer = await service.call(method, path, { key, ...(body && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { user_id } = await ask("POST", "/v2/user", { client_user_id: "someone" });
  await ask("PATCH", `/v2/user/${user_id}`, { client_user_id: "somebody" });
  await ingestBatch(service, user_id, { heartrate: createHeartRates("2026-05-01T08:00:00Z", 2) }, { key });
  // A batch publishes its own events, the relay those of routes.
  await ask("POST", "/v3/order", orderRequest(user_id));
  await service.settle();
  await resendFirstMessage(story);
  await ask("GET", `/v2/timeseries/${user_id}/heartrate/grouped?start_date=2026-05-01`);
  await ask("DELETE", `/v2/user/${user_id}`);
  await service.advance(8 * DAY_MS);
  await ask("GET", `/v2/user/erasure/${user_id}`);
}
