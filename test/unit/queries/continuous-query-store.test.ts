import { afterAll, beforeAll, expect, test } from "vitest";
import { directoryTable } from "../../../lib/contract/resources.ts";
import { type ContinuousQuery, continuousQueryDraft } from "../../../lib/domain/queries/continuous/continuous-query.ts";
import { ContinuousQueryStore } from "../../../lib/store/queries/continuous-queries.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const scope = TeamScope.grant("team");
const [first, second, third] = [1, 2, 3].map((n) => `${n}f2b8c1e-9d4a-4c6b-8e7f-0a1b2c3d4e5f`) as [
  string,
  string,
  string,
];

let dynamodb: TestDynamodb;
let store: ContinuousQueryStore;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  store = new ContinuousQueryStore(new Table(dynamodb.documents, directoryTable.name));
});
afterAll(() => dynamodb.stop());

async function create(id: string, slug: string): Promise<void> {
  const query = { select: [{ group_key: "*" }, { func: "mean", arg: { sleep: "efficiency" } }] };
  const draft = continuousQueryDraft.omit({ slug: true }).parse({ title: "Sleep", query });
  const made: ContinuousQuery = {
    ...draft,
    ...{ id, slug, status: "active", team_id: null, result_table_schema: {}, resource_dependencies: [] },
    scheduling_preferences: { minimum_gap_duration_second: null },
    fhir_observation_mappers: [],
  };
  await store.create(scope, made);
}

test("a stored slug that is the id of another query does not hide it", async () => {
  await create(first, "sleep-by-day");
  await create(second, first);
  await create(third, "4f2b8c1e-9d4a-4c6b-8e7f-0a1b2c3d4e5f");
  const found = async (name: string) => (await store.find(scope, name))?.id;
  expect(await Promise.all([first, first.toUpperCase(), "sleep-by-day"].map(found))).toEqual([first, first, first]);
  expect(await found(second)).toBe(second);
  expect(await found("4f2b8c1e-9d4a-4c6b-8e7f-0a1b2c3d4e5f")).toBe(third);
  expect(await found("5f2b8c1e-9d4a-4c6b-8e7f-0a1b2c3d4e5f")).toBeUndefined();
  expect((await store.get(scope, first))?.id).toBe(second);
});
