// @module-tag deep
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePort } from "../../../../../lib/local/free-port.ts";
import { type ListeningSocket, listListeningSockets } from "../../../../support/listening-sockets.ts";
import { createHeartRates } from "../../ingest/ingest-batch.ts";
import { advanceRunningClock, advanceStoppedClock, prepareClockJump, startRefusingReceiver } from "./clock-jump.ts";
import { type LocalJson, StartedProcess, type StartOptions } from "./started-process.ts";

/** The service in a process of its own, from its first start to a crash and a restart. */

const START_LIMIT = { timeout: 240_000 };
const directory = mkdtempSync(join(tmpdir(), "tributary-story-"));

let options: StartOptions;
let running: StartedProcess;
let sockets: ListeningSocket[];
let interrupted: { readonly code: number | null; readonly output: string };
let local: LocalJson;
beforeAll(async () => {
  options = { directory, port: await findFreePort(), managementPort: await findFreePort() };
  const first = new StartedProcess(options);
  const watch = watchSockets(first);
  await first.stores();
  sockets = await watch.end();
  interrupted = { code: await first.kill("SIGTERM"), output: first.output };
  running = new StartedProcess(options);
  local = await running.ready();
}, 240_000);
afterAll(async () => {
  await running.kill("SIGKILL");
  rmSync(directory, { recursive: true, force: true });
});

/** Collects the sockets of a process and its descendants from its start to `end`. */
function watchSockets(started: StartedProcess) {
  const found = new Map<string, ListeningSocket>();
  const look = () => {
    if (process.platform !== "linux") return;
    for (const one of listListeningSockets(started.pid)) found.set(`${one.table} ${one.address} ${one.port}`, one);
  };
  const timer = setInterval(look, 200);
  const end = async () => {
    clearInterval(timer);
    look();
    return [...found.values()];
  };
  return { end };
}

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${local.base_url}${path}`, {
    method,
    headers: { "x-service-api-key": local.api_key, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : undefined };
}

/** The message that npm start prints when the service answers, which may be before it stores the demo data. */
const WELCOME = /^\nTributary is running \([\s\S]*\nStop with Ctrl\+C\.\n\n$/;

test("a first start that is stopped ends with code 0 and only its welcome, and the next start completes it", () => {
  const { code, output } = interrupted;
  expect({ code, output: output.replace(WELCOME, "") }).toEqual({ code: 0, output: "" });
  expect(local.demo_user_id).toMatch(/^[0-9a-f-]{36}$/);
});

test.runIf(process.platform === "linux")("a start, with its builds and engines, listens on loopback alone", () => {
  const ports = sockets.map(({ port }) => port);
  expect(ports).toEqual(expect.arrayContaining([options.port, options.managementPort]));
  // The DynamoDB engine is a process of its own.
  expect(new Set(sockets.map(({ pid }) => pid)).size).toBeGreaterThan(1);
  // Both APIs, the front before the engines, S3, DynamoDB and the simulated providers.
  expect(sockets.length).toBeGreaterThanOrEqual(6);
  expect(sockets.filter(({ isLoopback }) => !isLoopback)).toEqual([]);
});

test("local.json names what runs, and the demo user has its data", async () => {
  const { port, managementPort } = options;
  expect(local).toMatchObject({
    base_url: `http://127.0.0.1:${port}`,
    management_url: `http://127.0.0.1:${managementPort}`,
  });
  expect(await (await fetch(local.openapi_url)).json()).toMatchObject({ openapi: "3.1.0" });
  expect(await (await fetch(local.inbox_url)).text()).toContain("<html");
  const teams = await fetch(`${local.management_url}/v1/org/${local.org_id}/team`, {
    headers: { "x-management-key": local.management_key },
  });
  expect(await teams.json()).toMatchObject({ teams: [{ id: local.team_id }] });
  const demo = await call("GET", `/v2/user/${local.demo_user_id}`);
  expect(demo.body.connected_sources).toHaveLength(3);
  const since = new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10);
  const { body } = await call("GET", `/v2/summary/sleep/${local.demo_user_id}?start_date=${since}`);
  expect(body.sleep.length).toBeGreaterThan(80);
});

test("the printed commands work as printed", async () => {
  const lines = running.output.split("\n");
  const first = lines.findIndex((line) => line.includes("export KEY="));
  const block = lines
    .slice(
      first,
      lines.findIndex((line, index) => index > first && line.trim() === ""),
    )
    .join("\n");
  expect(block.split("\n").length).toBeGreaterThanOrEqual(3);
  const { stdout } = await promisify(execFile)("bash", ["-c", block]);
  expect(stdout).toContain('"accepted":1');
  expect(stdout).toContain('"value":61');
});

test("a second start on the same directory ends with one line that states the reason", START_LIMIT, async () => {
  const second = new StartedProcess({ ...options, port: await findFreePort(), managementPort: await findFreePort() });
  expect(await second.exited()).toBe(1);
  expect(second.output.trim().split("\n")).toEqual([expect.stringContaining("another process uses")]);
  expect(second.output).toContain(directory);
  expect(existsSync(join(directory, "local.json"))).toBe(true);
  expect((await call("GET", "/v2/user")).status).toBe(200);
});

