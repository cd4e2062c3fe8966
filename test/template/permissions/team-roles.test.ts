import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import type { Grant } from "../../../lib/contract/access.ts";
import { effectiveGrants } from "../../../lib/contract/access-log-mode.ts";
import { authenticationAccess } from "../../../lib/contract/endpoint.ts";
import { entitiesOfNoTeam, grantsForTeam, teamKeyPatterns } from "../../../lib/contract/team/team-keys.ts";
import { teamRoleVariable } from "../../../lib/contract/team/team-role.ts";
import { LEADING_KEYS } from "../../../lib/local/aws-proxy/conditions.ts";
import { readFunctionPolicies } from "../../../lib/local/aws-proxy/function-policies.ts";
import { isAllowed } from "../../../lib/local/aws-proxy/policy.ts";
import { type AssumableRole, readAssumableRoles } from "../../../lib/local/sts/assumable-roles.ts";
import { locateGrantedResource } from "../support/locate-resource.ts";
import { findResource, resourcesOfType, synthesizeService } from "../support/synthesize.ts";

const service = synthesizeService({ teamCredentials: true });
const roles = readAssumableRoles(service.assembly);
const policies = readFunctionPolicies(service.assembly);

const ofTeam = endpoints.filter((contract) => grantsForTeam(contract).length > 0);
const others = endpoints.filter((contract) => grantsForTeam(contract).length === 0);

const [TEAM, OTHER] = ["0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7"];
const USER = "3f333df6-90a4-4fda-8dd3-9485d27cee36";

const functionOf = (operationId: string) => findResource(service, "AWS::Lambda::Function", `${operationId}Function`);
const environmentOf = (operationId: string) =>
  (functionOf(operationId).properties.Environment as { Variables: Record<string, string> }).Variables;

function teamRoleOf(operationId: string): AssumableRole {
  const role = roles.get(environmentOf(operationId)[teamRoleVariable(operationId)] ?? "");
  if (!role) throw new Error(`${operationId} has no team role`);
  return role;
}

/** The ARN that a grant on items reaches. */
function arnOf(grant: Grant): string {
  const { arn } = locateGrantedResource(service, grant.resource);
  return "index" in grant && grant.index !== undefined ? `${arn}/index/${grant.index}` : arn;
}

const uses = (statements: Parameters<typeof isAllowed>[0], grant: Grant, keys: readonly string[]) =>
  isAllowed(statements, { action: grant.action, resources: [arnOf(grant)], context: { [LEADING_KEYS]: keys } });

/** Keys of a team that a grant reaches: of the team itself, and of one of its users. */
const keysOf = (grant: Grant, team: string) =>
  (teamKeyPatterns(grant, team) ?? []).flatMap((pattern) =>
    pattern.endsWith("*") ? [pattern.slice(0, -1), pattern.replace("*", `#${USER}`)] : [pattern],
  );

