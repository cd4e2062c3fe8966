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
  expect(environmentOf("watchService")).toMatchObject({ Variables: { WATCH_KEY_SECRET: keySecretArn } });
  expect(secretsOf("watchService")).toMatchObject([{ Resource: [keySecretArn] }]);
  expect(findResource(service, "AWS::CloudWatch::Alarm", "watchServiceFailing").properties).toMatchObject({
    ...{ Namespace: "tributary", MetricName: "watch.failed", Threshold: 2, Period: 900 },
    Dimensions: [{ Name: "service", Value: "watch" }],
  });
});

test.each([
  [{ traceExport: { endpoint: "http://traces.example.com" } }, "traceExport.endpoint"],
  [{ traceExport: { endpoint: "https://traces.example.com", headersSecretArn: "x" } }, "traceExport.headersSecretArn"],
  [{ watch: {} }, "watch.keySecretArn"],
])("%j is an error that names the key", (settings, key) => {
  expect(() => synthesizeService(settings)).toThrow(key);
});
