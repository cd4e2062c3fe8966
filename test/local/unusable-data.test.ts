import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DataDirectory } from "../../lib/local/data-directory.ts";
import { StartRefused } from "../../lib/local/start-refused.ts";
import { newIdentity } from "../../lib/start/start-service.ts";
import { TestService } from "../support/service.ts";

/** Data directories with which no start is possible. Each is refused in one line. */

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "unusable-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The reason why a start is refused. */
async function refusal(path: string): Promise<string> {
  const error = await TestService.start(path).then(
    (service) => service.stop(),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StartRefused);
  return (error as StartRefused).message;
}

test.runIf(process.platform === "linux")("a directory that cannot be created is refused", () => {
  expect(() => new DataDirectory("/proc/x")).toThrow(/^\/proc\/x cannot be used: ENOENT: /);
});

test("a directory is created with its parents", () => {
  const data = new DataDirectory(join(directory, "a", "b"));
  expect(data.read("clock.json")).toBeUndefined();
  data.close();
});

test.each([
  ["clock.json", '{"offset_ms":"x"}', "is damaged"],
  ["clock.json", "[1]", "is damaged"],
  ["s3", "a file", "cannot be used: EEXIST"],
])("%s with %s %s", async (name, content, reason) => {
  const file = join(directory, name);
  writeFileSync(file, content);
  expect(await refusal(directory)).toMatch(new RegExp(`^${file} ${reason}[^\n]*$`));
});

test("data whose key is missing is refused, and no other key is made", async () => {
  const identity = { ...newIdentity(), webhook_id: "an earlier one" };
  writeFileSync(join(directory, "identity.json"), JSON.stringify(identity));
  writeFileSync(join(directory, "dynamodb.sqlite"), "");
  const key = join(directory, "kms.key");
  expect(await refusal(directory)).toBe(`${key} is missing; put it back, or delete ${directory} to start over`);
  expect(existsSync(key)).toBe(false);
});
