import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { EndpointContract } from "../../../../lib/contract/endpoint.ts";
import { type KeyRecord, type Team, teamRecord } from "../../../../lib/domain/management/records.ts";
import {
  deleteEach,
  requireManagementAccess,
  requireOrg,
  requireOrgAdmin,
  requireServedEnvironment,
  requireTeam,
} from "../../../../lib/runtime/callers/management-access.ts";
import { requireTeamScope, teamParams } from "../../../../lib/runtime/callers/team-path.ts";
import { Forbidden, NotFound } from "../../../../lib/runtime/errors.ts";
import { ConditionFailed } from "../../../../lib/store/condition-failed.ts";
import type { TeamStore } from "../../../../lib/store/management/teams.ts";

const uuid = (place: number) => `7ea70000-0000-4000-8000-${String(place).padStart(12, "0")}`;
const [ORG, OTHER_ORG, TEAM, OTHER_TEAM, FOREIGN_TEAM, NO_TEAM] = [1, 2, 3, 4, 5, 6].map(uuid) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const NO_ORGANIZATION = new NotFound("There is no organization with this id.");
const UNKNOWN_TEAM = new NotFound("There is no team with this id.");
const NOT_SERVED = new NotFound("This deployment does not serve that environment and region.");

const key = (kind: KeyRecord["kind"], team_ids: string[] = []): KeyRecord => ({
  ...{ key_id: "mg_1", sha256: "", masked: "", label: "", created_at: "", org_id: ORG },
  ...{ kind, team_ids },
});
const ofOrg = key("org_admin");
const ofTeam = key("team_admin", [TEAM]);

const teamOf = (team_id: string, org_id: string): Team =>
  teamRecord.parse({ team_id, org_id, name: "Team", region: "us", created_on: "", features: [] });
const stored = [teamOf(TEAM, ORG), teamOf(OTHER_TEAM, ORG), teamOf(FOREIGN_TEAM, OTHER_ORG)];
const teams = {
  get: async (id: string) => stored.find(({ team_id }) => team_id === id),
} as unknown as TeamStore;

beforeEach(() => {
  vi.stubEnv("SERVICE_ENVIRONMENT", "sandbox");
  vi.stubEnv("SERVICE_REGION", "us");
});
afterEach(() => vi.unstubAllEnvs());

describe("an organisation", () => {
  test("is accessible to its own keys, and to team-scoped keys only for resources that are not its own", () => {
    expect(() => requireOrg(ofTeam, ORG)).not.toThrow();
    expect(() => requireOrgAdmin(ofOrg, ORG)).not.toThrow();
    expect(() => requireOrgAdmin(ofTeam, ORG)).toThrow(
      new Forbidden("This operation requires an organization management key."),
    );
  });

  test("of another key appears as not found", () => {
    expect(() => requireOrg(ofOrg, OTHER_ORG)).toThrow(NO_ORGANIZATION);
    expect(() => requireOrgAdmin(ofTeam, OTHER_ORG)).toThrow(NO_ORGANIZATION);
  });
});

describe("a path", () => {
  const reachOf = (about: Pick<EndpointContract, "path" | "scope">, called: KeyRecord, params: object) =>
    requireManagementAccess(about as EndpointContract, called, params);
  const reach = (path: `/${string}`, called: KeyRecord, params: object) => reachOf({ path }, called, params);
  const OF_TEAM = "/org/{org_id}/team/{team_id}";

  test("of the organisation is accessible to its keys without a team scope", () => {
    expect(() => reach("/org/{org_id}", ofOrg, { org_id: ORG.toUpperCase() })).not.toThrow();
    expect(() => reach("/org/{org_id}", ofTeam, { org_id: ORG })).toThrow(Forbidden);
    expect(() => reach("/org/{org_id}", ofOrg, { org_id: OTHER_ORG })).toThrow(NO_ORGANIZATION);
  });

  test("of a team is accessible to keys of the organisation and keys bound to the team", () => {
    expect(() => reach(OF_TEAM, ofOrg, { org_id: ORG, team_id: OTHER_TEAM })).not.toThrow();
    expect(() => reach(OF_TEAM, ofTeam, { org_id: ORG, team_id: TEAM.toUpperCase() })).not.toThrow();
    expect(() => reach(OF_TEAM, ofTeam, { org_id: ORG, team_id: OTHER_TEAM })).toThrow(UNKNOWN_TEAM);
    expect(() => reach(OF_TEAM, ofTeam, { org_id: OTHER_ORG, team_id: TEAM })).toThrow(NO_ORGANIZATION);
  });

  test("of team resources without a team is accessible to every key of the organisation", () => {
    const anyTeam = { path: "/org/{org_id}/keys", scope: "team" } as const;
    expect(() => reachOf(anyTeam, ofTeam, { org_id: ORG })).not.toThrow();
    expect(() => reachOf(anyTeam, ofTeam, { org_id: OTHER_ORG })).toThrow(NO_ORGANIZATION);
  });

  test("of an environment or region that the deployment does not serve appears as not found, known or not", () => {
    const path = "/org/{org_id}/keys/{env}/{region}";
    const inRegion = (env: string, region: string) => () => reach(path, ofOrg, { org_id: ORG, env, region });
    expect(inRegion("sandbox", "us")).not.toThrow();
    for (const [env, region] of [
      ["foo", "us"],
      ["production", "us"],
      ["sandbox", "mars"],
      ["sandbox", "eu"],
    ] as const)
      expect(inRegion(env, region)).toThrow(NOT_SERVED);
  });

  test("with malformed ids passes here and is rejected later", () => {
    expect(() => reach(OF_TEAM, ofTeam, { org_id: ORG, team_id: "none" })).not.toThrow();
    expect(() => reach(OF_TEAM, ofTeam, {})).not.toThrow();
  });
});

