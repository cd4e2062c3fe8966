import { readFileSync } from "node:fs";
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blockHash, type ChainBlock, EntriesDigest, genesisHash } from "../../../../lib/domain/audit/hash-chain.ts";
import { parseAnchors, verifyTable } from "../../../../lib/start/verify-audit.ts";
import { TestService } from "../../../support/service.ts";
import { createEngineClient } from "../support/stored-items.ts";

const HOUR_MS = 3_600_000;
type Stored = Record<string, unknown> & { pk: string; sk: string };

let service: TestService;
let engine: DynamoDBDocumentClient;
let table: string;
let sealed: Stored[];

beforeAll(async () => {
  service = await TestService.start();
  engine = createEngineClient(service);
  table = [...service.cloud.assembly.resources].find(({ name }) => name.includes("Data-Tableaudit"))?.name ?? "";
  for (let hour = 0; hour < 4; hour++) {
    const userId = await service.createUser(`user of hour ${hour}`);
    for (let call = 0; call < 5; call++) await service.call("GET", `/v2/user/${userId}`);
    await service.advance(HOUR_MS);
  }
  await service.advance(3 * HOUR_MS);
  sealed = await everything();
});
afterAll(async () => {
  engine.destroy();
  await service.stop();
});

const everything = async () => (await engine.send(new ScanCommand({ TableName: table }))).Items as Stored[];
const put = (item: Stored) => engine.send(new PutCommand({ TableName: table, Item: item }));
const remove = ({ pk, sk }: Stored) => engine.send(new DeleteCommand({ TableName: table, Key: { pk, sk } }));
const logged = () => parseAnchors(readFileSync(service.data.file("functions.log"), "utf8"));

const chain = () => `access#${service.identity.team_id}`;
const byName = (one: Stored, other: Stored) => (`${one.pk} ${one.sk}` < `${other.pk} ${other.sk}` ? -1 : 1);
const entries = () => sealed.filter(({ pk }) => pk.startsWith(`access#${service.identity.team_id}#`)).toSorted(byName);
const blocks = () => sealed.filter(({ pk, sk }) => pk === `audit_chain#${chain()}` && sk !== "head").toSorted(byName);
const entriesOf = ({ from, to }: Stored) => entries().filter(({ sk }) => sk >= String(from) && sk < String(to));

/** Verifies the log of the team and expects that all other logs hold. */
async function verified(anchors = logged()) {
  const { chains } = await verifyTable(engine, table, anchors, service.cloud.clock.now());
  expect(chains.filter((one) => one.chain !== chain() && one.broken)).toEqual([]);
  return chains.find((one) => one.chain === chain());
}

/** Verifies the log after a change to the table, then reverts the change. */
async function foundAfter(tamper: () => Promise<unknown>, anchors = logged()): Promise<string | undefined> {
  await tamper();
  const { broken } = (await verified(anchors)) ?? {};
  const now = await everything();
  const names = new Set(sealed.map(({ pk, sk }) => `${pk} ${sk}`));
  for (const item of now) if (!names.has(`${item.pk} ${item.sk}`)) await remove(item);
  for (const item of sealed) await put(item);
  return broken;
}

/** Recomputes the whole chain from the stored entries, as an attacker with write access to the table could. */
async function sealAgain(): Promise<void> {
  let before: ChainBlock | undefined;
  const stored = (await everything()).toSorted(byName);
  for (const old of blocks()) {
    const digest = new EntriesDigest();
    const ofTeam = stored.filter(({ pk }) => pk.startsWith(`access#${service.identity.team_id}#`));
    for (const item of ofTeam.filter(({ sk }) => sk >= String(old.from) && sk < String(old.to))) digest.add(item);
    if (digest.count === 0) {
      await remove(old);
      continue;
    }
    const { n = 0, sha256 = genesisHash({ kind: "access", id: service.identity.team_id }), from = null } = before ?? {};
    const [begin, end] = [String(old.from), String(old.to)];
    const about = { n: n + 1, previous: sha256, previous_from: from, from: begin, to: end, count: digest.count };
    const block = { ...about, entries: digest.end() };
    before = { ...block, sha256: blockHash(block) };
    await put({ ...old, ...before });
  }
  await put({ pk: `audit_chain#${chain()}`, sk: "head", ...before });
}

test("an untouched log is verified block by block against the logged anchors", async () => {
  const found = await verified();
  expect(found).toEqual({ chain: chain(), blocks: 4, entries: entries().length, open: 0, anchored: 4 });
  expect(entries().length).toBeGreaterThanOrEqual(24);
  expect(
    logged()
      .filter((anchor) => anchor.chain === chain())
      .map(({ n }) => n),
  ).toEqual([1, 2, 3, 4]);
});

