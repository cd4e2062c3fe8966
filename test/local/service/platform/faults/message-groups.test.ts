import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REQUEST_CHANNEL } from "../../../../../lib/local/aws-proxy/aws-proxy.ts";
import { type IncomingRequest, toAwsRequest } from "../../../../../lib/local/aws-proxy/aws-request.ts";
import { TestService } from "../../../../support/service.ts";
import { ingestBatch } from "../../ingest/ingest-batch.ts";

const HOUR_MS = 60 * 60 * 1000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

interface Entry {
  readonly MessageBody: string;
  readonly MessageGroupId?: string;
}

test("every message that a function sends has the group of its team, also messages of sweepers", {
  tags: "deep",
}, async () => {
  const entries: Entry[] = [];
  const note = (message: unknown): void => {
    const { operation, body } = toAwsRequest(message as IncomingRequest);
    if (!/^SendMessage/.test(operation)) return;
    const sent = body as unknown as Entry & { Entries?: Entry[] };
    entries.push(...(sent.Entries ?? [sent]));
  };
  subscribe(REQUEST_CHANNEL, note);
  try {
    const userId = await service.createUser("groups");
    await ingestBatch(service, userId, { heartrate: [{ timestamp: "2026-05-01T08:00:00Z", value: 60 }] });
    await service.call("POST", "/v2/link/connect/demo", { body: { user_id: userId, provider: "oura" } });
    await service.advance(3 * HOUR_MS);
  } finally {
    unsubscribe(REQUEST_CHANNEL, note);
  }
  expect(entries.length).toBeGreaterThan(5);
  const { team_id } = service.identity;
  const strays = entries.filter(({ MessageGroupId: group }) => group !== team_id);
  expect(strays).toEqual([]);
});
