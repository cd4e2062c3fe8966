// @module-tag deep
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { operationsSettings } from "./support/all-options.ts";
import { allFindings, openFindings, readAcknowledgements, sortedPaths } from "./support/nag-findings.ts";
import { parseStatements } from "./support/policy-document.ts";
import { findResource, resourcesOfType, synthesizeService } from "./support/synthesize.ts";

const service = synthesizeService(operationsSettings);
const environmentOf = (operationId: string) =>
  findResource(service, "AWS::Lambda::Function", `${operationId}Function`).properties.Environment;
const secretsOf = (operationId: string) => {
  const { properties } =
    resourcesOfType(service, "AWS::IAM::ManagedPolicy").find(({ logicalId }) =>
      logicalId.startsWith(`${operationId}Policy`),
    ) ?? {};
  return parseStatements(properties?.PolicyDocument).filter(({ Action }) =>
    Action.join().startsWith("secretsmanager:"),
  );
};

test("by default there is neither an export of spans nor a watch", () => {
  const usual = synthesizeService();
  const names = usual.assembly.resources
    .map(({ logicalId }) => logicalId)
    .filter((id) => /exportSpans|watchService/.test(id));
  expect(names).toEqual([]);
  expect(resourcesOfType(usual, "AWS::Logs::SubscriptionFilter")).toEqual([]);
});

test("cdk-nag finds only acknowledged findings", () => {
  expect(openFindings(service.app, "Tributary")).toEqual({});
  expect(sortedPaths(readAcknowledgements(service.app, "Tributary"))).toEqual(allFindings(service.app, "Tributary"));
});

describe("the export of spans", () => {
  const exporter = findResource(service, "AWS::Lambda::Function", "exportSpansFunction");

  test("gets the span lines of every other function, and only of these", () => {
    const filters = resourcesOfType(service, "AWS::Logs::SubscriptionFilter").map(({ properties }) => properties);
    expect(filters).toHaveLength(resourcesOfType(service, "AWS::Lambda::Function").length - 1);
    expect(new Set(filters.map(({ FilterPattern }) => FilterPattern))).toEqual(new Set(['{ $.message = "span" }']));
    expect(new Set(filters.map(({ DestinationArn }) => DestinationArn))).toEqual(new Set([exporter.arn]));
    const own = findResource(service, "AWS::Logs::LogGroup", "exportSpansLogs").name;
    expect(filters.map(({ LogGroupName }) => LogGroupName)).not.toContain(own);
  });

  test("may be invoked by the log groups of this deployment alone", () => {
    const permissions = resourcesOfType(service, "AWS::Lambda::Permission").map(({ properties }) => properties);
    expect(permissions.filter(({ Principal }) => Principal === "logs.amazonaws.com")).toEqual([
      expect.objectContaining({
        FunctionName: exporter.arn,
        SourceArn: expect.stringMatching(/^arn:aws:logs:us-east-1:\d{12}:log-group:\/tributary\/\*$/),
        SourceAccount: expect.stringMatching(/^\d{12}$/),
      }),
    ]);
  });

  test("knows the receiver, and reads the secret with its headers and no other", () => {
    const { endpoint, headersSecretArn } = operationsSettings.traceExport;
    expect(environmentOf("exportSpans")).toMatchObject({
      Variables: { OTLP_ENDPOINT: endpoint, OTLP_HEADERS_SECRET: headersSecretArn },
    });
    expect(secretsOf("exportSpans")).toMatchObject([{ Resource: [headersSecretArn] }]);
  });
});

test("the watch plays every five minutes, reads its key, and alarms after two failed plays", () => {
  const { keySecretArn } = operationsSettings.watch;
  expect(findResource(service, "AWS::Events::Rule", "watchServiceSchedule").properties).toMatchObject({
    ScheduleExpression: "rate(5 minutes)",
  });
  const fn = findResource(service, "AWS::Lambda::Function", "watchServiceFunction");
  expect(resourcesOfType(service, "AWS::Lambda::EventInvokeConfig").map(({ properties }) => properties)).toEqual([
    { FunctionName: fn.ref, Qualifier: "$LATEST", MaximumRetryAttempts: 0 },
  ]);
  expect(environmentOf("watchService")).toMatchObject({ Variables: { WATCH_KEY_SECRET: keySecretArn } });
  expect(secretsOf("watchService")).toMatchObject([{ Resource: [keySecretArn] }]);
  expect(findResource(service, "AWS::CloudWatch::Alarm", "watchServiceFailing").properties).toMatchObject({
    ...{ Namespace: "tributary", MetricName: "watch.failed", Threshold: 2, Period: 900 },
    Dimensions: [{ Name: "service", Value: "watch" }],
  });
});

describe("a service level", () => {
  const alarms = resourcesOfType(service, "AWS::CloudWatch::Alarm").filter(({ stack }) =>
    stack.endsWith("ServiceLevels"),
  );
  const composites = resourcesOfType(service, "AWS::CloudWatch::CompositeAlarm");

  test("has a fast and a slow alarm, each over a long and a short window", () => {
    expect(composites.map(({ logicalId }) => logicalId.slice(0, -8)).sort()).toEqual(
      ["Availability", "Delivery", "Storing"].flatMap((level) => [`${level}Fast`, `${level}Slow`]),
    );
    for (const { properties } of composites)
      expect(properties.AlarmRule).toMatch(/^\(ALARM\(".+"\) AND ALARM\(".+"\)\)$/);
    expect(alarms).toHaveLength(2 * composites.length);
  });

  test("burns at the rates of the windows, and only both windows together notify", () => {
    const thresholdOf = (id: string) => findResource(service, "AWS::CloudWatch::Alarm", id).properties.Threshold;
    expect([thresholdOf("AvailabilityFastLong"), thresholdOf("AvailabilitySlowShort")]).toEqual([0.0144, 0.006]);
    expect(thresholdOf("DeliveryFastShort")).toBe(0.144);
    expect(alarms.filter(({ properties }) => properties.AlarmActions !== undefined)).toEqual([]);
    const topic = findResource(service, "AWS::SNS::Topic", "Alarms").ref;
    for (const { properties } of composites) expect(properties.AlarmActions).toEqual([topic]);
  });

  test("links to a section of the runbook", () => {
    const runbook = readFileSync("docs/runbook.md", "utf8");
    expect(runbook).toContain("\n## A service level burns\n");
    expect(runbook).toContain("\n## The watch fails\n");
    for (const { properties } of composites)
      expect(properties.AlarmDescription).toMatch(/ Runbook: docs\/runbook\.md#a-service-level-burns$/);
  });
});

test.each([
  [{ traceExport: { endpoint: "http://traces.example.com" } }, "traceExport.endpoint"],
  [{ traceExport: { endpoint: "https://traces.example.com", headersSecretArn: "x" } }, "traceExport.headersSecretArn"],
  [{ watch: {} }, "watch.keySecretArn"],
])("%j is an error that names the key", (settings, key) => {
  expect(() => synthesizeService(settings)).toThrow(key);
});
