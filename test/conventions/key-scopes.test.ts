import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { endpoints } from "../../functions/index.ts";
import { type KeyScope, keyScopeNames, keyScopes } from "../../lib/contract/key-scopes.ts";
import { requiredKeyScope } from "../../lib/contract/required-key-scope.ts";
import { createOpenApiDocument } from "../../lib/openapi/document.ts";

/** Every key may send messages of agents. Their tools have the scopes of their routes. */
const ofTeams = endpoints.filter(({ auth, keyScope }) => auth === "team" && keyScope !== "any");
const listed = (scope: KeyScope) =>
  ofTeams
    .filter((contract) => requiredKeyScope(contract) === scope)
    .map(({ operationId }) => `\`${operationId}\``)
    .toSorted()
    .join(" ");

test("docs/management.md lists every route of a team key in its scope", () => {
  const [, section = ""] = readFileSync("docs/management.md", "utf8").split("\n### Scopes\n");
  const rows = [...(section.split("\n### ")[0] ?? "").matchAll(/^\| `(\w+)` \| (.+) \| (`.+`) \|$/gm)];
  expect(rows.map(([, scope, use, operations]) => [scope, use, operations])).toEqual(
    keyScopeNames.map((scope) => [scope, keyScopes[scope], listed(scope)]),
  );
});

test("every route of a team key but that of agents has a scope, and no other route has one", () => {
  const without = endpoints.filter(
    (contract) => (requiredKeyScope(contract) === undefined) === (contract.auth === "team"),
  );
  expect(without.map(({ operationId }) => operationId)).toEqual(["answerAgentMessage"]);
  expect(() => requiredKeyScope({ auth: "team", tag: "a new folder", method: "GET" })).toThrow("a new folder");
});

test("a route of the scope `read` changes no data of a user", () => {
  const effects = ofTeams
    .filter((contract) => requiredKeyScope(contract) === "read" && contract.method !== "GET")
    .map(({ operationId }) => operationId);
  expect(effects.toSorted()).toEqual([
    "cancelFhirExport",
    "queryOne",
    "startExport",
    "startFhirGroupExport",
    "startFhirPatientExport",
  ]);
});

test("the OpenAPI document names the scope of every route with its credentials", { tags: "deep" }, () => {
  type Operation = { operationId: string; security: Record<string, string[]>[]; responses: object };
  const paths = createOpenApiDocument().paths as Record<string, Record<string, Operation>>;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const contract of ofTeams) {
    const shown = operations.filter(({ operationId }) => operationId.split("_")[0] === contract.operationId);
    const scope = requiredKeyScope(contract);
    for (const { security, responses } of shown) {
      expect([contract.operationId, security]).toEqual([
        contract.operationId,
        [{ team_key: [scope] }, { access_token: [scope] }],
      ]);
      expect(responses).toHaveProperty("403");
    }
    expect([contract.operationId, shown.length > 0]).toEqual([contract.operationId, true]);
  }
});
