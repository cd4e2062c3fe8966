import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { consumers } from "../../../functions/index.ts";
import { readEventSourceMappings, readQueues, readRules } from "../../../lib/local/template/read-resources.ts";
import { sampleForwards } from "../support/forwards.ts";
import { locateGrantedResource } from "../support/locate-resource.ts";
import { findResource, resourcesOfType, synthesizeService } from "../support/synthesize.ts";

const service = synthesizeService({ forward: sampleForwards, lake: true });
const queues = readQueues(service.assembly);
const rules = readRules(service.assembly);
const mappings = resourcesOfType(service, "AWS::Lambda::EventSourceMapping");
const functions = resourcesOfType(service, "AWS::Lambda::Function");

/** ARNs of the dead-letter queues. */
const deadLetterArns = new Set([
  ...queues.map(({ redrive }) => redrive?.deadLetterArn),
  ...rules.flatMap(({ targets }) => targets.map(({ deadLetterArn }) => deadLetterArn)),
  ...readEventSourceMappings(service.assembly).map(({ onFailureArn }) => onFailureArn),
]);

test("the runbook says what to do with dead letters that SQS does not move back, and the command finds the bus", () => {
  const sources = new Set(queues.map(({ redrive }) => redrive?.deadLetterArn));
  const unmovable = resourcesOfType(service, "AWS::SQS::Queue").filter(
    ({ arn = "" }) => deadLetterArns.has(arn) && !sources.has(arn),
  );
  const ids = unmovable.map(({ logicalId }) => logicalId.replace(/Queue[0-9A-F]{8}$/, ""));
  expect(ids.filter((id) => !id.endsWith("Missed")).sort()).toEqual(
    [
      "UndeliveredChanges",
      "UndeliveredEvents",
      "UndeliveredForwards",
      "UndeliveredLakeEvents",
      "UnroutedEvents",
    ].sort(),
  );
  const runbook = readFileSync("docs/runbook.md", "utf8");
  for (const id of ids) expect(runbook).toContain(`\`${id.replace(/^.*Missed$/, "...Missed")}\``);
  expect(findResource(service, "AWS::Events::EventBus", "Bus").name).toMatch(/^TributaryEventsBus/);
});

describe("every queue", () => {
  test("is a dead-letter queue or has one", () => {
    expect(queues.filter(({ arn, redrive }) => !redrive && !deadLetterArns.has(arn))).toEqual([]);
    expect(queues.filter(({ redrive }) => redrive && redrive.maxReceiveCount !== 5)).toEqual([]);
  });

  test("keeps dead letters for fourteen days, and longer than the source queue keeps messages", () => {
    for (const { arn, retentionS } of queues) {
      if (deadLetterArns.has(arn)) expect(retentionS).toBe(14 * 86_400);
      else expect(retentionS).toBeLessThan(14 * 86_400);
    }
  });

  test("is encrypted and rejects unencrypted connections", () => {
    const policies = resourcesOfType(service, "AWS::SQS::QueuePolicy").map(({ properties }) =>
      JSON.stringify(properties),
    );
    for (const { properties, arn, ref } of resourcesOfType(service, "AWS::SQS::Queue")) {
      // For queues with the deployment's own key, see narrowed.test.ts.
      expect(properties.KmsMasterKeyId ?? properties.SqsManagedSseEnabled).toBeTruthy();
      const own = policies.find((policy) => policy.includes(`"Queues":["${ref}"]`));
      expect(own).toContain(`"Condition":{"Bool":{"aws:SecureTransport":"false"}},"Effect":"Deny"`);
      expect(own).toContain(`${arn}`);
    }
  });
});

describe("every rule target", () => {
  const targets = rules.flatMap((rule) => rule.targets.map((target) => ({ rule: rule.name, ...target })));

  test("has an existing dead-letter queue", () => {
    expect(targets.length).toBeGreaterThan(7);
    const known = queues.map(({ arn }) => arn);
    expect(targets.filter(({ deadLetterArn }) => !deadLetterArn || !known.includes(deadLetterArn))).toEqual([]);
  });

  test("has an explicit maximum age of a day and 185 attempts", () => {
    for (const { retry } of targets) expect(retry).toEqual({ maximumRetryAttempts: 185, maximumEventAgeS: 86_400 });
  });

  test("is a queue or function whose policy allows the rule", () => {
    const open = [
      ...resourcesOfType(service, "AWS::SQS::QueuePolicy"),
      ...resourcesOfType(service, "AWS::Lambda::Permission"),
    ];
    const texts = open.map(({ properties }) => JSON.stringify(properties));
    for (const { arn, deadLetterArn = "" } of targets) {
      for (const reached of [arn, deadLetterArn]) {
        expect(texts.some((text) => text.includes(reached) && text.includes("events.amazonaws.com"))).toBe(true);
      }
    }
  });
});

