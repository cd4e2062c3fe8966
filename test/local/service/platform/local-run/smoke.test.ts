import { afterAll, beforeAll, expect, test } from "vitest";
import { runSmokeTest, type SmokeOptions } from "../../../../../lib/cli/deploy/smoke-test.ts";
import { TestService } from "../../../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Runs the smoke test against the service. @returns the completed steps, and the failure if any. */
async function smoked(options: Partial<SmokeOptions> = {}) {
  const steps: string[] = [];
  const all = {
    baseUrl: service.baseUrl,
    key: service.identity.api_key,
    pause: () => service.settle(),
    maxAttempts: 5,
  };
  const failure = await runSmokeTest({ ...all, report: (step) => steps.push(step), ...options }).catch(String);
  return { steps, failure };
}

const activeUsers = async () => (await service.call("GET", "/v2/user")).body.total;

test("the smoke test follows a sample from its user to its event, and leaves no user", async () => {
  const before = await activeUsers();
  const { steps, failure } = await smoked();
  expect(failure).toBeUndefined();
  expect(steps).toEqual([
    expect.stringMatching(/^created user /),
    expect.stringMatching(/^sent a sample with receipt /),
    "the sample is stored",
    "read the sample back",
    expect.stringMatching(/^found the event daily\.data\.heartrate\.created with sequence \d+ in the feed$/),
    expect.stringMatching(/^deleted the user/),
  ]);
  expect(await activeUsers()).toBe(before);
});

test("the smoke test reports the failed step, and still deletes its user", async () => {
  const before = await activeUsers();
  service.cloud.faults.add({ service: "sqs", mode: "fail_before" });
  const { steps, failure } = await smoked();
  service.cloud.faults.clear();
  expect(failure).toMatch(/^SmokeFailed: POST \/v2\/ingest\//);
  expect(steps.at(-1)).toMatch(/^deleted the user/);
  expect(await activeUsers()).toBe(before);
  expect((await smoked({ key: "sk_us_nothing" })).failure).toMatch(/^SmokeFailed: POST \/v2\/user: 401 /);
});
