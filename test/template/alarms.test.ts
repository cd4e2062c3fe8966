import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { consumers } from "../../functions/index.ts";
import { queues } from "../../lib/contract/queues.ts";
import { readQueues } from "../../lib/local/template/read-resources.ts";
import { findResource, resourcesOfType, synthesizeService } from "./support/synthesize.ts";

const service = synthesizeService();
const alarm = z.object({
  AlarmDescription: z.string(),
  AlarmActions: z.array(z.string()),
  Dimensions: z.array(z.object({ Name: z.string(), Value: z.string() })),
  MetricName: z.string(),
  Threshold: z.number(),
  ComparisonOperator: z.string(),
});
const alarms = resourcesOfType(service, "AWS::CloudWatch::Alarm").map(({ properties }) => alarm.parse(properties));

describe("every alarm", () => {
  test("describes its impact and links to a section of the runbook", () => {
    const headings = readFileSync("docs/runbook.md", "utf8").matchAll(/^## (.+)$/gm);
    const anchors = [...headings].map(([, heading = ""]) => heading.toLowerCase().replaceAll(" ", "-"));
    for (const { AlarmDescription } of alarms) {
      const [, anchor] = /^[A-Z].{20,}\. Runbook: docs\/runbook\.md#([a-z-]+)$/.exec(AlarmDescription) ?? [];
      expect(anchors).toContain(anchor);
    }
  });

  test("notifies the topic that operators subscribe to", () => {
    const topic = findResource(service, "AWS::SNS::Topic", "Alarms").ref;
    for (const { AlarmActions } of alarms) expect(AlarmActions).toEqual([topic]);
  });

  test("is one of at most fifty", () => {
    expect(alarms.length).toBeGreaterThan(0);
    expect(alarms.length).toBeLessThanOrEqual(50);
  });
});

test("every dead-letter queue has an alarm on its first message", () => {
  const ends = readQueues(service.assembly).filter(({ redrive }) => redrive === undefined);
  for (const { name } of ends) {
    const own = alarms.filter(({ Dimensions }) => Dimensions.some(({ Value }) => Value === name));
    expect(own).toEqual([
      expect.objectContaining({
        MetricName: "ApproximateNumberOfMessagesVisible",
        Threshold: 1,
        ComparisonOperator: "GreaterThanOrEqualToThreshold",
      }),
    ]);
  }
});

test("the alarm of each dead-letter queue states the impact that its queue or stream declares", () => {
  const impactOf = (queue: string) => {
    const { name } = findResource(service, "AWS::SQS::Queue", queue);
    return alarms.find(({ Dimensions }) => Dimensions.some(({ Value }) => Value === name))?.AlarmDescription;
  };
  const declared = [
    ...queues.flatMap(({ name, impact, forwardsTo }) =>
      forwardsTo === undefined ? [[`Queue${name}DeadLettersQueue`, impact] as const] : [],
    ),
    ...consumers.flatMap(({ operationId, trigger }) =>
      trigger.kind === "stream" ? [[`${operationId}MissedQueue`, trigger.impact] as const] : [],
    ),
  ];
  expect(declared.length).toBeGreaterThan(10);
  for (const [queue, impact] of declared) expect(impactOf(queue)).toMatch(`${impact} Runbook: `);
});

test("the topic of alarms is encrypted and accepts messages of this account's alarms only", () => {
  const topic = findResource(service, "AWS::SNS::Topic", "Alarms");
  expect(topic.properties.KmsMasterKeyId).toBe(findResource(service, "AWS::KMS::Key", "DataKey").arn);
  const [policy] = resourcesOfType(service, "AWS::SNS::TopicPolicy");
  expect(policy?.properties).toMatchObject({
    PolicyDocument: {
      Statement: [
        { Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } },
        {
          Effect: "Allow",
          Action: "sns:Publish",
          Principal: { Service: "cloudwatch.amazonaws.com" },
          Condition: { StringEquals: { "aws:SourceAccount": service.assembly.account } },
        },
      ],
    },
  });
});
