// @module-tag deep
import { describe, expect, test } from "vitest";
import { contracts } from "../../../functions/index.ts";
import { isOptional } from "../../../lib/contract/consumer.ts";
import { queues } from "../../../lib/contract/queues.ts";
import { catalogue } from "../../../lib/events/catalogue/catalogue.ts";
import { matchesPattern } from "../../../lib/local/events/patterns.ts";
import { readRules } from "../../../lib/local/template/read-resources.ts";
import { maxForwards, sampleForwards } from "../support/forwards.ts";
import { findResource, resourcesOfType, synthesizeService } from "../support/synthesize.ts";

const service = synthesizeService({ forward: sampleForwards, lake: true });
const rules = readRules(service.assembly).filter(({ name }) => name.startsWith("Tributary-Events-Forward"));

/** Names of the forwards whose rule matches an event of this type. */
function matchingForwards(type: string): string[] {
  const event = { source: "tributary", "detail-type": type, detail: { type, event_id: "evt_1" } };
  const taking = rules.filter(({ pattern }) => matchesPattern(pattern, event));
  return taking.map(({ name }) => name.replace(/^Tributary-Events-Forward/, "").replace(/[0-9A-F]{8}$/, ""));
}

const firstMatch = (type: string) =>
  sampleForwards.find(({ prefixes }) => prefixes.some((prefix) => type.startsWith(prefix)))?.name ?? "everythingElse";

test("exactly the first matching forward receives each event type", () => {
  expect(rules).toHaveLength(sampleForwards.length + 1);
  const expected = catalogue.map(({ type }) => [type, [firstMatch(type)]]);
  expect(catalogue.map(({ type }) => [type, matchingForwards(type)])).toEqual(expected);
  expect(new Set(expected.map(([, names]) => String(names))).size).toBe(sampleForwards.length + 1);
});

test("a rule sends its event and its target to the queue of the target's kind", () => {
  const queueNames = { kinesis: "kinesisForwards", sqs: "queueForwards", bus: "busForwards" };
  for (const { name, to } of sampleForwards) {
    const targets = rules.find((rule) => rule.name.includes(`-Forward${name}`))?.targets;
    const { arn } = findResource(service, "AWS::SQS::Queue", `Queue${queueNames[to.kind]}Queue`);
    const inputTemplate = `{"to":"${to.arn}","event":<detail>}`;
    expect(targets).toMatchObject([
      { arn, inputTransformer: { inputPathsMap: { detail: "$.detail" }, inputTemplate } },
    ]);
  }
});

describe("a deployment without forwards", () => {
  test("has only the forwarder to destinations of teams, and no queue or rule for another", () => {
    const plain = synthesizeService();
    const unused = queues.filter(({ forwardsTo }) => forwardsTo !== undefined).map(({ name }) => name);
    expect(
      resourcesOfType(plain, "AWS::SQS::Queue").filter(({ name }) => unused.some((queue) => name.includes(queue))),
    ).toEqual([]);
    expect(resourcesOfType(plain, "AWS::Lambda::Function")).toHaveLength(
      contracts.filter((one) => one.kind === "endpoint" || !isOptional(one.trigger)).length,
    );
    const forwarding = resourcesOfType(plain, "AWS::Events::Rule").filter(({ name }) => /-Forward/.test(name));
    expect(forwarding.map(({ logicalId }) => logicalId.slice(0, -8))).toEqual(["ForwardeverythingElse"]);
  });
});

describe("synthesis rejects", () => {
  const [critical, weights] = sampleForwards as [(typeof sampleForwards)[0], (typeof sampleForwards)[0]];

  test.each([
    [
      "a prefix of an earlier forward",
      [
        { ...critical, prefixes: ["labtest."] },
        { ...weights, prefixes: ["labtest.order."] },
      ],
      /critical already matches all of these\n.*\[1\]\.prefixes\[0\]/,
    ],
    ["a prefix of no event type", [{ ...critical, prefixes: ["labtests."] }], /must be the prefix of an event type/],
    ["an empty prefix", [{ ...critical, prefixes: [""] }], /must be the prefix of an event type/],
    ["a name twice", [critical, { ...weights, name: "critical" }], /an earlier entry has this name/],
    [
      "an ARN of another service",
      [{ ...critical, to: { ...critical.to, arn: weights.to.arn } }],
      /must be the ARN of an EventBridge bus/,
    ],
    ["more than ten", [...maxForwards, critical], /Too big: expected array to have <=10 items/],
    ["an unknown field", [{ ...critical, filter: "all" }], /Unrecognized key/],
  ])("%s", (_, forward, message) => {
    expect(() => synthesizeService({ forward })).toThrow(message);
  });
});
