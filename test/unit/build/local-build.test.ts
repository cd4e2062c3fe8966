import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { contracts } from "../../../functions/index.ts";
import { operationIdOf, writeLocalFunction } from "../../../lib/build/bundle-local.ts";
import { digestSources } from "../../../lib/build/digest.ts";
import { linkAssembly } from "../../../lib/build/local-assembly.ts";
import { readPointer, writePointer } from "../../../lib/build/pointer.ts";
import { pruneBuilds } from "../../../lib/build/prune-builds.ts";
import { entryFile } from "../../../lib/contract/entry-file.ts";

let directory: string;
const file = (name: string) => join(directory, name);
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "local-build-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("the file of each function gives its operation id", () => {
  expect(contracts.map((contract) => operationIdOf(entryFile(contract)))).toEqual(
    contracts.map(({ operationId }) => operationId),
  );
});

test("the module of a local function names the shared one, and nothing that changes with the code", async () => {
  await writeLocalFunction(directory, "getUser");
  expect(readFileSync(file("getUser/index.mjs"), "utf8")).toBe('export { handler } from "../shared/getUser.mjs";\n');
});

describe("a digest of sources", () => {
  const digest = (...texts: string[]) => digestSources([file("*.ts")], ...texts);

  test("changes with the content, the name and the number of files, and with further texts", () => {
    writeFileSync(file("a.ts"), "a");
    const before = digest("setting");
    expect(digest("setting")).toBe(before);
    expect(digest("another")).not.toBe(before);
    writeFileSync(file("a.ts"), "b");
    const changed = digest("setting");
    writeFileSync(file("b.ts"), "b");
    const added = digest("setting");
    rmSync(file("a.ts"));
    expect(new Set([before, changed, added, digest("setting")]).size).toBe(4);
  });
});

describe("a pointer", () => {
  test("leads to its directory while that exists", () => {
    mkdirSync(file("build"));
    expect(readPointer(directory, "x.build")).toBeUndefined();
    writePointer(directory, "x.build", file("build"));
    expect(readPointer(directory, "x.build")).toBe(file("build"));
    rmSync(file("build"), { recursive: true });
    expect(readPointer(directory, "x.build")).toBeUndefined();
  });
});

test("a cache keeps the builds of three days", () => {
  const now = Date.now();
  for (const [name, days] of [
    ["old", 4],
    ["recent", 2],
  ] as const) {
    mkdirSync(file(name));
    writePointer(directory, `${name}.build`, file(name));
    const at = new Date(now - days * 86_400_000);
    for (const place of [name, `${name}.build`]) utimesSync(file(place), at, at);
  }
  pruneBuilds(directory, now);
  expect(readdirSync(directory).toSorted()).toEqual(["recent", "recent.build"]);
});

test("templates of an earlier build refer to the functions of the new one", async () => {
  mkdirSync(file("old/assembly"), { recursive: true });
  writeFileSync(file("old/assembly/a.template.json"), "template");
  writeFileSync(file("old/assembly/a.assets.json"), JSON.stringify({ path: file("old/functions/getUser") }));
  await linkAssembly(file("old"), file("new"));
  expect(readFileSync(file("new/assembly/a.template.json"), "utf8")).toBe("template");
  const { path } = JSON.parse(readFileSync(file("new/assembly/a.assets.json"), "utf8"));
  expect(path).toBe(file("new/functions/getUser"));
});
