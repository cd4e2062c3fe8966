// @module-tag deep
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { findFunctionName } from "../support/stored-items.ts";

const FIVE_MINUTES_MS = 5 * 60_000;
/** The one secret of the templates stands for the operator's secret with the key. */
const SECRET_ARN = "arn:aws:secretsmanager:us-east-1:000000000000:secret:tributary/provider-apps";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start(undefined, { watch: { keySecretArn: SECRET_ARN } });
});
afterEach(() => service.cloud.faults.clear());
afterAll(() => service.stop());

/** Lets five minutes pass, with one or two scheduled plays. @returns the log lines of the watch since then, and the operations of its trace. */
async function playUntilNextRun() {
  const file = service.data.file("functions.log");
  const before = readFileSync(file).length;
  await service.advance(FIVE_MINUTES_MS);
  const name = findFunctionName(service, "watchService");
  const lines = readFileSync(file)
    .subarray(before)
    .toString()
    .split("\n")
    .filter((line) => line.startsWith(name))
    .map((line) => JSON.parse(line.slice(name.length)));
  const { trace_id } = lines.find(({ message }) => message === "span") ?? {};
  const spans = service.started.service.traces.find(trace_id)?.spans ?? [];
  const plays = lines.filter(({ message }) => message === "span").length;
  return { lines, plays, operations: new Set(spans.map(({ operation }) => operation)) };
}
const failuresIn = (lines: readonly Record<string, unknown>[]) => lines.filter((line) => line["watch.failed"] === 1);

test("a play of a working service creates a user, sends and reads a sample, deletes the user, and counts nothing", async () => {
  writeFileSync(service.cloud.secrets[0]?.file ?? "", service.identity.api_key);
  const { lines, operations } = await playUntilNextRun();
  expect(failuresIn(lines)).toEqual([]);
  const used = ["watchService", "createUser", "ingestBatch", "storeBatch", "getGroupedTimeseries", "deleteUser"];
  expect([...operations]).toEqual(expect.arrayContaining(used));
});

test("a play of a service that stores nothing counts a failure of this step, and still deletes its user", async () => {
  service.cloud.faults.add({
    ...{ service: "dynamodb", mode: "fail_before", every_attempt: true },
    function: findFunctionName(service, "storeBatch"),
  });
  const { lines, plays, operations } = await playUntilNextRun();
  expect(failuresIn(lines)).toHaveLength(plays);
  expect(lines.find(({ level }) => level === "error")).toMatchObject({ step: "store" });
  expect([...operations]).toContain("deleteUser");
});

test("a play without a key counts a failure and names the setting", async () => {
  writeFileSync(service.cloud.secrets[0]?.file ?? "", "");
  const { lines, plays } = await playUntilNextRun();
  expect(failuresIn(lines)).toHaveLength(plays);
  expect(lines.find(({ level }) => level === "error")).toMatchObject({ reason: "watch.keySecretArn" });
});
