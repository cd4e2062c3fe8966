import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { formatCostTable, formatFreeTable, formatSourceTable } from "../../../lib/cli/cost/cost-table.ts";
import { computeIdleCost } from "../../../lib/cli/cost/idle-cost.ts";
import { prices } from "../../../lib/cli/cost/price-table.ts";
import { allOptions } from "../support/all-options.ts";
import { synthesizeService } from "../support/synthesize.ts";

const { templates } = synthesizeService();
const cost = computeIdleCost(templates);
const withOptions = computeIdleCost(synthesizeService(allOptions).templates);
const page = readFileSync("docs/cost.md", "utf8");

describe("a month without requests", () => {
  test("costs at most ten dollars by default", () => {
    expect(cost.paid).toBeLessThanOrEqual(10);
    expect(cost.list).toBeGreaterThan(cost.paid);
  });

  test("includes every key, alarm and secret of the templates, and every poll by Lambda of a queue", () => {
    const counts = Object.fromEntries(cost.lines.map(({ what, count }) => [what, count]));
    const resources = templates.flatMap((template) => Object.values(template.resources));
    const count = (type: string) => resources.filter(({ Type }) => Type === type).length;
    expect(counts["KMS keys"]).toBe(count("AWS::KMS::Key"));
    expect(counts["CloudWatch alarms"]).toBe(count("AWS::CloudWatch::Alarm"));
    expect(counts["Secrets Manager secrets"]).toBe(count("AWS::SecretsManager::Secret"));
    // One mapping reads the stream, whose reads are free.
    const queues = count("AWS::Lambda::EventSourceMapping") - 1;
    expect(counts["SQS, empty receives of Lambda's pollers"]).toBe(queues * 15 * 60 * 730);
    expect(counts["X-Ray, traces of scheduled runs"]).toBeUndefined();
  });

  test("has no price as long as one resource type has neither a price nor a reason to be free", () => {
    const strange = { name: "Strange", resources: { Broker: { Type: "AWS::MSK::Cluster", Properties: {} } } };
    expect(() => computeIdleCost([...templates, strange])).toThrow("AWS::MSK::Cluster");
  });

  test("with every option adds the firewall and its rules", () => {
    const added = withOptions.lines.filter(({ what }) => !cost.lines.some((line) => line.what === what));
    expect(added.map(({ what, list }) => [what, list])).toEqual([
      ["WAF web ACL", 5],
      ["WAF rules", 4],
    ]);
    expect(withOptions.list - cost.list).toBeCloseTo(9.4, 6);
  });
});

test("every price has its source page and date", () => {
  for (const price of Object.values(prices.prices))
    expect(price.read <= new Date().toISOString().slice(0, 10)).toBe(true);
  expect(formatSourceTable()).toHaveLength(Object.keys(prices.prices).length + 2);
});

describe("docs/cost.md", () => {
  // To update it: npm run synth && npm run cost -- --sources, and for the second table
  // node test/template/support/write-templates.ts <directory> && npm run cost -- --assembly <directory>
  test.each([
    ["the idle month", formatCostTable(cost)],
    ["the idle month with every option", formatCostTable(withOptions)],
    ["free resources", formatFreeTable(withOptions)],
    ["price sources", formatSourceTable()],
  ])("has the table of %s", (_, lines) => {
    expect(page).toContain(lines.join("\n"));
  });
});
