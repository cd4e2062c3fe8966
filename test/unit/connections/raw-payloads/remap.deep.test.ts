// @module-tag deep
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { PulledProvider } from "../../../../lib/connectors/connector.ts";
import { connectorSlugs } from "../../../../lib/connectors/connectors.ts";
import { ProviderClient } from "../../../../lib/connectors/provider-client.ts";
import type { DataStage } from "../../../../lib/domain/ingest/batch.ts";
import type { Sample } from "../../../../lib/domain/timeseries/chunk/sample.ts";
import type { UserRecord } from "../../../../lib/domain/users/user.ts";
import { ports, setPorts } from "../../../../lib/runtime/ports.ts";
import { acceptPulledBatch } from "../../../../lib/services/connections/pulls/accept-pulled-batch.ts";
import { pullBatches } from "../../../../lib/services/connections/pulls/pull-batches.ts";
import { PayloadKeeper } from "../../../../lib/services/connections/raw-payloads/payload-keeper.ts";
import { queueBatch } from "../../../../lib/services/ingest/queue-batch.ts";
import { startDynamodb, type TestDynamodb } from "../../../support/dynamodb.ts";
import { connectProvider, DAY_MS, oauthApp } from "../../connectors/connected-provider.ts";
import { spoilConnector } from "./spoiled-connector.ts";
import { keepingTeam, log, StoringService, scope } from "./storing-service.ts";

/** Garmin answers no request for data; push-keeper.test.ts tries its pushes. */
const pulling = connectorSlugs.filter((slug) => slug !== "garmin");

let database: TestDynamodb;
beforeAll(async () => {
  database = await startDynamodb();
});
beforeEach(() => database.clear());
afterAll(() => database.stop());

/** Days of history in which the simulated person rides at least once. */
const DAYS_WITH_RIDES = 40;

/** A provider with one account, and a service with users who connected it. */
async function connect(slug: string) {
  const world = await connectProvider(slug);
  const accountId = await world.connect();
  const service = new StoringService();
  let tick = 0;
  setPorts({ clock: { now: () => world.clock.now() + tick++ } });
  const pull = async (user: UserRecord, connector: PulledProvider, days: number, stage: DataStage = "daily") => {
    const keeper = PayloadKeeper.of(service, keepingTeam, { scope, user, connector, log });
    const { retryAt, statusFromBody, tokenPlace } = connector;
    const client = new ProviderClient({
      ...{ retryAt, statusFromBody, tokenPlace, accountId, now: world.clock.now },
      app: async () => oauthApp,
      fetch: keeper?.observe(world.request.fetch) ?? world.request.fetch,
      accessToken: world.accessToken,
    });
    const endMs = world.clock.now();
    for (const { name } of connector.resources) {
      const window = { startMs: endMs - days * DAY_MS, endMs };
      for await (const batch of pullBatches(connector, name, { window }, client, keeper)) {
        const about = { user, provider: slug, stage, receivedAt: endMs + tick++, log, keeper };
        await acceptPulledBatch(service.deps, scope, about, batch);
      }
    }
    await service.storeAll();
  };
  const users = ["wrong", "right"].map((userId) => service.addUser(userId, slug, accountId));
  return { ...world, service, pull, users: users as [UserRecord, UserRecord] };
}

/** Deletes the first sample of each resource, and corrects the second, for all users as their source would. */
async function editSamples(service: StoringService, users: readonly UserRecord[]) {
  const { samples } = await service.stored("right");
  for (const [resource, [deleted, corrected]] of Object.entries(samples)) {
    if (!deleted || !corrected) continue;
    const { provider, sourceType: source_type, deviceId: device_id } = deleted;
    const { start, offsetS, type, subtype, value } = deleted;
    const gone: Sample = { start, offsetS, type, ...(subtype && { subtype }), value: null, isDeleted: true };
    const { provider: _, sourceType: __, deviceId: ___, ...sample } = corrected;
    const about = { provider, source_type, device_id, app_id: null, stage: "daily", is_final: true } as const;
    const batch = { ...about, samples: { [resource]: [gone, { ...sample, value: 77 }] }, summaries: {}, streams: {} };
    expect(value).not.toBe(77);
    for (const { user_id } of users) {
      const accepted = { batch, rejected: [], accepted: 2 };
      await queueBatch(service.deps, scope, user_id, accepted, ports().clock.now(), { spend: async () => {} });
    }
  }
  await service.storeAll();
}

describe.each(pulling)("%s", (slug) => {
  test("data of a wrong mapping equals that of the right one after a remap, and a dry run changes nothing", async () => {
    const world = await connect(slug);
    const { service, pull, connector, users, skip } = world;
    const [wrong, right] = users;
    const spoiled = spoilConnector(connector);
    const historyDays = slug === "hammerhead_v2" ? DAYS_WITH_RIDES : 5;
    for (const [days, stage] of [
      [historyDays, "historical"],
      [2, "daily"],
    ] as const) {
      await pull(wrong, spoiled, days, stage);
      await pull(right, connector, days, stage);
      if (stage === "historical") await editSamples(service, users);
      await skip(DAY_MS);
    }
    const [before, truth] = [await service.stored("wrong"), await service.stored("right")];
    expect(before).not.toEqual(truth);

    const counted = await service.remap("wrong", slug, true);
    expect(counted).toMatchObject({ status: "done", incomplete: 0, receipt_ids: [] });
    expect(Object.values(counted.resources).some(({ changed }) => changed > 0)).toBe(true);
    expect(service.batchMessages).toEqual([]);

    const done = await service.remap("wrong", slug, false, 2);
    expect(done.resources).toEqual(counted.resources);
    await service.storeAll({ reversed: true });
    expect(await service.stored("wrong")).toEqual(truth);
    const receipt = await service.receipts.get(scope, "wrong", done.receipt_ids[0] ?? "");
    expect(receipt).toMatchObject({ remap_id: done.id, status: "done" });

    const again = await service.remap("wrong", slug, false);
    expect(Object.values(again.resources).every(({ changed, added, gone }) => changed + added + gone === 0)).toBe(true);
    expect(service.batchMessages).toEqual([]);
    expect(await service.remap("right", slug, true)).toMatchObject({ incomplete: 0, pulls: counted.pulls });
  });
});
