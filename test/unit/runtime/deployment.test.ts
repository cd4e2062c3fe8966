import { afterEach, expect, test, vi } from "vitest";
import { getItem, resourceVariable, sendMessage } from "../../../lib/contract/access.ts";
import { ingestion, webhookAttempts } from "../../../lib/contract/queues.ts";
import { users } from "../../../lib/contract/resources.ts";
import { locateResource } from "../../../lib/runtime/aws/aws.ts";
import { deployment } from "../../../lib/runtime/deployment.ts";

afterEach(() => vi.unstubAllEnvs());

test("a deployment serves one environment and region", () => {
  vi.stubEnv("SERVICE_ENVIRONMENT", "production");
  vi.stubEnv("SERVICE_REGION", "eu");
  expect(deployment()).toEqual({ environment: "production", region: "eu" });
});

test.each([
  ["staging", "us"],
  ["sandbox", "mars"],
  ["", ""],
])("a deployment for %j and %j is an error", (environment, region) => {
  vi.stubEnv("SERVICE_ENVIRONMENT", environment);
  vi.stubEnv("SERVICE_REGION", region);
  expect(() => deployment()).toThrow("not set");
});

test("a granted resource is located by its environment variable", () => {
  expect(resourceVariable(getItem(users).resource)).toBe("TABLE_DIRECTORY");
  expect(resourceVariable(sendMessage(webhookAttempts).resource)).toBe("QUEUE_WEBHOOK_ATTEMPTS");
  vi.stubEnv("QUEUE_INGESTION", "https://queue");
  expect(locateResource(ingestion)).toBe("https://queue");
  expect(() => locateResource(webhookAttempts)).toThrow("did not declare access");
});
