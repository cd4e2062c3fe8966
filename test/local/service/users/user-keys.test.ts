import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { globSync, readFileSync, statSync } from "node:fs";
import { deflateRawSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeChunk } from "../../../../lib/domain/timeseries/chunk/codec.ts";
import { REQUEST_CHANNEL } from "../../../../lib/local/aws-proxy/aws-proxy.ts";
import { CALLER_HEADER, type IncomingRequest, toAwsRequest } from "../../../../lib/local/aws-proxy/aws-request.ts";
import { TestService } from "../../../support/service.ts";
import { reapplyErasures, restoreItems } from "../erasure/restored-backup.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { type RawItem, scanAllItems } from "../support/search-stored-data.ts";
import { createEngineClient, findFunctionName } from "../support/stored-items.ts";
import { createUserKeyRing, findResource, openChunk } from "./open-stored-values.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const DAY = { start_date: "2026-05-01", end_date: "2026-05-01" };
const AT = "2026-05-01T08:00:00Z";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
}, 120_000);
afterAll(() => service.stop());

const heartrateOf = (userId: string) =>
  service.call("GET", `/v2/timeseries/${userId}/heartrate/grouped?${new URLSearchParams(DAY)}`);
const valuesOf = (body: { groups: Record<string, { data: { value: number }[] }[]> }) =>
  Object.values(body.groups).flatMap((groups) => groups.flatMap(({ data }) => data.map(({ value }) => value)));
const isSummary = ({ item }: RawItem) => item.pk.startsWith("summary#");
const isChunk = ({ item }: RawItem) => item.pk.startsWith("chunk#");
const copyOf = async (keep: (raw: RawItem) => boolean) => (await Array.fromAsync(scanAllItems(service))).filter(keep);

/** Creates a user with samples and the stream of a workout. */
async function sealedUser(name: string, value: number): Promise<string> {
  const user_id = await service.createUser(name);
  const time = Array.from({ length: 50 }, (_, second) => Date.parse(AT) / 1000 + second);
  await ingestBatch(service, user_id, {
    heartrate: [{ timestamp: AT, value }],
    note: [{ timestamp: AT, value: `a note of ${name}` }],
    workouts: [{ provider_id: name, title: `a run of ${name}`, time_start: AT, time_end: "2026-05-01T08:30:00Z" }],
    workout_stream: [{ provider_id: name, time, heartrate: time.map((second) => second % 97) }],
  });
  return user_id;
}

/** Reads every file of the engines. */
function engineFiles(): Buffer[] {
  const files = globSync(`${service.data.path}/**/*`).filter((file) => statSync(file).isFile());
  return files.map((file) => readFileSync(file));
}

/** Reads the stream objects of a user from the bucket. */
async function streamObjects(userId: string): Promise<Buffer[]> {
  const { origin, authorization } = service.cloud.s3;
  const read = (path: string) => fetch(`${origin}/${path}`, { headers: { authorization } });
  const bucket = findResource(service, "AWS::S3::Bucket", "Streams").name;
  const listed = await (await read(`${bucket}?list-type=2`)).text();
  const names = [...listed.matchAll(/<Key>([^<]+)<\/Key>/g)].flatMap(([, name = ""]) =>
    name.includes(userId) ? name : [],
  );
  return Promise.all(names.map(async (name) => Buffer.from(await (await read(`${bucket}/${name}`)).arrayBuffer())));
}

/** Whether one of the files contains the bytes, raw or as base64. */
const areIn = (files: readonly Buffer[], bytes: Uint8Array) => {
  const forms = [Buffer.from(bytes), Buffer.from(Buffer.from(bytes).toString("base64").replace(/=+$/, ""))];
  return files.some((file) => forms.some((form) => file.includes(form)));
};

test("files of the engines contain samples and streams sealed, and none in plain form", { tags: "deep" }, async () => {
  const user_id = await sealedUser("in files", 61);
  const stored = await copyOf((raw) => isChunk(raw) && raw.item.pk.includes(user_id));
  expect(stored.length).toBeGreaterThanOrEqual(2);
  const files = engineFiles();
  const client = createEngineClient(service);
  const keys = createUserKeyRing(service, client);
  for (const { item } of stored) {
    const opened = await openChunk(keys, item);
    if (!opened) throw new Error("a chunk that does not open");
    expect(decodeChunk(opened).samples).toHaveLength(1);
    expect(areIn(files, item.b as Uint8Array)).toBe(true);
    expect(areIn(files, opened)).toBe(false);
  }
  client.destroy();
  const [workout] = (await service.call("GET", `/v2/summary/workouts/${user_id}?${new URLSearchParams(DAY)}`)).body
    .workouts;
  const { body } = await service.call("GET", `/v2/timeseries/workouts/${workout.id}/stream`);
  expect(body.heartrate).toHaveLength(50);
  const objects = await streamObjects(user_id);
  expect(objects.map(([first]) => first)).toEqual([0xe1]);
  for (const content of objects) expect(areIn(files, content)).toBe(true);
  expect(areIn(files, gzipSync(JSON.stringify(body)).subarray(10, 60))).toBe(false);
});