describe("every event source mapping", () => {
  test("invokes the consumer that declares it", () => {
    const fed = consumers.filter(({ trigger }) => trigger.kind === "queue" || trigger.kind === "stream");
    const declared = fed.map(
      ({ operationId }) => findResource(service, "AWS::Lambda::Function", `${operationId}Function`).arn,
    );
    expect(mappings.map(({ properties }) => properties.FunctionName).sort()).toEqual(declared.sort());
  });

  test("of a queue has a share of the account's 1,000 concurrent runs, and all shares leave half to the API", () => {
    const ofQueues = mappings.filter(({ properties }) => String(properties.EventSourceArn).includes(":sqs:"));
    const shares = ofQueues.map(({ properties }) => properties.ScalingConfig as { MaximumConcurrency: number });
    expect(shares.length).toBeGreaterThan(15);
    for (const share of shares) expect(share.MaximumConcurrency).toBeGreaterThanOrEqual(2);
    expect(shares.reduce((sum, { MaximumConcurrency }) => sum + MaximumConcurrency, 0)).toBeLessThanOrEqual(500);
  });

  test("reports failures of single messages in a batch", () => {
    for (const { properties } of mappings) {
      expect(properties.FunctionResponseTypes).toEqual(["ReportBatchItemFailures"]);
    }
  });

  test("of a queue hides a message for six times the function's timeout", () => {
    const fromQueues = readEventSourceMappings(service.assembly).flatMap(({ sourceArn, functionArn }) => {
      const queue = queues.find(({ arn }) => arn === sourceArn);
      const timeoutS = Number(functions.find(({ arn }) => arn === functionArn)?.properties.Timeout);
      return queue ? [{ hiddenS: queue.visibilityTimeoutS, timeoutS }] : [];
    });
    expect(fromQueues).toHaveLength(consumers.filter(({ trigger }) => trigger.kind === "queue").length);
    for (const { hiddenS, timeoutS } of fromQueues) expect(hiddenS).toBeGreaterThanOrEqual(6 * timeoutS);
  });

  test("of a stream isolates a failing record, stops its retries and moves it to a dead-letter queue", () => {
    const streams = mappings.filter(({ properties }) => String(properties.EventSourceArn).includes("/stream/"));
    expect(streams).toHaveLength(1);
    for (const { properties } of streams) {
      expect(properties).toMatchObject({
        BisectBatchOnFunctionError: true,
        MaximumRetryAttempts: 5,
        MaximumRecordAgeInSeconds: 3600,
        StartingPosition: "TRIM_HORIZON",
        DestinationConfig: { OnFailure: { Destination: expect.stringMatching(/:sqs:/) } },
      });
    }
  });
});

describe("every scheduled function", () => {
  const scheduled = consumers.filter(({ trigger }) => trigger.kind === "schedule");

  test.each(scheduled)("$operationId has a dead-letter queue for failed asynchronous runs", (contract) => {
    const { properties } = findResource(service, "AWS::Lambda::Function", `${contract.operationId}Function`);
    const missed = findResource(service, "AWS::SQS::Queue", `${contract.operationId}MissedQueue`);
    expect(properties.DeadLetterConfig).toEqual({ TargetArn: missed.arn });
  });

  test.each(scheduled)("$operationId runs at its declared rate", ({ operationId, trigger }) => {
    const { properties } = findResource(service, "AWS::Events::Rule", `${operationId}Schedule`);
    const [, count, unit = ""] =
      /^rate\((\d+) (minute|hour|day)s?\)$/.exec(String(properties.ScheduleExpression)) ?? [];
    const minutes = Number(count) * ({ minute: 1, hour: 60, day: 1440 }[unit] ?? Number.NaN);
    expect(trigger).toMatchObject({ kind: "schedule", rate: { minutes } });
  });
});

test("functions publish to a bus of the service", () => {
  const { environment } = locateGrantedResource(service, { kind: "bus", name: "events" });
  const publishing = functions.filter(({ properties }) => JSON.stringify(properties).includes("BUS_EVENTS"));
  expect(publishing.length).toBeGreaterThan(0);
  for (const { properties } of publishing) {
    expect(properties.Environment).toMatchObject({ Variables: { BUS_EVENTS: environment } });
  }
});
