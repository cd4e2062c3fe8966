import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { resolveApi } from "../../../lib/cli/service/api-target.ts";
import { readDataDirectory } from "../../../lib/cli/service/local-file.ts";
import { readPort, readPorts } from "../../../lib/cli/start/read-port.ts";
import { StartRefused } from "../../../lib/local/start-refused.ts";

afterEach(() => void vi.unstubAllEnvs());

describe("a variable that is set but empty counts as unset", () => {
  test("DATA_DIR", () => {
    vi.stubEnv("DATA_DIR", "");
    expect(readDataDirectory()).toBe(".local");
    vi.stubEnv("DATA_DIR", "elsewhere");
    expect(readDataDirectory()).toBe(resolve("elsewhere"));
    vi.stubEnv("TRIBUTARY_CALLER_FOLDER", "/their/folder");
    expect(readDataDirectory()).toBe("/their/folder/elsewhere");
  });

  test.each(["PORT", "MANAGEMENT_PORT"])("%s", (name) => {
    vi.stubEnv(name, "");
    expect(readPort(name, 3000)).toBe(3000);
    vi.stubEnv(name, "7310");
    expect(readPort(name, 3000)).toBe(7310);
    vi.stubEnv(name, "0");
    expect(() => readPort(name, 3000)).toThrow(new StartRefused(`${name} must be a port number`));
  });

  test("MANAGEMENT_PORT, where PORT is the last port", () => {
    for (const [name, value] of [
      ["PORT", "65535"],
      ["MANAGEMENT_PORT", ""],
    ] as const)
      vi.stubEnv(name, value);
    expect(readPorts).toThrow(/^PORT must be below 65535, /);
    vi.stubEnv("MANAGEMENT_PORT", "7310");
    expect(readPorts()).toEqual({ port: 65_535, managementPort: 7310 });
  });

  test("TRIBUTARY_URL and TRIBUTARY_API_KEY", () => {
    const directory = mkdtempSync(join(tmpdir(), "empty-"));
    const local = { base_url: "http://127.0.0.1:3000", api_key: "sk_us_1" };
    writeFileSync(join(directory, "local.json"), JSON.stringify(local));
    vi.stubEnv("DATA_DIR", directory);
    for (const name of ["TRIBUTARY_URL", "TRIBUTARY_API_KEY"]) vi.stubEnv(name, "");
    const found = resolveApi({ url: undefined, key: undefined });
    rmSync(directory, { recursive: true });
    expect(found).toEqual({ baseUrl: local.base_url, apiKey: local.api_key });
  });
});
