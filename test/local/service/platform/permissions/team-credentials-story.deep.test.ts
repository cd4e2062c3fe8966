// @module-tag deep
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contracts, endpoints } from "../../../../../functions/index.ts";
import { resourceVariable } from "../../../../../lib/contract/access.ts";
import type { EntityResource } from "../../../../../lib/contract/resource-kinds.ts";
import { entitiesOfNoTeam, grantsForTeam } from "../../../../../lib/contract/team/team-keys.ts";
import { assembleDeployedFiles } from "../../../../support/deployed-files.ts";
import { type StoryFixture, startStory } from "../../story/story-fixture.ts";
import { receiverStatus, runWholeStory } from "../../story/whole-story.ts";
import { findFunctionName, scanAllItems } from "../../support/stored-items.ts";

const directory = mkdtempSync(join(tmpdir(), "team-credentials-"));
const ofTeam = endpoints.filter((contract) => grantsForTeam(contract).length > 0).map(({ operationId }) => operationId);

let world: StoryFixture;
beforeAll(async () => {
  const settings = { lake: true, teamCredentials: true };
  world = await startStory(receiverStatus, await assembleDeployedFiles(directory, settings));
}, 600_000);
afterAll(async () => {
  await world.stop();
  rmSync(directory, { recursive: true, force: true });
});

test("the deployed files of a team's routes work with credentials of the team alone", {
  timeout: 1_500_000,
}, async () => {
  await runWholeStory(world);
  const { observed, data } = world.service;
  const log = readFileSync(data.file("functions.log"), "utf8").split("\n");
  expect(log.filter((line) => line.includes("AccessDenied"))).toEqual([]);
  const assuming = new Set([...observed].filter((use) => / sts:AssumeRole /.test(use)).map((use) => use.split(" ")[0]));
  const others = ofTeam.filter((operationId) => !assuming.has(findFunctionName(world.service, operationId)));
  expect(others).toEqual([]);
  expect(assuming.size).toBe(ofTeam.length);
});

test("only those functions contain the module that assumes a role", () => {
  const has = (operationId: string) => existsSync(join(directory, "functions", operationId, "team-credentials.mjs"));
  const all = contracts.map(({ operationId }) => operationId as string);
  expect(all.filter(has).toSorted()).toEqual(ofTeam.toSorted());
});

const entities = [
  ...new Map(
    contracts
      .flatMap(({ access }) => access.map(({ resource }) => resource))
      .filter((resource): resource is EntityResource => resource.kind === "entity")
      .map((entity) => [entity.store, entity]),
  ).values(),
];

/** The entity of a stored item: that with the longest prefix in its table. */
const entityOf = (table: string, pk: string) =>
  entities
    .filter((entity) => process.env[resourceVariable(entity)] === table && pk.startsWith(entity.keyPrefix))
    .toSorted((one, other) => other.keyPrefix.length - one.keyPrefix.length)[0];

test("no key of an entity that counts as without a team names a team", async () => {
  const teams = new Set<string>();
  const keys: { entity: EntityResource | undefined; pk: string }[] = [];
  for await (const { table, item } of scanAllItems(world.service)) {
    const pk = item.pk?.S ?? "";
    keys.push({ entity: entityOf(table, pk), pk });
    if (item.sk?.S === "team" && pk.startsWith("team#")) teams.add(pk.slice("team#".length));
  }
  expect([teams.size > 3, keys.filter(({ entity }) => !entity)]).toEqual([true, []]);
  const ofNoTeam = keys.filter(({ entity }) => entity && entitiesOfNoTeam.includes(entity));
  expect(ofNoTeam.length).toBeGreaterThan(50);
  expect(ofNoTeam.filter(({ pk }) => [...teams].some((team) => pk.includes(team)))).toEqual([]);
});
