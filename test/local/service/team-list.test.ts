import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const path = () => `/v1/org/${service.identity.org_id}/team`;
const createTeam = (body: object) => service.manage("POST", path(), { body });
const listTeams = (query: string) => service.manage("GET", `${path()}${query}`);
const search = (text: string) => listTeams(`?search_query=${encodeURIComponent(text)}`);

test("search_query takes exactly the characters of the specification [management-interface-04] [management-interface-05] [management-interface-06] [limits-14]", async () => {
  const codes = [...Array.from({ length: 0x180 }, (_, code) => code), 0x2018, 0x2019, 0x3a9, 0x1f600];
  const isAllowed = (text: string) => /^[A-Za-z0-9À-ÖØ-öø-ÿ(),/:'|&_\-’\s]$/u.test(text);
  const wrong: string[] = [];
  for (const code of codes) {
    const text = String.fromCodePoint(code);
    const { status } = await search(text);
    if (status !== (isAllowed(text) ? 200 : 422)) wrong.push(`U+${code.toString(16)} ${status}`);
  }
  expect(wrong).toEqual([]);
  expect((await search("x".repeat(80))).status).toBe(200);
  const long = await search("x".repeat(81));
  expect([long.status, long.body.detail[0].loc]).toEqual([422, ["query", "search_query"]]);
});

test("the list is filtered by region, one or several [management-interface-02]", async () => {
  const all = (await listTeams("?region=us&region=eu")).body.teams.length;
  expect(all).toBeGreaterThan(0);
  expect((await listTeams("?region=us")).body.teams).toHaveLength(all);
  expect((await listTeams("?region=eu")).body.teams).toEqual([]);
  expect((await listTeams("?region=mars")).status).toBe(422);
});

test("more than 50 teams come in pages, each team once, and a cursor belongs to its query [management-interface-07] [management-interface-08]", async () => {
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
