import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { managementScopeOf } from "../../../lib/contract/endpoint.ts";

const BASE = "/v1/org/{org_id}";

test("docs/management.md lists exactly the management operations, with route and scope", () => {
  const [, section = ""] = readFileSync("docs/management.md", "utf8").split("\n## Operations\n");
  const rows = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| (.+) \| `(\w+) ?(.*)` \| (\w+) \|$/gm)];
  const listed = rows.map(([, summary, method, path, scope]) => `${summary} | ${method} ${path} | ${scope}`);
  const operations = endpoints.filter(({ auth }) => auth === "management");
  const expected = operations.map((contract) => {
    const { summary, method, path } = contract;
    return `${summary} | ${method} ${path.slice(BASE.length)} | ${managementScopeOf(contract)}`;
  });
  expect(listed.toSorted()).toEqual(expected.toSorted());
});
