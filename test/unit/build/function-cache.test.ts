import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FunctionCache } from "../../../lib/build/function-cache.ts";
import { bundleFunctionFiles } from "../../../lib/build/function-files.ts";

let root: string;
const file = (...names: string[]) => join(root, ...names);
const write = (name: string, content: string) => writeFileSync(file(name), content);

const SOURCES = { read: ["functions/read.ts", "lib/shared.ts"], write: ["functions/write.ts", "lib/shared.ts"] };

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "function-cache-"));
  for (const name of ["functions", "lib", "built", "out"]) mkdirSync(file(name));
  for (const name of ["functions/read.ts", "functions/write.ts", "lib/shared.ts"]) write(name, `// ${name}`);
  write("built/data.mjs", "data");
  for (const [operationId, sources] of Object.entries(SOURCES)) {
    write(`built/${operationId}.mjs`, `code of ${operationId}`);
    const built = { operationId, file: file("built", `${operationId}.mjs`), sources, lazyFiles: ["data.mjs"] };
    await new FunctionCache(file("cache"), "digest", root).keep(built, "entry");
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Names of the functions that the cache serves. */
async function served(buildDigest = "digest", entry = "entry"): Promise<string[]> {
  const cache = new FunctionCache(file("cache"), buildDigest, root);
  const restored = await Promise.all(
    Object.keys(SOURCES).map(async (name) => ((await cache.restore(name, entry, file("out"))) ? [name] : [])),
  );
  return restored.flat();
}

describe("the cache of functions", () => {
  test("serves what it keeps, with the files that load lazily", async () => {
    expect(await served()).toEqual(["read", "write"]);
    expect(readFileSync(file("out/read.mjs"), "utf8")).toBe("code of read");
    expect(readFileSync(file("out/data.mjs"), "utf8")).toBe("data");
  });

  test("does not serve a function whose own file changed", async () => {
    write("functions/read.ts", "// changed");
    expect(await served()).toEqual(["write"]);
  });

  test("serves no dependent of a changed module", async () => {
    write("lib/shared.ts", "// changed");
    expect(await served()).toEqual([]);
  });

  test("serves nothing after a change of packages, of options or of a function's grants", async () => {
    expect(await served("another digest")).toEqual([]);
    expect(await served("digest", "another entry")).toEqual([]);
  });

  test.each(["read.mjs", "data.mjs", "read.json"])("does not serve a function whose %s is damaged", async (name) => {
    write(join("cache", name), "damaged");
    expect(await served()).not.toContain("read");
  });

  test("does not serve a function whose file is missing", async () => {
    rmSync(file("cache/read.mjs"));
    expect(await served()).toEqual(["write"]);
  });
});

test("the sources of a function are its own file and the modules that it imports", { timeout: 300_000 }, async () => {
  const [built] = await bundleFunctionFiles(file("bundled"), ["getUser"]);
  expect(built?.sources).toEqual(
    expect.arrayContaining([
      "functions/users/get-user.ts",
      "lib/runtime/implement.ts",
      "lib/store/users/users.ts",
      "lib/domain/users/user.ts",
    ]),
  );
  expect(built?.sources.filter((source) => source.startsWith("functions/"))).toEqual(["functions/users/get-user.ts"]);
});