describe("a team", () => {
  test("is visible to keys of its organisation that are bound to it or to no team", async () => {
    expect(await requireTeam(teams, ofOrg, ORG, OTHER_TEAM)).toBe(stored[1]);
    expect(await requireTeam(teams, ofTeam, ORG, TEAM)).toBe(stored[0]);
  });

  test.each([
    ["that does not exist", ofOrg, NO_TEAM],
    ["of another organisation", ofOrg, FOREIGN_TEAM],
    ["of another organisation to which a key is bound", key("team_admin", [FOREIGN_TEAM]), FOREIGN_TEAM],
    ["to which the key is not bound", ofTeam, OTHER_TEAM],
  ])("%s appears as not found", async (_, called, teamId) => {
    await expect(requireTeam(teams, called, ORG, teamId)).rejects.toThrow(UNKNOWN_TEAM);
  });

  test("is looked up only in the key's own organisation", async () => {
    await expect(requireTeam(teams, ofOrg, OTHER_ORG, FOREIGN_TEAM)).rejects.toThrow(NO_ORGANIZATION);
  });

  test("grants its scope to an authorized key, in the served environment", async () => {
    const scopeOf = (called: KeyRecord, params: object) =>
      requireTeamScope(teams, { key: called, params: teamParams.parse(params) });
    const path = { org_id: ORG.toUpperCase(), team_id: TEAM.toUpperCase(), env: "sandbox" };
    expect(await scopeOf(ofTeam, path)).toEqual({ teamId: TEAM });
    await expect(scopeOf(ofTeam, { ...path, env: "production" })).rejects.toThrow(NOT_SERVED);
    await expect(scopeOf(ofTeam, { ...path, team_id: OTHER_TEAM })).rejects.toThrow(UNKNOWN_TEAM);
    expect(teamParams.safeParse({ ...path, env: "elsewhere" }).success).toBe(false);
    expect(teamParams.safeParse({ ...path, team_id: "none" }).success).toBe(false);
    expect(teamParams.safeParse({ ...path, org_id: "none" }).success).toBe(false);
  });
});

test("a deployment serves its one environment and region", () => {
  for (const path of [{}, { env: "sandbox" }, { region: "us" }, { env: "sandbox", region: "us" }])
    expect(() => requireServedEnvironment(path)).not.toThrow();
  for (const path of [{ env: "production" }, { region: "eu" }, { env: "sandbox", region: "eu" }])
    expect(() => requireServedEnvironment(path)).toThrow(NOT_SERVED);
});

test("a bulk deletion reports each result and deletes only accessible resources", async () => {
  const failures: unknown[] = [];
  const log = { error: (...about: unknown[]) => void failures.push(about) } as unknown as Parameters<
    typeof deleteEach
  >[3];
  const removed: string[] = [];
  const broken = new Error("the table is away");
  const remove = async (one: string) => {
    if (one === "gone") throw new ConditionFailed(new Map());
    if (one === "broken") throw broken;
    removed.push(one);
  };
  const reached = new Map(["kept", "gone", "broken"].map((id) => [id, id]));
  expect(await deleteEach(["kept", "kept", "gone", "broken", "foreign"], reached, remove, log)).toEqual({
    success: ["kept"],
    failure: ["broken"],
    not_found: ["gone", "foreign"],
  });
  expect(removed).toEqual(["kept"]);
  expect(failures).toEqual([["one of several deletions failed", broken]]);
});
