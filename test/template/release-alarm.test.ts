import { Template } from "aws-cdk-lib/assertions";
import { App, Stack } from "aws-cdk-lib/core";
import { describe, expect, test } from "vitest";
import { addReleaseAlarm } from "../../lib/stacks/operations/release-alarm.ts";

/** The sums of an API's metrics in one minute; CloudWatch has no value for an API without requests or failures. */
interface Minute {
  readonly total: number;
  readonly bad?: number;
}

interface AlarmProperties {
  readonly Threshold: number;
  readonly ComparisonOperator: string;
  readonly Metrics: readonly { readonly Expression?: string }[];
}

const stack = new Stack(new App(), "Stack");
addReleaseAlarm(stack, "api");
const [alarm] = Object.values(Template.fromStack(stack).findResources("AWS::CloudWatch::Alarm"));
const properties = alarm?.Properties as AlarmProperties;

/** Evaluates the alarm of the template for one minute, with the functions of CloudWatch's metric math that it uses. */
function startsAlarm({ total, bad }: Minute): boolean {
  const expression = properties.Metrics.find(({ Expression }) => Expression !== undefined)?.Expression;
  const evaluate = new Function("IF", "FILL", "total", "bad", `return ${expression};`);
  const choose = (condition: boolean, value: number, otherwise: number) => (condition ? value : otherwise);
  const share = evaluate(choose, (value: number | undefined, filler: number) => value ?? filler, total, bad);
  expect(properties.ComparisonOperator).toBe("GreaterThanThreshold");
  return share > properties.Threshold;
}

/** A minute in which the new version takes a share of the requests and fails every request of one route. */
function minuteOfRelease(shareOfVersion: number, shareOfRoute: number): Minute {
  const total = 1000;
  const bad = Math.round(total * shareOfVersion * shareOfRoute);
  return bad === 0 ? { total } : { total, bad };
}

const steps = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

describe("the alarm that ends gradual releases", () => {
  test.each([
    { shareOfRoute: 0.2, first: 0.1 },
    { shareOfRoute: 0.1, first: 0.2 },
    { shareOfRoute: 0.05, first: 0.3 },
    { shareOfRoute: 0.01, first: undefined },
  ])("starts at a share of $first if the route with $shareOfRoute of the requests fails", ({ shareOfRoute, first }) => {
    expect(steps.find((share) => startsAlarm(minuteOfRelease(share, shareOfRoute)))).toBe(first);
  });

  test("stays off without failures and below 20 requests", () => {
    expect(startsAlarm({ total: 1000 })).toBe(false);
    expect(startsAlarm({ total: 19, bad: 19 })).toBe(false);
    expect(startsAlarm({ total: 20, bad: 1 })).toBe(true);
  });
});
