// @module-tag deep
import { Template } from "aws-cdk-lib/assertions";
import { App, Stack } from "aws-cdk-lib/core";
import { describe, expect, test } from "vitest";
import { addReleaseAlarm } from "../../lib/stacks/operations/release-alarm.ts";
import { type AlarmResource, isInAlarm } from "../local/releases/evaluate-alarm.ts";
import { findResource, synthesizeService } from "./support/synthesize.ts";

/** Whether an alarm starts with these sums by the name of the metric. CloudWatch has no value for what never happened. */
const starts = (alarm: AlarmResource, sums: Readonly<Record<string, number>>) =>
  isInAlarm(alarm, ({ name }) => sums[name]);

describe("the alarm on an API that ends gradual releases", () => {
  const stack = new Stack(new App(), "Stack");
  addReleaseAlarm(stack, "api", "Tributary-release-main");
  const [[logicalId, { Properties }] = ["", { Properties: {} }]] = Object.entries(
    Template.fromStack(stack).findResources("AWS::CloudWatch::Alarm"),
  );
  const alarm = { logicalId, properties: Properties };

  test("starts when more than a hundredth of at least 20 requests fail", () => {
    expect(starts(alarm, { Count: 1000 })).toBe(false);
    expect(starts(alarm, { Count: 1000, "5xx": 10 })).toBe(false);
    expect(starts(alarm, { Count: 1000, "5xx": 11 })).toBe(true);
    expect(starts(alarm, { Count: 19, "5xx": 19 })).toBe(false);
    expect(starts(alarm, { Count: 20, "5xx": 1 })).toBe(true);
  });
});

describe("the alarm on a version that ends its gradual release", () => {
  const service = synthesizeService({ gradualReleases: "canary5" });
  const alarm = findResource(service, "AWS::CloudWatch::Alarm", "getUserVersionFails");

  test.each([
    { name: "no requests", sums: {}, isStarted: false },
    { name: "requests without a failure", sums: { Invocations: 500, Errors: 0 }, isStarted: false },
    { name: "one failure alone", sums: { Invocations: 1, Errors: 0, "requests.failed": 1 }, isStarted: false },
    { name: "two server errors", sums: { Invocations: 2, Errors: 0, "requests.failed": 2 }, isStarted: true },
    { name: "two crashes", sums: { Invocations: 100, Errors: 2 }, isStarted: true },
    { name: "one of each", sums: { Invocations: 100, Errors: 1, "requests.failed": 1 }, isStarted: true },
    { name: "a hundredth", sums: { Invocations: 200, Errors: 0, "requests.failed": 2 }, isStarted: false },
  ])("with $name: $isStarted", ({ sums, isStarted }) => {
    expect(starts(alarm, sums)).toBe(isStarted);
  });

  test("reads metrics of this function and version alone", () => {
    const { properties } = findResource(service, "AWS::Lambda::Alias", "getUserLive");
    const versions = new Set<string | undefined>();
    isInAlarm(alarm, ({ dimensions }) => {
      versions.add(dimensions.ExecutedVersion ?? dimensions.version);
      expect([dimensions.FunctionName, dimensions.operation]).toContain(
        dimensions.operation === undefined ? properties.FunctionName : "getUser",
      );
      return undefined;
    });
    expect(versions).toEqual(new Set([properties.FunctionVersion]));
  });
});