test.each(["port", "managementPort"] as const)("a start on a used %s ends with one line", START_LIMIT, async (name) => {
  const other = mkdtempSync(join(tmpdir(), "tributary-story-other-"));
  const free = { port: await findFreePort(), managementPort: await findFreePort() };
  const second = new StartedProcess({ ...free, directory: other, [name]: options[name] });
  expect(await second.exited()).toBe(1);
  expect(second.output.trim().split("\n")).toEqual([expect.stringContaining(`${options[name]} is already in use`)]);
  expect(existsSync(join(other, "local.json"))).toBe(false);
  rmSync(other, { recursive: true });
});

/** Sends small batches until the service is gone. @returns the minutes that were accepted. */
async function load(userId: string, hour: number, taken: { hour: number; minute: number }[]): Promise<void> {
  for (let minute = 0; minute < 60 * 60; minute++) {
    const start = new Date(Date.UTC(2026, 0, 1, hour, minute)).toISOString();
    const body = { provider: "oura", source_type: "ring", resources: { heartrate: createHeartRates(start, 3) } };
    const status = await call("POST", `/v2/ingest/${userId}`, body).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 0) return;
    expect(status).toBe(202);
    taken.push({ hour, minute });
  }
}

test("after a crash under load every accepted sample is stored once, and its event is sent", START_LIMIT, async () => {
  const user = (await call("POST", "/v2/user", { client_user_id: "crash" })).body;
  const taken: { hour: number; minute: number }[] = [];
  const loads = [0, 100, 200, 300].map((hour) => load(user.user_id, hour, taken));
  while (taken.length < 80) await new Promise((resolve) => setTimeout(resolve, 5));
  await running.kill("SIGKILL");
  await Promise.all(loads);
  rmSync(join(directory, "local.json"), { force: true });
  const startedAt = performance.now();
  running = new StartedProcess(options);
  local = await running.ready();
  console.info(`restart after SIGKILL: ${Math.round(performance.now() - startedAt)} ms, ${taken.length} batches taken`);
  expect((await call("POST", "/_local/settle")).body.idle).toBe(true);
  await call("POST", "/_local/clock", { advance_seconds: 3_600 });
  await expectAllThere(user.user_id, taken);
});

async function expectAllThere(userId: string, taken: readonly { hour: number; minute: number }[]) {
  const { body } = await call("GET", `/v2/timeseries/${userId}/heartrate?start_date=2026-01-01&end_date=2026-02-01`);
  const read = body.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp));
  expect(new Set(read).size).toBe(read.length);
  const expected = taken.flatMap(({ hour, minute }) => [0, 1, 2].map((s) => Date.UTC(2026, 0, 1, hour, minute, s)));
  expect(expected.filter((ms) => !read.includes(ms))).toEqual([]);
  // Each sender may have one more batch, whose response was lost in the crash.
  expect(read.length - expected.length).toBeLessThanOrEqual(4 * 3);
  const inbox = await call("GET", "/_local/inbox?event_type=daily.data.heartrate.created");
  const delivered = inbox.body.deliveries
    .filter((delivery: { body: { user_id: string } }) => delivery.body.user_id === userId)
    .flatMap((delivery: { body: { data: { data: { timestamp: string }[] } } }) => delivery.body.data.data)
    .map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp));
  expect(expected.filter((ms) => !delivered.includes(ms))).toEqual([]);
}

test(
  "a clean stop removes local.json and ends with code 0, and a later start has the same keys",
  START_LIMIT,
  async () => {
    const before = local;
    const clockBefore = await call("GET", "/_local/clock");
    expect(await running.kill("SIGTERM")).toBe(0);
    expect(existsSync(join(directory, "local.json"))).toBe(false);
    running = new StartedProcess(options);
    local = await running.ready();
    expect(local).toEqual(before);
    const clock = await call("GET", "/_local/clock");
    expect(Date.parse(clock.body.now)).toBeGreaterThanOrEqual(Date.parse(clockBefore.body.now));
  },
);

test(
  "after a clock jump of 26 hours due tasks run once, expired tokens are invalid, and other tasks wait",
  START_LIMIT,
  async () => {
    const receiver = await startRefusingReceiver();
    const { due, early, link_web_url } = await prepareClockJump(local, receiver.url);
    const certificate = () => call("GET", `/v2/user/erasure/${due}`);
    expect([receiver.received.length, (await certificate()).status]).toEqual([1, 404]);
    const linkPage = async () => (await fetch(link_web_url, { redirect: "manual" })).status;
    expect(await linkPage()).toBeLessThan(400);
    receiver.state.isDown = false;
    await running.kill("SIGKILL");
    rmSync(join(directory, "local.json"), { force: true });
    advanceStoppedClock(directory);
    running = new StartedProcess(options);
    local = await running.ready();
    // Sweepers need some minutes.
    await advanceRunningClock(local, 5 * 60);
    expect(receiver.received).toEqual([receiver.received[0], receiver.received[0]]);
    expect((await certificate()).body).toMatchObject({ scan: { found: 0 } });
    expect(await linkPage()).toBeGreaterThanOrEqual(400);
    expect((await call("GET", `/v2/user/erasure/${early}`)).status).toBe(404);
    expect((await call("POST", "/v2/user/undo_delete", { user_id: early })).status).toBe(200);
    await advanceRunningClock(local, 8 * 24 * 3_600);
    expect((await call("GET", `/v2/user/${early}`)).status).toBe(200);
    expect(receiver.received).toHaveLength(2);
    receiver.stop();
  },
);
