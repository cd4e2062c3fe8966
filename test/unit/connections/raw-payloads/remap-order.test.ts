import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { PulledBatch, PulledProvider } from "../../../../lib/connectors/connector.ts";
import { freestyleLibre } from "../../../../lib/connectors/freestyle-libre/freestyle-libre.ts";
import { MG_DL_PER_MMOL_L } from "../../../../lib/connectors/glucose-unit.ts";
import { ProviderClient } from "../../../../lib/connectors/provider-client.ts";
import type { UserRecord } from "../../../../lib/domain/users/user.ts";
import { setPorts } from "../../../../lib/runtime/ports.ts";
import { acceptPulledBatch } from "../../../../lib/services/connections/pulls/accept-pulled-batch.ts";
import { pullBatches } from "../../../../lib/services/connections/pulls/pull-batches.ts";
import { PayloadKeeper } from "../../../../lib/services/connections/raw-payloads/payload-keeper.ts";
import { startDynamodb, type TestDynamodb } from "../../../support/dynamodb.ts";
import { keepingTeam, log, StoringService, scope } from "./storing-service.ts";

const HOUR_MS = 3_600_000;
const at = "2026-05-20T08:00:00Z";
const provider = freestyleLibre.slug;
const toMmol = (mgDl: number) => mgDl / MG_DL_PER_MMOL_L;

let database: TestDynamodb;
let service: StoringService;
let user: UserRecord;
let nowMs: number;
beforeAll(async () => {
  database = await startDynamodb();
});
beforeEach(async () => {
  await database.clear();
  nowMs = Date.UTC(2026, 4, 20, 12);
  setPorts({ clock: { now: () => nowMs++ } });
  service = new StoringService();
  user = service.addUser("user", provider, "ada");
});
afterAll(() => database.stop());

/** A wrong mapping, to which every reading is 90 mg/dL. */
const constant: PulledProvider = {
  ...freestyleLibre,
  async *pull(...asked) {
    for await (const batch of freestyleLibre.pull(...asked)) yield { ...batch, resources: flatten(batch.resources) };
  },
};
const flatten = ({ glucose = [] }: PulledBatch["resources"]) => ({
  glucose: glucose.map((one) => ({ ...one, value: toMmol(90) })),
});

/** Pulls readings in mg/dL by their times, an hour after the last pull. */
async function pull(connector: PulledProvider, readings: Readonly<Record<string, number>>) {
  nowMs += HOUR_MS;
  const keeper = PayloadKeeper.of(service, keepingTeam, { scope, user, connector, log }) as PayloadKeeper;
  const payload = { readings: Object.entries(readings).map(([time, mg_dl]) => ({ at: time, mg_dl })) };
  const client = new ProviderClient({
    fetch: keeper.observe(async () => Response.json(payload)),
    accessToken: async () => "session",
    now: () => nowMs,
  });
  const window = { startMs: Date.parse(at) - HOUR_MS, endMs: nowMs };
  for await (const batch of pullBatches(connector, "glucose", { window }, client, keeper)) {
    const about = { user, provider, stage: "daily", receivedAt: nowMs++, log, keeper } as const;
    await acceptPulledBatch(service.deps, scope, about, batch);
  }
  await service.storeAll();
}
const stored = async () => (await service.stored("user")).samples.glucose?.map(({ value }) => value);

test.each([false, true])(
  "the last received value wins, although only an earlier one differs [reversed: %s]",
  { tags: "deep" },
  async (reversed) => {
    await pull(constant, { [at]: 180 });
    await pull(constant, { [at]: 90 });
    const done = await service.remap("user", provider, false);
    expect(done.resources).toEqual({ glucose: { same: 1, changed: 1, added: 0, gone: 0 } });
    await service.storeAll({ reversed });
    expect(await stored()).toEqual([toMmol(90)]);
  },
);

test("the last received value wins, although all receipts of that time are closed", { tags: "deep" }, async () => {
  await pull(constant, { [at]: 180 });
  await pull(constant, { [at]: 90 });
  // The store notes up to which time all receipts are closed, and does not look at earlier ones again.
  for (let more = 0; more < 20; more++) await pull(constant, { "2026-05-20T09:00:00Z": 90 });
  await service.remap("user", provider, false);
  await service.storeAll({ reversed: true });
  expect(await stored()).toEqual([toMmol(90), toMmol(90)]);
});

test("a pull whose mapper asks for more than is kept leaves its data as it is", async () => {
  await pull(constant, { [at]: 180 });
  const [payload] = (await service.rawPayloads.list(scope, "user", {}, undefined, 1, nowMs)).items;
  const { digest: _, expires_at, mapper_version: __, ...moved } = payload ?? expect.unreachable();
  const changed = { ...moved, url: `${moved.url}&other=1` };
  await service.rawPayloads.put(scope, "user", changed, Buffer.from("{}"), expires_at * 1000);
  await service.rawPayloads.putMapping(
    scope,
    "user",
    moved.payload_id,
    JSON.stringify({ mapped_at: nowMs, batches: [] }),
    1,
  );
  const done = await service.remap("user", provider, false);
  expect(done).toMatchObject({ pulls: 1, incomplete: 1, resources: {}, receipt_ids: [] });
  expect(await stored()).toEqual([toMmol(90)]);
});

test("a second remap wins over the first, also for samples that the first deleted", { tags: "deep" }, async () => {
  await pull(freestyleLibre, { [at]: 180 });
  user = Object.assign(user, { ingestion_end: "2020-01-01" });
  expect((await service.remap("user", provider, false)).resources).toMatchObject({ glucose: { gone: 1 } });
  await service.storeAll();
  expect(await stored()).toBeUndefined();
  Object.assign(user, { ingestion_end: null });
  expect((await service.remap("user", provider, false)).resources).toMatchObject({ glucose: { added: 1 } });
  await service.storeAll();
  expect(await stored()).toEqual([toMmol(180)]);
});
