// @module-tag deep
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { buildLocally } from "../../../lib/build/local-build.ts";
import type { ResolvedAssembly } from "../../../lib/local/template/read-assembly.ts";
import { TestService } from "../../support/service.ts";
import { buildVersion, type FunctionChange, RELEASE_SETTINGS, readVersion } from "./build-version.ts";
import { playRelease } from "./play-release.ts";
import type { ReleaseMetrics } from "./release-metrics.ts";

/** Requests of a minute: those to the changed route are a twentieth, so the API as a whole hardly fails. */
const [REQUESTS_OF_ROUTE, OTHER_REQUESTS] = [10, 190];

const FILE = "functions/users/get-user.ts";
const READ = "const user = await users.get(scope, params.user_id);";
const edited = (after: string): FunctionChange => ({
  operationId: "getUser",
  file: FILE,
  edit: (source) => {
    expect(source).toContain(READ);
    return source.replace(READ, `${READ}\n  ${after}`);
  },
});
const failing = edited('throw new Error("the fault of this version");');
const working = edited('console.info("the next version");');
const crashing: FunctionChange = {
  ...working,
  edit: (source) => `${source}\nthrow new Error("the fault of this version");`,
};

const versions = { failing, crashing, working };
type VersionName = keyof typeof versions;

let work: string;
let first: ResolvedAssembly;
const built = new Map<string, ResolvedAssembly>();
let service: TestService;
let userId: string;
beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), "releases-"));
  const { assemblyDirectory: assembly } = await buildLocally(RELEASE_SETTINGS);
  first = readVersion(assembly);
  // A synthesis blocks the process, in which connections of the service would time out.
  for (const [name, change] of Object.entries(versions))
    built.set(name, await buildVersion(assembly, join(work, name), change));
  service = await TestService.start(undefined, RELEASE_SETTINGS, assembly);
  // Lambda sets it, and the namespace of metrics is its first part.
  vi.stubEnv("AWS_LAMBDA_LOG_GROUP_NAME", "/tributary/users/getUser");
  userId = await service.createUser("released");
}, 600_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  await service?.stop();
  rmSync(work, { recursive: true, force: true });
});

const readUser = () => service.call("GET", `/v2/user/${userId}`);
const readAll = async () => [(await readUser()).body, (await service.call("GET", "/v2/user?limit=500")).body];

let statuses: number[] = [];
afterEach(() => {
  statuses = [];
});

/** Sends the requests of a minute to the changed route and to another one, and counts them as API Gateway does. */
async function sendMinute(metrics: ReleaseMetrics): Promise<void> {
  const { ref: ApiId = "" } = service.cloud.assembly.resources.find(({ name }) => name === "main") ?? {};
  for (let count = 0; count < REQUESTS_OF_ROUTE + OTHER_REQUESTS; count += 1) {
    const isOfRoute = count < REQUESTS_OF_ROUTE;
    const { status } = await (isOfRoute ? readUser() : service.call("GET", "/v2/link/providers"));
    if (isOfRoute) statuses.push(status);
    metrics.add("AWS/ApiGateway", "Count", { ApiId }, 1);
    if (status >= 500) metrics.add("AWS/ApiGateway", "5xx", { ApiId }, 1);
  }
}

async function release(name: VersionName) {
  const next = built.get(name);
  if (!next) throw new Error(`the version ${name} is not built`);
  return playRelease({ service, before: first, next, sendMinute });
}

const answeredBy = (status: number) => statuses.filter((one) => one === status).length;

describe("a gradual release", () => {
  test.each([
    ["answers each request to a rare route with 500", "failing"],
    ["fails when it loads", "crashing"],
  ] as const)("of a version that %s goes back by itself", async (_, name) => {
    const before = await readAll();
    const outcome = await release(name);
    expect(outcome).toEqual({ status: "rolled back", minutes: 2, alarms: ["getUserVersionFails"] });
    expect([answeredBy(500), answeredBy(200)]).toEqual([2, 18]);
    statuses = [];
    for (let count = 0; count < 50; count += 1) statuses.push((await readUser()).status);
    expect(answeredBy(200)).toBe(50);
    expect(await readAll()).toEqual(before);
  });

  test("of a version without a fault reaches all requests", async () => {
    expect(await release("working")).toEqual({ status: "succeeded", minutes: 5, alarms: [] });
    expect([answeredBy(200), statuses.length]).toEqual([50, 50]);
    expect((await readUser()).status).toBe(200);
  });
});
