import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readKeyFile, writeKeyFiles } from "../../../lib/cli/commands/admin/key-file.ts";
import { AdminRefused } from "../../../lib/start/admin-refused.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "keys-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const [identity, recipient] = [
  { kty: "OKP", d: "secret" },
  { kty: "OKP", x: "public" },
];
const at = (name: string) => join(folder, name);

test("both key files are written for their owner alone", () => {
  writeKeyFiles([
    [at("identity"), identity],
    [at("recipient"), recipient],
  ]);
  expect([readKeyFile(at("identity")), readKeyFile(at("recipient"))]).toEqual([identity, recipient]);
  expect(statSync(at("identity")).mode & 0o777).toBe(0o600);
});

test.each([
  ["identity", "is the path of both", () => "each key needs a file of its own"],
  ["existing", "exists", () => `${at("existing")} exists: a key file is never replaced`],
  ["nowhere/recipient", "has no folder", () => `${at("nowhere/recipient")} cannot be written: ENOENT: `],
])("no key file is left if %s %s", (name, _, reason) => {
  writeFileSync(at("existing"), "mine");
  const write = () =>
    writeKeyFiles([
      [at("identity"), identity],
      [at(name), recipient],
    ]);
  expect(write).toThrow(AdminRefused);
  expect(write).toThrow(reason());
  expect(existsSync(at("identity"))).toBe(false);
  expect(readFileSync(at("existing"), "utf8")).toBe("mine");
});
