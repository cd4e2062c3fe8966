import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const remove = (userId: string) => service.call("DELETE", `/v2/user/${userId}`);
const list = async (query = "", key = service.identity.api_key) =>
  (await service.call("GET", `/v2/user/deletions${query}`, { key })).body;
const namesOf = ({ deletions }: { deletions: { client_user_id: string }[] }) =>
  deletions.map(({ client_user_id }) => client_user_id);

test("a deletion is in the list of its team from the request until the undo, with the end of its grace period", {
  tags: "deep",
}, async () => {
  const user_id = await service.createUser("listed");
  expect((await list()).deletions).toEqual([]);
  await remove(user_id);
  const [entry] = (await list()).deletions;
  expect(entry).toMatchObject({ user_id, client_user_id: "listed" });
  expect(Date.parse(entry.erase_at) - Date.parse(entry.requested_at)).toBe(7 * DAY_MS);
  expect((await service.call("GET", "/v2/user")).body).toMatchObject({ users: [], total: 0 });
  const { key } = await service.createTeam("Without deletions");
  expect((await list("", key)).deletions).toEqual([]);
  await service.call("POST", `/v2/user/undo_delete?user_id=${user_id}`);
  expect((await list()).deletions).toEqual([]);
  expect((await service.call("GET", "/v2/user")).body.users).toMatchObject([{ client_user_id: "listed" }]);
});

test("pages list each deletion once, the next end first, and a cursor of another team is refused", {
  tags: "deep",
}, async () => {
  for (const name of ["first", "second", "third"]) {
    await remove(await service.createUser(name));
    await service.advance(60_000);
  }
  const found: string[] = [];
  let cursor: string | null = "";
  do {
    const page = await list(`?limit=1&next_cursor=${encodeURIComponent(cursor ?? "")}`);
    found.push(...namesOf(page));
    cursor = page.next_cursor;
  } while (cursor);
  expect(found).toEqual(["first", "second", "third"]);
  const { next_cursor } = await list("?limit=1");
  const { key } = await service.createTeam("Foreign cursor");
  const path = `/v2/user/deletions?limit=1&next_cursor=${encodeURIComponent(next_cursor)}`;
  expect((await service.call("GET", path, { key })).status).toBe(422);
});

test("an erased user is not in the list any more", { tags: "deep" }, async () => {
  const user_id = await service.createUser("erased");
  await remove(user_id);
  expect(namesOf(await list())).toContain("erased");
  await service.advance(7 * DAY_MS + 60_000);
  await service.settle();
  expect(namesOf(await list())).not.toContain("erased");
  expect((await service.call("GET", `/v2/user/erasure/${user_id}`)).status).toBe(200);
});
