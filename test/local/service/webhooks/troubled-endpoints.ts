import {
  type EndpointReference,
  FAILURES_TO_SUSPEND,
  SLOW_ATTEMPT_MS,
} from "../../../../lib/events/webhooks/endpoint-health.ts";
import { ports } from "../../../../lib/runtime/ports.ts";
import type { TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { DeliveryRecords } from "./delivery-records.ts";
import { createTeamWithReceiver, Receiver } from "./webhook-receiver.ts";

/**
 * Creates a rate-limited endpoint that was suspended and then answers 410: to a first attempt, and to a second one after
 * it is enabled again.
 */
export async function createTroubledEndpoints(service: TestService): Promise<void> {
  const records = new DeliveryRecords(service);
  const receiver = await Receiver.start(service, (count) => [204, 410, 500][count - 1] ?? 410);
  const key = await createTeamWithReceiver(service, receiver);
  const userId = await service.createUser("in trouble", key);
  const endpoint = await records.endpoint(userId, key);
  await records.change(endpoint, { rate_limit: 1 });
  for (let event = 0; event < FAILURES_TO_SUSPEND; event++)
    await records.health.recordFailure(
      endpoint,
      { kind: "outage", eventId: `evt_${event}` },
      service.cloud.clock.now(),
    );
  await records.health.suspend(endpoint, service.cloud.clock.now());
  for (const steps of [1, 2, 3]) {
    await records.change(endpoint, { disabled: false, disabled_reason: null });
    await ingestBatch(service, userId, { activity: [{ calendar_date: "2026-05-01", steps }] }, { key });
    await service.advance(3 * 60_000);
  }
  records.stop();
  await receiver.stop();
}

/** Records a slow attempt of an endpoint, by the clock of the functions. */
export async function recordSlowAttempt(service: TestService, endpoint: EndpointReference): Promise<void> {
  const records = new DeliveryRecords(service);
  await records.health.recordDuration(endpoint, SLOW_ATTEMPT_MS, ports().clock.now(), endpoint);
  records.stop();
}
