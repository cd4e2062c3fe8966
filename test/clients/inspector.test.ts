import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contracts } from "../../functions/index.ts";
import { createHeartRates, ingestBatch } from "../local/service/ingest/ingest-batch.ts";
import { TestService } from "../support/service.ts";

const INSPECTOR = "node_modules/.cache/public-clients/node_modules/.bin/inspector";

let service: TestService;
let userId: string;
let home: string;
beforeAll(async () => {
  service = await TestService.start();
  home = mkdtempSync(join(tmpdir(), "tributary-inspector-"));
  userId = await service.createUser("inspected");
  await ingestBatch(service, userId, { heartrate: createHeartRates("2026-05-01T08:00:00Z", 250) });
});
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await service.stop();
});

/** Calls a method of the service with the inspector of the Model Context Protocol. @returns its result. */
async function inspect(key: string, ...args: readonly string[]) {
  const target = [`${service.baseUrl}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${key}`];
  const { stdout } = await promisify(execFile)(INSPECTOR, ["--cli", ...target, "--stored-auth-only", ...args], {
    env: { ...process.env, HOME: home },
    maxBuffer: 1_048_576,
  });
  return JSON.parse(stdout);
}

test("the protocol's inspector lists the tools that the contracts mark", async () => {
  const { tools } = await inspect(service.identity.api_key, "--method", "tools/list");
  const marked = contracts.flatMap((contract) =>
    contract.kind === "endpoint" && contract.agentTool ? [contract.agentTool.name] : [],
  );
  expect(tools.map(({ name }: { name: string }) => name).toSorted()).toEqual(marked.toSorted());
});

test("the protocol's inspector calls a tool, whose answer counts what it leaves out", async () => {
  const call = ["--method", "tools/call", "--tool-name", "get_samples"];
  const given = [`user_id=${userId}`, "resource=heartrate", "start_date=2026-05-01", "end_date=2026-05-01"];
  const { structuredContent } = await inspect(
    service.identity.api_key,
    ...call,
    ...given.flatMap((pair) => ["--tool-arg", pair]),
  );
  // 250 samples are more than an answer may hold, so each row stands for some of them.
  expect(structuredContent).toMatchObject({ left_out: 250, reduction: expect.anything() });
  expect(JSON.stringify(structuredContent.data)).toContain("2026-05-01");
});

test("the protocol's inspector is refused without a valid key", async () => {
  await expect(inspect("sk_us_wrong", "--method", "tools/list")).rejects.toThrow(/auth_required/);
});
