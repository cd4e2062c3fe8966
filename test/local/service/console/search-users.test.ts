import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { callInConsole, openConsole } from "./console-helpers.ts";

interface FoundUser {
  readonly user_id: string;
  readonly client_user_id: string;
}

let service: TestService;
let small: { key: string; ids: ReadonlyMap<string, string> };
let large: { key: string; ids: ReadonlyMap<string, string> };
beforeAll(async () => {
  service = await TestService.start();
  small = await createTeamOf(25);
  large = await createTeamOf(300);
}, 120_000);
afterAll(() => service.stop());

/** Creates a team with users named member-000, member-001 and so on. @returns its key, and the user ids by name. */
async function createTeamOf(count: number): Promise<typeof small> {
  const { key } = await service.createTeam(`Team of ${count}`);
  const ids = new Map<string, string>();
  for (let number = 0; number < count; number++) {
    const name = `member-${String(number).padStart(3, "0")}`;
    ids.set(name, await service.createUser(name, key));
  }
  return { key, ids };
}

async function find(query: string, key = small.key): Promise<{ names: string[]; next: string | null }> {
  const { status, body } = await service.call("GET", `/console/user_search${query}`, { key });
  expect([status, body.code]).toEqual([200, undefined]);
  return { names: body.users.map((user: FoundUser) => user.client_user_id), next: body.next_cursor };
}

async function findAll(query: string, key = small.key): Promise<string[]> {
  const names: string[] = [];
  let next: string | null = "";
  while (next !== null) {
    const page = await find(`?limit=10${query}&next_cursor=${next}`, key);
    expect(page.names.length).toBeLessThanOrEqual(10);
    names.push(...page.names);
    next = page.next;
  }
  return names;
}

describe("users of the console", () => {
  test("come in pages in the order of creation, all of them once", async () => {
    expect(await findAll("")).toEqual([...small.ids.keys()]);
    expect(await findAll("", large.key)).toEqual([...large.ids.keys()]);
  });

  test("are found by the beginning of their client user id, in its order, in pages", async () => {
    const tens = [...large.ids.keys()].filter((name) => name.startsWith("member-1"));
    expect(tens).toHaveLength(100);
    expect(await findAll("&search=member-1", large.key)).toEqual(tens);
    expect((await find("?search=member-014")).names).toEqual(["member-014"]);
    expect((await find("?search=Member")).names).toEqual([]);
    expect((await find("?search=ember")).names).toEqual([]);
  });

  test("are found by a complete user id in any case, and not by a part of it", async () => {
    const id = small.ids.get("member-007") ?? "";
    expect((await find(`?search=${id}`)).names).toEqual(["member-007"]);
    expect((await find(`?search=${id.toUpperCase()}`)).names).toEqual(["member-007"]);
    expect((await find(`?search=${id.slice(0, 30)}`)).names).toEqual([]);
  });

  test("appear once if their client user id is their user id, in front of those whose id begins with it", async () => {
    const { key } = await service.createTeam("Own ids");
    const id = await service.createUser("renamed", key);
    await service.call("PATCH", `/v2/user/${id}`, { key, body: { client_user_id: id } });
    await service.createUser(`${id}-second`, key);
    expect((await find(`?search=${id}`, key)).names).toEqual([id, `${id}-second`]);
  });

  test("follow a new client user id, a deletion and its undo", async () => {
    const { key } = await service.createTeam("Changes");
    const id = await service.createUser("before", key);
    await service.call("PATCH", `/v2/user/${id}`, { key, body: { client_user_id: "after" } });
    expect([await find("?search=before", key), await find("?search=aft", key)]).toMatchObject([
      { names: [] },
      { names: ["after"] },
    ]);
    await service.call("DELETE", `/v2/user/${id}`, { key });
    expect([await find("?search=aft", key), await find("", key)]).toMatchObject([{ names: [] }, { names: [] }]);
    expect((await find(`?search=${id}`, key)).names).toEqual([]);
    await service.call("POST", "/v2/user/undo_delete", { key, body: { user_id: id } });
    expect((await find("?search=aft", key)).names).toEqual(["after"]);
  });

  test("of another team are found by no id", async () => {
    const id = large.ids.get("member-200") ?? "";
    expect((await find("?search=member-200")).names).toEqual([]);
    expect((await find(`?search=${id}`)).names).toEqual([]);
  });

  test("are listed for support and not for a reader", async () => {
    const statusFor = async (role: string) => {
      const held = await openConsole(service, { key: service.identity.api_key, role });
      return (await callInConsole(service, held, "GET", "/console/user_search")).status;
    };
    expect([await statusFor("support"), await statusFor("reader")]).toEqual([200, 403]);
  });

  test("are refused for a cursor of another search, and for a page without users or with too many", async () => {
    const { next } = await find("?search=member&limit=5");
    for (const query of [`search=memb&next_cursor=${next}`, `next_cursor=${next}`, "limit=0", "limit=101"])
      expect((await service.call("GET", `/console/user_search?${query}`, { key: small.key })).status, query).toBe(422);
  });
});

/** Requests and read units of one call, after the key is known to the function. */
async function measure(path: string, key: string): Promise<{ requests: number; read_units: number }> {
  await service.call("GET", path, { key });
  await service.settle();
  await service.call("DELETE", "/_local/meter");
  await service.call("GET", path, { key });
  const { tables } = (await service.call("GET", "/_local/meter")).body;
  const [, operations] = Object.entries<Record<string, { requests: number; read_units: number }>>(tables).find(
    ([name]) => name.includes("directory"),
  ) ?? ["", {}];
  const reads = ["Query", "BatchGetItem"].map((name) => operations[name] ?? { requests: 0, read_units: 0 });
  return {
    requests: reads.reduce((sum, { requests }) => sum + requests, 0),
    read_units: reads.reduce((sum, { read_units }) => sum + read_units, 0),
  };
}

test.each(["limit=20", "limit=20&search=member-0", "limit=20&search=nobody"])(
  "a page with %s reads the same for a team twelve times as large",
  async (query) => {
    const path = `/console/user_search?${query}`;
    const [few, many] = [await measure(path, small.key), await measure(path, large.key)];
    expect(many).toEqual(few);
    expect(few.requests).toBe(query.includes("nobody") ? 1 : 2);
    // One unit for each user of the page, and the keys of the index.
    expect(few.read_units).toBeLessThanOrEqual(query.includes("nobody") ? 1 : 20 + 3);
  },
);