describe("with team credentials", () => {
  test("every route of a team that uses items has a team role, and no other function has one", () => {
    expect(ofTeam.length).toBeGreaterThan(150);
    expect(new Set(ofTeam.map(({ operationId }) => teamRoleOf(operationId).arn)).size).toBe(ofTeam.length);
    expect(roles.size).toBe(ofTeam.length);
    const named = others.filter(({ operationId }) => environmentOf(operationId)[teamRoleVariable(operationId)]);
    expect(named.map(({ operationId }) => operationId)).toEqual([]);
  });

  test.each([
    ["docs/deploy.md", `It adds ${roles.size} roles`],
    ["docs/security.md", `the policies of all ${roles.size} team roles`],
    ["docs/security.md", `all ${roles.size} functions use their team role`],
    ["docs/decisions/0027-a-session-reaches-the-items-of-one-team.md", `has ${roles.size} more roles`],
  ])("%s says: %s", (page, words) => {
    expect(readFileSync(page, "utf8")).toContain(words);
  });

  test.each(ofTeam)("$operationId: a session of its team role reaches items of its team alone", (contract) => {
    const role = teamRoleOf(contract.operationId);
    const [own, untagged] = [role.statementsFor({ team_id: TEAM }), role.statementsFor({})];
    for (const grant of grantsForTeam(contract)) {
      const [keys, foreign] = [keysOf(grant, TEAM), keysOf(grant, OTHER)];
      expect(keys.filter((key) => !uses(own, grant, [key]))).toEqual([]);
      expect(foreign.filter((key) => uses(own, grant, [key]) || uses(own, grant, [...keys, key]))).toEqual([]);
      expect(keys.filter((key) => uses(untagged, grant, [key]))).toEqual([]);
    }
  });

  test.each(ofTeam)("$operationId: its own role reaches items only to authenticate and to record calls", (contract) => {
    const statements = policies.get(functionOf(contract.operationId).name) ?? [];
    const own = effectiveGrants(contract).slice(contract.access.length);
    const isOwn = (grant: Grant) => own.some((one) => one.action === grant.action && one.resource === grant.resource);
    for (const grant of grantsForTeam(contract).filter((one) => !isOwn(one)))
      expect(keysOf(grant, TEAM).filter((key) => uses(statements, grant, [key]))).toEqual([]);
    for (const grant of authenticationAccess[contract.auth])
      expect(uses(statements, grant, [keyOfAny(grant)])).toBe(true);
  });

  test.each(ofTeam)("$operationId: only the function may assume the role, for one team", ({ operationId }) => {
    const role = teamRoleOf(operationId);
    const own = String(functionOf(operationId).properties.Role);
    const trusts = (caller: string, tags: Record<string, string>) =>
      ["sts:AssumeRole", "sts:TagSession"].map((action) => role.trusts(action, caller, tags));
    expect(trusts(own, { team_id: TEAM })).toEqual([true, true]);
    const refused: [string, Record<string, string>][] = [
      [own, {}],
      [own, { team_id: "*" }],
      [own, { team_id: "" }],
      [own, { other: TEAM }],
      [role.arn, { team_id: TEAM }],
    ];
    for (const [caller, tags] of refused) expect(trusts(caller, tags)).toEqual([false, false]);
    const assumable = [...roles.keys()].filter((arn) =>
      isAllowed(policies.get(functionOf(operationId).name) ?? [], {
        action: "sts:AssumeRole",
        resources: [arn],
        context: {},
      }),
    );
    expect(assumable).toEqual([role.arn]);
  });

  test("functions of other routes, and consumers, have the policies of a deployment without the option", {
    tags: "deep",
  }, () => {
    const usual = readFunctionPolicies(synthesizeService().assembly);
    const withRole = new Set(ofTeam.map(({ operationId }) => functionOf(operationId).name));
    const rest = resourcesOfType(service, "AWS::Lambda::Function").filter(({ name }) => !withRole.has(name));
    expect(rest.length).toBeGreaterThan(100);
    const expected = (name: string) =>
      usual.get(name)?.map(({ actions, resources, expected: keys }) => [actions, resources, keys]);
    for (const { name } of rest)
      expect(policies.get(name)?.map(({ actions, resources, expected: keys }) => [actions, resources, keys])).toEqual(
        expected(name),
      );
  });

  test("patterns of keys name the team where the entity belongs to one", () => {
    const all = endpoints.flatMap(({ access }) => access).filter(({ resource }) => resource.kind === "entity");
    for (const grant of all) {
      const isOfNoTeam = entitiesOfNoTeam.some((entity) => entity === grant.resource);
      expect(teamKeyPatterns(grant, TEAM)?.every((pattern) => pattern.includes(TEAM))).toBe(
        isOfNoTeam ? undefined : true,
      );
    }
  });
});

/** A key that a grant on items reaches in a deployment without the option. */
const keyOfAny = ({ resource }: Grant) => (resource.kind === "entity" ? `${resource.keyPrefix}x` : "");

test("without the option no function has a team role", () => {
  expect(readAssumableRoles(synthesizeService().assembly).size).toBe(0);
});
