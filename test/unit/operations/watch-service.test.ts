import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "../../../functions/operations/watch-service.ts";
import type { Log } from "../../../lib/runtime/log.ts";
import { watchService } from "../../../lib/services/operations/watch-service.ts";

/** Seconds that each call takes before its response. */
let callS: number;
let nowMs: number;
let calls: { readonly method: string; readonly path: string }[];
/** The status of the receipt. */
let status: string;

const log = { error: vi.fn(), metric: vi.fn() };
const play = () => watchService(log as unknown as Log);
const START_MS = Date.UTC(2026, 10, 21);
const elapsedS = () => (nowMs - START_MS) / 1000;

const answers: Readonly<Record<string, () => object>> = {
  "POST /v2/user": () => ({ user_id: "u" }),
  "POST /v2/ingest/u": () => ({ receipt_id: "r", accepted: 1 }),
  "GET /v2/ingest/u/r": () => ({ status, stored: status === "done" ? 1 : 0 }),
  "GET /v2/timeseries/u/heartrate/grouped": () => ({ groups: { apple: [{ data: [{ value: 61 }] }] } }),
  "DELETE /v2/user/u": () => ({ success: true }),
};

beforeEach(() => {
  [nowMs, calls, status, callS] = [START_MS, [], "done", 0.1];
  vi.clearAllMocks();
  vi.stubEnv("BASE_URL", "https://watched.example");
  vi.spyOn(Date, "now").mockImplementation(() => nowMs);
  vi.spyOn(SecretsManagerClient.prototype, "send").mockImplementation(async () => ({ SecretString: "key" }));
  vi.stubGlobal("setTimeout", (resume: () => void, ms: number) => {
    nowMs += ms;
    queueMicrotask(resume);
  });
  vi.stubGlobal("fetch", async (url: string, { method }: { method: string }) => {
    const path = new URL(url).pathname;
    calls.push({ method, path });
    nowMs += callS * 1000;
    return Response.json(answers[`${method} ${path}`]?.() ?? {});
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test("a play of a working service is healthy and deletes its user", async () => {
  expect(await play()).toEqual({ isHealthy: true });
  expect(calls.at(-1)).toEqual({ method: "DELETE", path: "/v2/user/u" });
});

test.each([1, 5, 9.9])(
  "a play of a service whose calls take %d s ends within its time, and deletes its user",
  async (seconds) => {
    [callS, status] = [seconds, "pending"];
    expect(await play()).toEqual({ isHealthy: false });
    expect(log.metric).toHaveBeenCalledExactlyOnceWith("watch.failed", 1, [{ service: "watch" }]);
    expect(calls.at(-1)).toEqual({ method: "DELETE", path: "/v2/user/u" });
    expect(elapsedS()).toBeLessThan(contract.timeoutS - 30);
  },
);
