import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  engineCommand,
  engineInstallHint,
  enginePackage,
  findEngine,
} from "../../../lib/local/engines/engine-binary.ts";

const { optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const version = optionalDependencies["@dynoxide/linux-x64"];

const machines = "darwin-arm64, darwin-x64, linux-arm64, linux-x64, win32-x64";

describe("the DynamoDB engine", () => {
  test.each([
    ["linux", "x64", "@dynoxide/linux-x64", "dynoxide"],
    ["linux", "arm64", "@dynoxide/linux-arm64", "dynoxide"],
    ["darwin", "arm64", "@dynoxide/darwin-arm64", "dynoxide"],
    ["darwin", "x64", "@dynoxide/darwin-x64", "dynoxide"],
    ["win32", "x64", "@dynoxide/win32-x64", "dynoxide.exe"],
  ])("for %s %s is in the package %s", (platform, arch, name, file) => {
    const machine = { platform, arch };
    expect(enginePackage(machine)).toBe(name);
    expect(findEngine(machine, (asked) => `/installed/${asked}`)).toBe(`/installed/${name}/${file}`);
    expect(engineInstallHint(machine)).toContain(`npm install --no-save ${name}@${version},`);
  });

  test.each([
    ["win32", "arm64"],
    ["freebsd", "x64"],
    ["linux", "riscv64"],
  ])("for %s %s is not published, and the message states an alternative", (platform, arch) => {
    expect(enginePackage({ platform, arch })).toBeUndefined();
    expect(engineInstallHint({ platform, arch })).toMatch(
      new RegExp(
        `^no package is published for ${platform}-${arch}, only for ${machines}; put a dynoxide binary on the PATH, or set DYNAMODB_ENDPOINT`,
      ),
    );
  });

  test("is searched on the PATH if it is not installed", () => {
    const missing = () => {
      throw new Error("not installed");
    };
    const directory = mkdtempSync(join(tmpdir(), "on-the-path-"));
    const before = process.env.PATH;
    process.env.PATH = ["/nowhere", directory].join(delimiter);
    const machine = { platform: "darwin", arch: "arm64" };
    expect(findEngine(machine, missing)).toBeUndefined();
    writeFileSync(join(directory, "dynoxide"), "");
    expect(findEngine(machine, missing)).toBe(join(directory, "dynoxide"));
    process.env.PATH = before;
    rmSync(directory, { recursive: true });
  });

  test("starts without a shell on systems that have none", () => {
    expect(engineCommand("C:\\d.exe", ["--port", "1"], { platform: "win32" })).toEqual({
      file: "C:\\d.exe",
      argv: ["--port", "1"],
    });
    const { file, argv } = engineCommand("/a b/dynoxide", ["--port", "1"], { platform: "darwin" });
    expect([file, argv.slice(-3)]).toEqual(["sh", ["/a b/dynoxide", "--port", "1"]]);
  });
});