test("the item of a summary contains nothing but its index fields in plain form", async () => {
  const user_id = await sealedUser("titled", 70);
  const [raw, ...others] = await copyOf((one) => isSummary(one) && one.item.pk.includes(user_id));
  if (!raw || others.length > 0) throw new Error("not one summary");
  expect(raw.opened).toContain("a run of titled");
  const { item } = raw;
  expect(JSON.stringify(item)).not.toContain("a run");
  expect(item).not.toHaveProperty("fields");
  const deflated = deflateRawSync(raw.opened ?? "");
  expect(areIn(engineFiles(), item.b as Uint8Array)).toBe(true);
  expect(areIn(engineFiles(), deflated.subarray(0, 30))).toBe(false);
});

test("a copy of samples from before an erasure cannot be opened afterwards; that of another user can", {
  tags: "deep",
}, async () => {
  const [erased, other] = [await sealedUser("copied", 62), await sealedUser("spared", 63)];
  const backup = await copyOf(({ item }) => !/^(erasure|user_key|team_key)#/.test(item.pk));
  const chunks = backup.filter(isChunk);
  const client = createEngineClient(service);
  const openable = async (userId: string) => {
    const keys = createUserKeyRing(service, client);
    const own = chunks.filter(({ item }) => item.pk.includes(userId));
    const opened = await Promise.all(own.map(({ item }) => openChunk(keys, item)));
    return [opened.filter((one) => one !== undefined).length, own.length];
  };
  expect(await openable(erased)).toEqual([2, 2]);
  await service.call("DELETE", `/v2/user/${erased}`);
  await service.advance(7 * DAY_MS + 60_000);
  expect((await service.call("GET", `/v2/user/erasure/${erased}`)).body.stores.userKeys).toBe(1);
  expect([await openable(erased), await openable(other)]).toEqual([
    [0, 2],
    [2, 2],
  ]);
  client.destroy();
  await restoreItems(service, backup);
  expect((await service.call("GET", `/v2/user/${erased}`)).status).toBe(200);
  expect((await heartrateOf(erased)).status).toBe(410);
  expect(valuesOf((await heartrateOf(other)).body)).toEqual([63]);
  expect(await reapplyErasures(service)).toMatchObject({ erased: 1 });
  expect(await copyOf(({ item }) => item.pk.includes(erased) && /^(chunk|summary|user)#/.test(item.pk))).toEqual([]);
  expect(valuesOf((await heartrateOf(other)).body)).toEqual([63]);
});

const keyTable = () => findResource(service, "AWS::DynamoDB::Table", "TableuserKeys").name;

/** Returns the requests of a function to tables and buckets during `work`, in order: operation and table if any. */
async function askedBy(
  operationId: string,
  work: () => Promise<unknown>,
  onRequest: (request: string) => void = () => {},
): Promise<string[]> {
  const [caller, asked] = [findFunctionName(service, operationId), [] as string[]];
  const note = (message: unknown) => {
    const arrived = message as IncomingRequest;
    if (arrived.headers[CALLER_HEADER] !== caller) return;
    const { operation, method, service: of, body } = toAwsRequest(arrived);
    const { TableName = "" } = body as { TableName?: string };
    asked.push(of === "s3" ? `s3 ${method}` : `${operation} ${TableName}`.trim());
    onRequest(asked.at(-1) ?? "");
  };
  subscribe(REQUEST_CHANNEL, note);
  await work();
  unsubscribe(REQUEST_CHANNEL, note);
  return asked;
}

test("the key of a user is deleted after all other data, and before the certificate is written", {
  tags: "deep",
}, async () => {
  const user_id = await sealedUser("last", 64);
  await service.call("DELETE", `/v2/user/${user_id}`);
  const asked = await askedBy("eraseUser", () => service.advance(7 * DAY_MS + 60_000));
  const keys = keyTable();
  const at = asked.indexOf(`DeleteItem ${keys}`);
  expect(asked.slice(at)).toEqual([`DeleteItem ${keys}`, `Query ${keys}`, "TransactWriteItems"]);
  const before = asked.slice(0, at);
  expect(before.filter((one) => one.startsWith("BatchWriteItem")).length).toBeGreaterThan(3);
  expect(before).toContain("s3 DELETE");
  expect((await service.call("GET", `/v2/user/erasure/${user_id}`)).status).toBe(200);
});

test("an erasure that is interrupted after the deletion of the key is retried and completes", {
  tags: "deep",
}, async () => {
  const user_id = await sealedUser("cut off", 65);
  await service.call("DELETE", `/v2/user/${user_id}`);
  const broken = {
    service: "dynamodb",
    function: findFunctionName(service, "eraseUser"),
    mode: "fail_before",
  } as const;
  const breakOff = (request: string) => {
    if (request !== `DeleteItem ${keyTable()}` || service.cloud.faults.list().length > 0) return;
    service.cloud.faults.add({ ...broken, at_call: 2, every_attempt: true });
  };
  await askedBy("eraseUser", () => service.advance(7 * DAY_MS + 5_000), breakOff);
  expect((await service.call("GET", `/v2/user/erasure/${user_id}`)).status).toBe(404);
  const keptOf = async (kind: string) => copyOf(({ item }) => item.pk.startsWith(kind) && item.pk.includes(user_id));
  expect([(await keptOf("user_key#")).length, (await keptOf("user#")).length]).toEqual([0, 1]);
  await service.advance(60_000);
  service.cloud.faults.clear();
  expect((await service.call("GET", `/v2/user/erasure/${user_id}`)).body).toMatchObject({
    stores: { userKeys: 1, chunks: 2 },
    scan: { found: 0 },
  });
});
