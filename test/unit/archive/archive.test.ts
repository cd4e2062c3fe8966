import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { buckets, dataKey, tables, userKeys, userKeyTable } from "../../../lib/contract/resources.ts";
import { UserKey } from "../../../lib/crypto/user-key.ts";
import { createArchiveKeys } from "../../../lib/start/archive/archive-key.ts";
import { exportDeployment } from "../../../lib/start/archive/export-deployment.ts";
import { openArchive } from "../../../lib/start/archive/open-archive.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { owner, sampleSource, teamContext } from "./sample-source.ts";

const keys = await createArchiveKeys();
const [bucket = buckets[0]] = buckets;
const samples = tables.find(({ name }) => name === "samples") ?? userKeyTable;
const now = Date.parse("2026-05-01T08:00:00Z");
const empty = () => mkdtempSync(join(tmpdir(), "archive-"));

const items = [
  {
    pk: "chunk#1",
    sk: "a",
    bytes: new Uint8Array(randomBytes(40)),
    set: new Set(["x", "y"]),
    list: [1, [2], { deep: ["b", "x"] }],
  },
  { pk: "chunk#2", sk: "a", text: "line\nbreak  and \u0000", none: null, yes: true, number: 1.5, tag: ["s"] },
];

async function archived(directory = empty(), objects: Readonly<Record<string, Uint8Array>> = {}): Promise<string> {
  const from = await sampleSource(items, { bucket: bucket?.name ?? "", objects });
  await exportDeployment({ from, deployment: "Sample", directory, recipient: keys.recipient, now });
  return directory;
}

describe("an archive", () => {
  test("returns each item with the same attributes, of every type", async () => {
    const { source, manifest } = await openArchive(await archived(), keys.identity, "deployment");
    expect((await Array.fromAsync(source.items(samples))).flat()).toEqual(items);
    expect(manifest).toMatchObject({
      format: 1,
      deployment: "Sample",
      exported_at: "2026-05-01T08:00:00.000Z",
      at: null,
    });
  });

  test("returns objects of any size, also those that several records hold", async () => {
    const objects = {
      "a/empty": new Uint8Array(),
      "b/small": randomBytes(10),
      "c/large": Buffer.alloc(9_000_000, "abc"),
    };
    const { source } = await openArchive(await archived(empty(), objects), keys.identity, "deployment");
    const found: Record<string, Buffer> = {};
    if (bucket)
      for await (const [one] of source.objects(bucket)) if (one) found[one.key] = await buffer((await one.open()).body);
    expect(Object.keys(found)).toEqual(Object.keys(objects));
    for (const [key, bytes] of Object.entries(objects)) expect(found[key]?.equals(bytes)).toBe(true);
  });

  test("has the keys of users under a key of its own, and they decrypt what they encrypted", async () => {
    const directory = empty();
    const from = await sampleSource(items);
    await exportDeployment({ from, deployment: "Sample", directory, recipient: keys.recipient, now });
    const { source } = await openArchive(directory, keys.identity, "deployment");
    const wrapped = await source.keys.teamKeys.getTeamKey(TeamScope.grant(owner.team_id));
    const team = await source.keys.dataKeys(dataKey).unwrap(wrapped ?? new Uint8Array(), teamContext);
    const kept = (await Array.fromAsync(source.items(userKeyTable))).flat();
    const own = kept.find(({ pk }) => pk.startsWith(userKeys.keyPrefix));
    const key = UserKey.unwrap(own?.wrapped as Uint8Array, team, owner);
    expect(Buffer.from(key.decrypt(from.sealed, ["samples"])).toString()).toBe("plain");
  });

  test("is readable for its owner alone, and shows no name of an item", async () => {
    const directory = await archived();
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(files.map((one) => statSync(join(one.parentPath, one.name)).mode & 0o077)).toEqual(files.map(() => 0));
    const text = files.map((one) => readFileSync(join(one.parentPath, one.name), "latin1")).join("");
    expect(text).not.toMatch(/chunk#|line.break/);
  });

  test("of the erasures alone has one table, and is refused as a deployment", async () => {
    const directory = empty();
    const from = await sampleSource(items);
    const about = { deployment: "Sample", recipient: keys.recipient, scope: "erasures", now } as const;
    const { records } = await exportDeployment({ from, directory, ...about });
    expect(records).toEqual({ erasures: 0 });
    await expect(openArchive(directory, keys.identity, "deployment")).rejects.toThrow("has the scope erasures");
  });
});

/** What happens to an archive on its way, and the refusal. */
const damages: readonly (readonly [name: string, damage: (directory: string) => void, refusal: string | RegExp])[] = [
  ["without a manifest", (at) => rmSync(join(at, "manifest.json")), "the export did not end there"],
  [
    "with a manifest of another format",
    (at) => edit(at, (text) => text.replace('"format": 1', '"format": 2')),
    "is damaged, or of a format",
  ],
  ["with half a manifest", (at) => edit(at, (text) => text.slice(0, text.length / 2)), "is damaged, or of a format"],
  [
    "with a part left out",
    (at) => edit(at, (text) => JSON.stringify({ ...JSON.parse(text), parts: [] })),
    "was changed",
  ],
  ["with another instant", (at) => edit(at, (text) => text.replace("08:00:00", "09:00:00")), "was changed"],
  [
    "with a part outside of it",
    (at) => edit(at, (text) => text.replace("tables/samples", "../samples")),
    "is damaged, or of a format",
  ],
  ["without a part", (at) => rmSync(join(at, "tables/samples-000001.part")), "tables/samples-000001.part is missing"],
  [
    "with a part cut off",
    (at) => change(at, (bytes) => bytes.subarray(0, -1)),
    "tables/samples-000001.part is damaged",
  ],
  [
    "with a changed part",
    (at) => change(at, (bytes) => bytes.fill(1, 40, 41)),
    "tables/samples-000001.part is damaged",
  ],
];

function edit(directory: string, work: (text: string) => string): void {
  const file = join(directory, "manifest.json");
  writeFileSync(file, work(readFileSync(file, "utf8")));
}
function change(directory: string, work: (bytes: Buffer) => Buffer): void {
  const file = join(directory, "tables/samples-000001.part");
  writeFileSync(file, work(readFileSync(file)));
}

describe("an archive is refused", () => {
  test.each(damages)("%s", async (_, damage, refusal) => {
    const directory = await archived();
    damage(directory);
    await expect(openArchive(directory, keys.identity, "deployment")).rejects.toThrow(refusal);
  });

  test("by another identity", async () => {
    const { identity } = await createArchiveKeys();
    await expect(openArchive(await archived(), identity, "deployment")).rejects.toThrow("was made for another key");
  });
});

test("an export refuses a private key as recipient, any other text, and a directory with files", async () => {
  const from = await sampleSource(items);
  const about = { from, deployment: "Sample", now };
  await expect(exportDeployment({ ...about, directory: empty(), recipient: keys.identity })).rejects.toThrow(
    "private key",
  );
  await expect(exportDeployment({ ...about, directory: empty(), recipient: { kty: "oct" } })).rejects.toThrow(
    "no public key",
  );
  const directory = await archived();
  await expect(exportDeployment({ ...about, directory, recipient: keys.recipient })).rejects.toThrow("is not empty");
});
