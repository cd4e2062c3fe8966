import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Misconfigured } from "../../../lib/runtime/errors.ts";
import { Log } from "../../../lib/runtime/log.ts";
import { setPorts } from "../../../lib/runtime/ports.ts";

let lines: string[];
beforeEach(() => {
  lines = [];
  for (const level of ["info", "warn", "error"] as const) {
    vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line));
  }
  setPorts({ clock: { now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678) } });
});
afterEach(() => {
  setPorts(undefined);
  vi.restoreAllMocks();
});

test("a log line has the time of the ports, a level, a message and the fields of the log and of the call", () => {
  const log = new Log({ operation: "getUser", request_id: "r1" });
  log.info("found", { count: 2 });
  log.warn("slow");
  const base = { time: "2026-01-02T03:04:05.678Z", operation: "getUser", request_id: "r1" };
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...base, level: "info", message: "found", count: 2 },
    { ...base, level: "warn", message: "slow" },
  ]);
});

test("an error is logged with its name and frames, never with its message", () => {
  new Log({ operation: "getUser" }).error("failed", new RangeError("Zoë, born\n2000-01-01"));
  const { error, stack } = JSON.parse(lines[0] ?? "");
  expect(error).toBe("RangeError");
  expect(stack).toContain("log.test.ts");
  expect(lines[0]).not.toMatch(/Zoë|2000-01-01/);
});

test("a configuration error is logged with its message", () => {
  new Log({}).error("failed", new Misconfigured("oura (client_secret)"));
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ error: "Misconfigured", reason: "oura (client_secret)" });
});

test("a thrown value other than an error is logged by its type only", () => {
  new Log({}).error("failed", "Zoë");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "error", message: "failed", error: "string" });
  expect(lines[0]).not.toContain("Zoë");
});
