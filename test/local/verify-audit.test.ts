import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const directory = mkdtempSync(join(tmpdir(), "tributary-verify-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** How the command ends for an operator, and what it says. */
function verifyAudit(...options: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["bin/admin.ts", "verify-audit", ...options], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("a folder that holds no service is refused in one line, and not made", () => {
  const folder = join(directory, "nowhere");
  const stderr = `Not done: ${folder} is not the data of a service\n`;
  expect(verifyAudit("--data", folder)).toEqual({ status: 1, stdout: "", stderr });
  expect(existsSync(folder)).toBe(false);
});

test("a file of anchors that can not be read is refused in one line", () => {
  const anchors = join(directory, "lines.txt");
  const stderr = `Not done: ${anchors} can not be read\n`;
  expect(verifyAudit("--data", directory, "--anchors", anchors)).toEqual({ status: 1, stdout: "", stderr });
});
