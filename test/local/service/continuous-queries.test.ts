import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const path = (env = "sandbox", team = service.identity.team_id) =>
  `/v1/org/${service.identity.org_id}/team/${team}/${env}`;
const at = (name: string) => `${path()}/continuous_query/${name}`;
const query = {
  select: [{ group_key: "*" }, { func: "mean", arg: { sleep: "efficiency" } }],
  group_by: [{ date_trunc: { value: 1, unit: "day" }, arg: { index: "sleep" } }],
};
const draft = (slug: string, changes = {}) => ({ slug, title: "Sleep by day", query, ...changes });
const create = (body: object) => service.manage("POST", `${path()}/continuous_query`, { body });

test("a continuous query is created, and read by its id and by its slug", async () => {
  const { status, body } = await create(draft("sleep-by-day"));
  expect(status).toBe(201);
  expect(body).toMatchObject({
    status: "active",
    slug: "sleep-by-day",
    team_id: service.identity.team_id,
    scheduling_preferences: { minimum_gap_duration_second: null },
    result_table_schema: { "group_key.0": "instant", "mean.efficiency": "number" },
    resource_dependencies: ["sleep"],
    export_preferences: { data_events: { enabled: true }, fhir_observations: false },
  });
  expect((await service.manage("GET", at("sleep-by-day"))).body).toEqual(body);
  expect((await service.manage("GET", at(body.id))).body).toEqual(body);
  expect((await service.manage("GET", at("another"))).status).toBe(404);
});

test("of ten creations with one slug at the same time, one succeeds", async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(draft("taken"))));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
});

test.each([
  ["slug", { slug: "-a" }],
  ["slug", { slug: "a--b" }],
  ["slug", { slug: "A" }],
  ["title", { title: "<b>" }],
  ["scheduling_preferences", { scheduling_preferences: { minimum_gap_duration_second: 1_799 } }],
  ["query", { query: { select: [{ func: "mean", arg: { sleep: "efficiency" } }] } }],
  ["query", { query: { ...query, where: "efficiency >" } }],
])("a wrong %s is refused where it stands: %j", async (field, change) => {
  const { status, body } = await create(draft("refused", change));
  expect([status, body.detail[0].loc.slice(0, 2)]).toEqual([422, ["body", field]]);
});

test("a query is checked without being created", async () => {
  const validate = (body: object) => service.manage("POST", `${path()}/validate_continuous_query`, { body });
  const { status, body } = await validate({ query });
  expect([status, body]).toEqual([
    200,
    {
      result_table_schema: { "group_key.0": "instant", "mean.efficiency": "number" },
      resource_dependencies: ["sleep"],
      fhir_observation_previews: null,
    },
  ]);
  expect((await validate({ query: { ...query, group_by: [] } })).status).toBe(422);
});

test("title and schedule can be changed, until the query is archived, which keeps it readable and its slug taken", async () => {
  await create(draft("changing"));
  const change = (body: object) => service.manage("PATCH", at("changing"), { body });
  const changed = await change({ title: "New", scheduling_preferences: { minimum_gap_duration_second: 3_600 } });
  expect(changed.body).toMatchObject({
    title: "New",
    scheduling_preferences: { minimum_gap_duration_second: 3_600 },
  });
  expect((await change({ title: null })).body).toEqual(changed.body);
  expect((await service.manage("DELETE", at("changing"))).status).toBe(204);
  expect((await service.manage("DELETE", at("changing"))).status).toBe(204);
  expect((await service.manage("GET", at("changing"))).body.status).toBe("archived");
  expect((await change({ title: "Newer" })).status).toBe(409);
  expect((await create(draft("changing"))).status).toBe(409);
});

test("queries are listed by slug in pages, and another team sees none of them", async () => {
  const { teamId } = await service.createTeam("Other");
  const list = async (team: string, cursor = "") =>
    (await service.manage("GET", `${path("sandbox", team)}/continuous_query${cursor && `?next_cursor=${cursor}`}`))
      .body;
  expect(await list(teamId)).toEqual({ data: [], next_cursor: null });
  for (let made = 0; made < 51; made++) await create(draft(`many-${String(made).padStart(2, "0")}`));
  const first = await list(service.identity.team_id);
  const second = await list(service.identity.team_id, first.next_cursor);
  const slugs = [...first.data, ...second.data].map(({ slug }: { slug: string }) => slug);
  expect([first.data.length, second.next_cursor]).toEqual([50, null]);
  expect(slugs).toEqual([...new Set(slugs)].toSorted());
  expect(slugs.filter((slug: string) => slug.startsWith("many-")).length).toBe(51);
  expect((await service.manage("GET", `${path("production")}/continuous_query`)).status).toBe(404);
});
