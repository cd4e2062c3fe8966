import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { createAgentCatalogue } from "../../../lib/openapi/agent-catalogue.ts";

const { tools } = createAgentCatalogue();

test("only reads are tools, each with a name of its own", () => {
  const marked = endpoints.filter(({ agentTool }) => agentTool);
  const readsByPost = marked.filter(({ method }) => method !== "GET").map(({ operationId }) => operationId);
  expect(readsByPost).toEqual(["queryOne"]);
  expect(marked.every(({ auth }) => auth === "team")).toBe(true);
  expect(new Set(tools.map(({ name }) => name)).size).toBe(marked.length);
  for (const { name } of tools) expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
});

test("the list that a tool shortens is a list of its answer", () => {
  for (const { operationId, agentTool, response } of endpoints) {
    if (agentTool?.shortening.kind !== "list") continue;
    const shape = (response as unknown as { shape: Record<string, { type?: string }> }).shape;
    expect([operationId, shape[agentTool.shortening.of]?.type]).toEqual([operationId, "array"]);
  }
});

test("docs/agents.md has every tool with its route and scope", () => {
  const page = readFileSync("docs/agents.md", "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` \| `(\w+) (\S+)` \| `(\w+)` \|/gm)].map(([, ...cells]) => cells);
  expect(rows).toEqual(tools.map(({ name, method, path, scope }) => [name, method, path, scope]));
});
