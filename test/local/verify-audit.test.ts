import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const directory = mkdtempSync(join(tmpdir(), "tributary-verify-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs the command. @returns its exit code and output. */
function verifyAudit(...options: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["bin/tributary.ts", "admin", "verify-audit", ...options],
    {
      encoding: "utf8",
    },
  );
  return { status, stdout, stderr };
}

test("a folder without a service is refused in one line, and not created", () => {
  const folder = join(directory, "nowhere");
  const stderr = `Not done: ${folder} is not the data directory of a service\n`;
  expect(verifyAudit("--data", folder)).toEqual({ status: 1, stdout: "", stderr });
  expect(existsSync(folder)).toBe(false);
});

test("an unreadable file of anchors is refused in one line", { tags: "deep" }, () => {
  const anchors = join(directory, "lines.txt");
  const stderr = `Not done: ${anchors} cannot be read\n`;
  expect(verifyAudit("--data", directory, "--anchors", anchors)).toEqual({ status: 1, stdout: "", stderr });
});
