import { readFileSync } from "node:fs";
import { App } from "aws-cdk-lib/core";
import { describe, expect, test } from "vitest";
import { readConfig, resolveConfig } from "../../lib/stacks/config.ts";
import { frankfurtCertificate } from "./support/all-options.ts";

const { context } = JSON.parse(readFileSync("cdk.json", "utf8"));

/** The error message for invalid settings. */
function refusal(settings: object, stage?: string, stages?: object): string {
  try {
    resolveConfig(settings, stages, stage);
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "taken";
}

describe("a stage", () => {
  const stages = { try: { name: "Tried", logRetentionDays: 7 } };

  test("overrides the common settings and keeps the others", () => {
    expect(resolveConfig({ name: "Mine", requestsPerSecond: 5 }, stages, "try")).toMatchObject({
      name: "Tried",
      logRetentionDays: 7,
      requestsPerSecond: 5,
      environment: "sandbox",
    });
    expect(resolveConfig({ name: "Mine" }, stages, undefined)).toMatchObject({ name: "Mine", logRetentionDays: 90 });
  });

  test("that does not exist is an error that lists the existing ones", () => {
    expect(refusal({}, "prod", stages)).toBe("cdk.json has no stage prod; its stages are: try");
  });

  test.each(Object.keys(context.stages))("%s of cdk.json is valid", (stage) => {
    const { stages: given, "cli-telemetry": _, ...forAll } = context;
    expect(resolveConfig(forAll, given, stage).name).not.toBe("Tributary");
  });

  test("for production keeps its data and has no sandbox quotas", () => {
    const prod = resolveConfig({}, context.stages, "prod");
    expect(prod).toMatchObject({ environment: "production", removal: "retain" });
    expect(prod.usersPerTeam).toBeUndefined();
    expect(refusal({}, "live", { live: { environment: "production", removal: "destroy" } })).toBe(
      "cdk.json, stage live: removal must be retain in production",
    );
  });
});

test("the configuration accepts numbers as text from the command line", () => {
  expect(
    resolveConfig({ logRetentionDays: "30", requestsPerSecond: "10", dashboard: "false" }, undefined, undefined),
  ).toMatchObject({
    logRetentionDays: 30,
    requestsPerSecond: 10,
    dashboard: false,
  });
});

describe("the error message about invalid settings", () => {
  test.each([
    ["logRetentionDays", { logRetentionDays: 8 }],
    ["environment", { environment: "staging" }],
    ["region", { region: "us-east-1" }],
    ["restoreDays", { restoreDays: 36 }],
    ["backupDays", { backupDays: 0 }],
    ["alarmEmail", { alarmEmail: "operators" }],
    ["name", { name: "has space" }],
    ["maxConcurrency.storeBatch", { maxConcurrency: { storeBatch: 1 } }],
    ["forward", { forward: [{ name: "x" }] }],
    ["domain.certificateArn", { domain: { name: "api.example.com", certificateArn: "mine" } }],
    ["domain.name", { domain: { name: "https://api.example.com", certificateArn: frankfurtCertificate } }],
    [
      "edge.domain.certificateArn",
      { edge: { domain: { name: "a.example.com", certificateArn: frankfurtCertificate } } },
    ],
    ["edge.webAclArn", { region: "eu", edge: {} }],
  ])("names the key: %s", (key, settings) => {
    expect(refusal(settings)).toContain(key);
  });

  test("names an unknown key of the common settings or of -c", () => {
    const app = new App({ context: { "@aws-cdk/core:any": true, backupDay: 35 } });
    expect(() => readConfig(app)).toThrow("backupDay");
  });

  test("names an unknown key together with its stage", () => {
    const message = refusal({}, "try", { try: { retention: 3 } });
    expect(message).toContain("cdk.json, stage try");
    expect(message).toContain("retention");
  });
});