test("management calls are sealed by organization", { tags: "deep" }, async () => {
  const { org_id } = service.identity;
  await service.manage("GET", `/v1/org/${org_id}/team`);
  await service.advance(3 * HOUR_MS);
  const { chains } = await verifyTable(engine, table, logged(), service.cloud.clock.now());
  const found = chains.find((one) => one.chain === `management#${org_id}`);
  expect(found?.broken).toBeUndefined();
  expect(found?.entries).toBeGreaterThan(0);
  sealed = await everything();
});

test.each<[string, string, () => Promise<unknown>]>([
  [
    "a changed field",
    "block 2 .*: an entry differs",
    () => put({ ...(entriesOf(blocks()[1]!)[0] as Stored), status: 404 }),
  ],
  [
    "an added field",
    "block 2 .*: an entry differs",
    () => put({ ...(entriesOf(blocks()[1]!)[0] as Stored), note: "" }),
  ],
  [
    "a deleted entry",
    "block 3 .*: has \\d+ entries, but \\d+ were",
    () => remove(entriesOf(blocks()[2]!)[0] as Stored),
  ],
  [
    "an added entry",
    "block 1 .*: has \\d+ entries, but \\d+ were",
    () => {
      const one = entriesOf(blocks()[0]!)[0] as Stored;
      return put({ ...one, sk: `${one.sk}0`, id: `${one.id}0` });
    },
  ],
  [
    "an added entry in an empty hour",
    "1 entries of .* are in no block",
    () => {
      const one = entries()[0] as Stored;
      const at = new Date(Date.parse(String(one.at)) - 5 * HOUR_MS).toISOString();
      return put({ ...one, at, sk: `${at}#${one.id}`, pk: one.pk.replace(/\d{4}-\d\d-\d\d/, at.slice(0, 10)) });
    },
  ],
  [
    "two swapped entries",
    "block 2 .*: an entry differs",
    async () => {
      const [one, other] = entriesOf(blocks()[1]!) as [Stored, Stored];
      await put({ ...one, pk: other.pk, sk: other.sk });
      await put({ ...other, pk: one.pk, sk: one.sk });
    },
  ],
  ["a changed block", "block 2 .*: its hash does not match its content", () => put({ ...blocks()[1]!, count: 3 })],
  [
    "a changed block with a recomputed hash",
    "block 3 .*: it does not link",
    () => {
      const block = { ...(blocks()[1] as unknown as ChainBlock), count: 3 };
      return put({ ...blocks()[1]!, ...block, sha256: blockHash(block) });
    },
  ],
  ["a deleted block", "block 2 is missing", () => remove(blocks()[1]!)],
  ["a deleted last block", "block 4 is missing", () => remove(blocks()[3]!)],
  [
    "a deleted last block and head",
    "block 4 is missing, but was logged",
    async () => {
      await remove(blocks()[3]!);
      await put({ ...blocks()[2]!, sk: "head" });
    },
  ],
  [
    "deleted blocks and entries of the whole log",
    "block 1 is missing, but was logged",
    async () => {
      for (const item of [...blocks(), ...entries()]) await remove(item);
      await remove({ pk: `audit_chain#${chain()}`, sk: "head" });
    },
  ],
  [
    "a changed log with a recomputed chain",
    "block 2 .*: its hash differs from the logged one",
    async () => {
      await put({ ...(entriesOf(blocks()[1]!)[0] as Stored), status: 404 });
      await sealAgain();
    },
  ],
])("verification detects %s", { tags: "deep" }, async (_, expected, tamper) => {
  expect(await foundAfter(tamper)).toMatch(new RegExp(expected));
  expect((await verified())?.broken).toBeUndefined();
});

test("a changed log with a recomputed chain passes verification without anchors", async () => {
  const changed = async () => {
    await put({ ...(entriesOf(blocks()[1]!)[0] as Stored), status: 404 });
    await sealAgain();
  };
  expect(await foundAfter(changed, [])).toBeUndefined();
});

test("verification without anchors detects a deleted last block and head by its entries after they should be sealed", {
  tags: "deep",
}, async () => {
  const cutOff = async () => {
    await remove(blocks()[3]!);
    await put({ ...blocks()[2]!, sk: "head" });
  };
  await service.advance(2 * HOUR_MS);
  expect(await foundAfter(cutOff, [])).toMatch(/entries of .* are in no block/);
});
