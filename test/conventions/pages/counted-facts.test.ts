import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { contracts, endpoints } from "../../../functions/index.ts";
import { connectorSlugs } from "../../../lib/connectors/connectors.ts";

/** FreeStyle Libre signs in by e-mail, so it has no slug of an OAuth connector. */
const connectorCount = connectorSlugs.length + 1;
const migrationGuide = "docs/guides/move-from-a-hosted-service.md";

const facts = [
  { page: "README.md", pattern: /has run its (\d+) connectors/, count: connectorCount },
  { page: "README.md", pattern: /each of (\d+) functions/, count: contracts.length },
  { page: "docs/comparison.md", pattern: /\| (\d+) connectors/, count: connectorCount },
  { page: migrationGuide, pattern: /has (\d+) connectors/, count: connectorCount },
  {
    page: "docs/comparison.md",
    pattern: /\| (\d+) read tools/,
    count: endpoints.filter(({ agentTool }) => agentTool).length,
  },
];

describe("counts that pages state:", () => {
  test.each(facts)("$page: $pattern", ({ page, pattern, count }) => {
    expect(Number(readFileSync(page, "utf8").match(pattern)?.[1])).toBe(count);
  });
});
