import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const path = () => `/v1/org/${service.identity.org_id}/team`;
const createTeam = (body: object) => service.manage("POST", path(), { body });
const listTeams = (query: string) => service.manage("GET", `${path()}${query}`);
const search = (text: string) => listTeams(`?search_query=${encodeURIComponent(text)}`);

test("a search_query with an invalid character or length is refused by name [management-interface-06] [limits-14]", async () => {
  for (const text of ["Zürich (a/b), c: 'd' | e & f_g-h ’", "x".repeat(80)])
    expect((await search(text)).status).toBe(200);
  for (const text of ["<b>", "a;b", "\u{1f600}", "x".repeat(81)]) {
    const { status, body } = await search(text);
    expect([status, body.detail[0].loc]).toEqual([422, ["query", "search_query"]]);
  }
});

test("the list contains the requested teams [management-interface-03]", async () => {
  const { team_id } = service.identity;
  const other = (await createTeam({ name: "Another", region: "us" })).body.id;
  const listed = async (query: string) => (await listTeams(query)).body.teams.map(({ id }: { id: string }) => id);
  expect(await listed(`?team_id=${team_id}`)).toEqual([team_id]);
  expect(await listed(`?team_id=${team_id}&team_id=${other}`)).toEqual([team_id, other]);
  expect((await listTeams("?team_id=x")).status).toBe(422);
});

test("the list is filtered by one or several regions [management-interface-02]", async () => {
  const all = (await listTeams("?region=us&region=eu")).body.teams.length;
  expect(all).toBeGreaterThan(0);
  expect((await listTeams("?region=us")).body.teams).toHaveLength(all);
  expect((await listTeams("?region=eu")).body.teams).toEqual([]);
  expect((await listTeams("?region=mars")).status).toBe(422);
});

test("more than 50 teams are listed in pages, each team once, with cursors bound to their query [management-interface-07] [management-interface-08]", async () => {
  const names = Array.from({ length: 60 }, (_, index) => `Paged ${index}`);
  for (const name of names) await createTeam({ name, region: "us" });
  const first = (await search("paged")).body;
  expect([first.teams.length, typeof first.next_cursor]).toEqual([50, "string"]);
  const next = encodeURIComponent(first.next_cursor);
  const second = (await listTeams(`?search_query=paged&next_cursor=${next}`)).body;
  expect(second.next_cursor).toBeNull();
  expect([...first.teams, ...second.teams].map(({ name }: { name: string }) => name)).toEqual(names);
  expect((await listTeams(`?search_query=page&next_cursor=${next}`)).status).toBe(422);
  expect((await listTeams(`?next_cursor=${next}`)).status).toBe(422);
  expect((await listTeams("?next_cursor=nonsense")).status).toBe(422);
});
