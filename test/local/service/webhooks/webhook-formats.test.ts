import { HTTP } from "cloudevents";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { createHeartRates, ingestBatch } from "../ingest/ingest-batch.ts";
import { createTeamWithReceiver, RECEIVER_SECRET, Receiver } from "./webhook-receiver.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Sends one heart rate to a user of a team whose endpoint has this format. */
async function receiveOne(about: object) {
  const receiver = await Receiver.start(service);
  const key = await createTeamWithReceiver(service, receiver, about);
  const userId = await service.createUser("the user", key);
  const { event_ids } = await ingestBatch(
    service,
    userId,
    { heartrate: createHeartRates("2026-05-01T08:00:00Z", 1) },
    { key },
  );
  await receiver.stop();
  const { headers, text } = receiver.received[0]!;
  return {
    headers: headers as Record<string, string>,
    text,
    userId,
    eventId: event_ids[0],
    received: receiver.received,
  };
}

test.each(["cloudevents_structured", "cloudevents_binary"])("an endpoint receives signed %s", async (format) => {
  const { headers, text, userId, eventId, received } = await receiveOne({ format });
  expect(received).toHaveLength(1);
  new Webhook(RECEIVER_SECRET).verify(text, headers);
  const event = HTTP.toEvent({ headers, body: text });
  expect(event).toMatchObject({ id: eventId, type: "daily.data.heartrate.created", subject: userId });
  expect(event).toMatchObject({ data: { event_type: "daily.data.heartrate.created", user_id: userId } });
});

test("an endpoint without a format receives the body alone", async () => {
  const { headers, text } = await receiveOne({});
  expect(headers["content-type"]).toBe("application/json");
  expect(Object.keys(headers).filter((name) => name.startsWith("ce-"))).toEqual([]);
  expect(JSON.parse(text)).toMatchObject({ event_type: "daily.data.heartrate.created" });
});

test("the format of an endpoint can change, and an unknown one is refused", async () => {
  const receiver = await Receiver.start(service);
  await createTeamWithReceiver(service, receiver);
  const { org_id, team_id } = service.identity;
  const base = `/v1/org/${org_id}/team/${team_id}/sandbox/webhook`;
  const made = await service.manage("POST", base, { body: { url: receiver.url } });
  expect(made.body).toMatchObject({ format: "json" });
  const path = `${base}/${made.body.id}`;
  const changed = await service.manage("PATCH", path, { body: { format: "cloudevents_binary" } });
  expect(changed.body).toMatchObject({ format: "cloudevents_binary" });
  const kept = await service.manage("PATCH", path, { body: { format: null, description: "kept" } });
  expect(kept.body).toMatchObject({ format: "cloudevents_binary", description: "kept" });
  expect((await service.manage("PATCH", path, { body: { format: "xml" } })).status).toBe(422);
  await receiver.stop();
});
