import { describe, expect, test } from "vitest";
import type { EventEnvelope } from "../../../lib/local/events/envelope.ts";
import { renderInput, type TargetInput, validateInput } from "../../../lib/local/events/input-transformer.ts";
import { valueAt } from "../../../lib/local/events/json-path.ts";

const EVENT: EventEnvelope = {
  version: "0",
  id: "7bf73129-1428-4cd3-a780-95db273d1602",
  "detail-type": "EC2 Instance State-change Notification",
  source: "aws.ec2",
  account: "123456789012",
  time: "2015-11-11T21:29:54Z",
  region: "us-east-1",
  resources: ["arn:aws:ec2:us-east-1:123456789012:instance/i-abcd1111"],
  detail: {
    "instance-id": "i-0123456789",
    state: "RUNNING",
    count: 3,
    quoted: 'say "hi"',
    list: [{ id: 1 }, { id: 2 }],
  },
};
const CONTEXT = {
  ruleArn: "arn:aws:events:us-east-2:123456789012:rule/example",
  ruleName: "example",
  ingestedAtMs: Date.UTC(2015, 10, 11, 21, 29, 55),
};
const PATHS = { instance: "$.detail.instance-id", state: "$.detail.state", none: "$.detail.missing" };

const render = (target: TargetInput) => renderInput(target, EVENT, CONTEXT);
const fill = (inputTemplate: string, inputPathsMap: Record<string, string> = PATHS) =>
  render({ inputTransformer: { inputPathsMap, inputTemplate } });

test("a target without an input specification gets the whole event", () => {
  expect(JSON.parse(render({}))).toEqual(EVENT);
});

test("a constant input replaces the event, in minified form", () => {
  expect(render({ input: '{ "job" : "sweep" }' })).toBe('{"job":"sweep"}');
});

test.each([
  ["$", EVENT],
  ["$.detail", EVENT.detail],
  ["$.detail.count", 3],
  ["$.detail-type", EVENT["detail-type"]],
  ["$.resources[0]", EVENT.resources[0]],
  ["$.detail.list[1].id", 2],
  ["$.detail.list[*].id", [1, 2]],
  ["$.detail.list.*.id", [1, 2]],
])("the input path %s sends that part", (inputPath, expected) => {
  expect(JSON.parse(render({ inputPath }))).toEqual(expected);
});

test("an input path that the event lacks is an error without a retry", () => {
  expect(() => render({ inputPath: "$.detail.missing" })).toThrow(
    expect.objectContaining({ code: "INVALID_JSON", isRetryable: false }),
  );
});

test("a path never reads inherited properties", () => {
  expect(valueAt("$.constructor", {})).toBeUndefined();
});

describe("input templates (the examples of the AWS page)", () => {
  test.each([
    ["a simple string", '"instance <instance> is in <state>"', '"instance i-0123456789 is in RUNNING"'],
    ["escaped quotes", '"instance \\"<instance>\\" is in <state>"', '"instance \\"i-0123456789\\" is in RUNNING"'],
    [
      "simple JSON",
      '{\n  "instance" : <instance>,\n  "state": <state>\n}',
      '{"instance":"i-0123456789","state":"RUNNING"}',
    ],
    [
      "JSON with strings and variables",
      '{"instance": <instance>, "state": "<state>", "status": "instance \\"<instance>\\" is in <state>"}',
      '{"instance":"i-0123456789","state":"RUNNING","status":"instance \\"i-0123456789\\" is in RUNNING"}',
    ],
    ["static and variable parts", '{"state": [9, <state>, true]}', '{"state":[9,"RUNNING",true]}'],
    ["a reserved variable in a string", '"<aws.events.rule-name> triggered"', '"example triggered"'],
    ["a number outside quotes", '{"n": <count>}', '{"n":3}'],
    ["a number inside quotes", '"n=<count>"', '"n=3"'],
    ["an object", '{"first": <first>}', '{"first":{"id":1}}'],
    ["a value the event lacks", '{"a": <none>, "b": "<none>"}', '{"a":"","b":""}'],
    ["several lines of strings", '"line <state>"\n"line two"', '"line RUNNING"\n"line two"'],
    ["quotes in a value outside quotes", '{"q": <quoted>}', '{"q":"say \\"hi\\""}'],
  ])("substitute %s", (_name, template, expected) => {
    const paths = { ...PATHS, count: "$.detail.count", first: "$.detail.list[0]", quoted: "$.detail.quoted" };
    expect(fill(template, paths)).toBe(expected);
  });

  test("substitute the predefined variables", () => {
    const template = `{"rule": <aws.events.rule-arn>, "name": <aws.events.rule-name>, "bare": <aws.events.event>,
      "full": <aws.events.event.json>, "at": <aws.events.event.ingestion-time>}`;
    const { detail: _detail, ...bare } = EVENT;
    expect(JSON.parse(fill(template))).toEqual({
      rule: CONTEXT.ruleArn,
      name: "example",
      bare,
      full: EVENT,
      at: "2015-11-11T21:29:55.000Z",
    });
  });

  test("values inside quotes are not escaped, so quotes in them make the input invalid", () => {
    expect(() => fill('{"q": "<quoted>"}', { quoted: "$.detail.quoted" })).toThrow(
      expect.objectContaining({ code: "INVALID_JSON", isRetryable: false }),
    );
  });
});

test.each<[TargetInput, string]>([
  [{ input: "{}", inputPath: "$" }, "Only one of Input, InputPath and InputTransformer may be given"],
  [{ input: "{oops" }, "not valid JSON"],
  [{ inputPath: "detail.state" }, "JSON path detail.state is not supported"],
  [{ inputPath: "$..state" }, "JSON path $..state is not supported"],
  [{ inputPath: "$.a[?(@.b)]" }, "is not supported"],
  [{ inputTransformer: { inputTemplate: '"<nobody>"' } }, "undefined variable <nobody>"],
  [{ inputTransformer: { inputTemplate: "plain <aws.events.rule-name>" } }, "not valid JSON"],
  [
    { inputTransformer: { inputPathsMap: { "aws.events.event": "$.id" }, inputTemplate: "{}" } },
    "reserved variable aws.events.event",
  ],
  [
    {
      inputTransformer: {
        inputPathsMap: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`v${at}`, "$.id"])),
        inputTemplate: "{}",
      },
    },
    "more than 100 variables",
  ],
])("the input specification %j is refused", (target, message) => {
  expect(() => validateInput(target)).toThrow(message);
});
