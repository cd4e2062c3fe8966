import { describe, expect, test } from "vitest";
import * as z from "zod";
import { readEventSourceMappings, readQueues, readRules } from "../../../lib/local/template/read-resources.ts";
import { sampleForwards } from "../support/forwards.ts";
import { resourcesOfType, synthesizeService } from "../support/synthesize.ts";

const service = synthesizeService({ forward: sampleForwards, lake: true });
const { assembly } = service;
const queues = readQueues(assembly);
const functions = resourcesOfType(service, "AWS::Lambda::Function");

/** A path of messages, its number of attempts, and its dead-letter queue. */
interface MessagePath {
  readonly name: string;
  readonly tries: readonly (number | undefined)[];
  readonly deadLetterArn: string | undefined;
}

const mapping = z.object({
  EventSourceArn: z.string(),
  MaximumRetryAttempts: z.number().optional(),
  MaximumRecordAgeInSeconds: z.number().optional(),
});
const isStream = (arn: string) => arn.includes(":dynamodb:");

const edges: readonly MessagePath[] = [
  ...queues.flatMap(({ name, redrive }) =>
    redrive ? [{ name: `queue ${name}`, tries: [redrive.maxReceiveCount], deadLetterArn: redrive.deadLetterArn }] : [],
  ),
  ...readRules(assembly).flatMap(({ name, targets }) =>
    targets.map(({ arn, retry, deadLetterArn }) => ({
      name: `rule ${name} to ${arn}`,
      tries: [retry?.maximumRetryAttempts, retry?.maximumEventAgeS],
      deadLetterArn,
    })),
  ),
  ...readEventSourceMappings(assembly)
    .filter(({ sourceArn }) => isStream(sourceArn))
    .map(({ sourceArn, onFailureArn }) => {
      const [written] = resourcesOfType(service, "AWS::Lambda::EventSourceMapping").flatMap(({ properties }) => {
        const read = mapping.parse(properties);
        return read.EventSourceArn === sourceArn ? [read] : [];
      });
      const tries = [written?.MaximumRetryAttempts, written?.MaximumRecordAgeInSeconds];
      return { name: `stream ${sourceArn}`, tries, deadLetterArn: onFailureArn };
    }),
];

const alarmed = new Set(
  resourcesOfType(service, "AWS::CloudWatch::Alarm").flatMap(({ properties }) => {
    const { Dimensions } = z.object({ Dimensions: z.array(z.object({ Value: z.string() })) }).parse(properties);
    return Dimensions.map(({ Value }) => Value);
  }),
);
const hasAlarm = (arn: string | undefined) => queues.some((queue) => queue.arn === arn && alarmed.has(queue.name));

describe("every message path", () => {
  test("is known: each queue, rule target and mapping of the templates belongs to one", () => {
    const ends = new Set(edges.map(({ deadLetterArn }) => deadLetterArn));
    expect(queues.filter(({ arn, redrive }) => !redrive && !ends.has(arn))).toEqual([]);
    const fed = new Set(edges.map(({ name }) => name));
    const unfed = readEventSourceMappings(assembly).filter(({ sourceArn }) => {
      const queue = queues.find(({ arn }) => arn === sourceArn);
      return !fed.has(queue ? `queue ${queue.name}` : `stream ${sourceArn}`);
    });
    expect(unfed).toEqual([]);
    expect(edges.length).toBeGreaterThan(20);
  });

  test("has a dead-letter queue with an alarm", () => {
    expect(edges.filter(({ deadLetterArn }) => !hasAlarm(deadLetterArn))).toEqual([]);
  });

  test("has explicit retry limits", () => {
    expect(edges.filter(({ tries }) => tries.some((count) => count === undefined || count < 1))).toEqual([]);
  });
});

test("a function that a rule invokes uses the dead-letter queue of the rule", () => {
  const called = readRules(assembly).flatMap(({ targets }) => targets.filter(({ arn }) => arn.includes(":lambda:")));
  expect(called.length).toBeGreaterThan(0);
  for (const { arn, deadLetterArn } of called) {
    const properties = functions.find((fn) => fn.arn === arn)?.properties;
    expect(properties).toMatchObject({ DeadLetterConfig: { TargetArn: deadLetterArn } });
  }
});
