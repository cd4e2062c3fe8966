import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { type CredentialFixture, createCredentialFixture } from "./credential-fixture.ts";

const MINUTE_MS = 60_000;
/** Kinds of credentials that are not bound to a user. */
const OF_THE_TEAM = ["webhook portal link", "console session"];

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const org = () => `/v1/org/${service.identity.org_id}`;
const byKey = ({ key }: CredentialFixture) => ({ "x-service-api-key": key });

/** Creates an access token. @returns it with its management key. */
async function accessToken({ teamId }: CredentialFixture) {
  const body = { label: "parent", role: "team_admin", team_role_bindings: [{ team_id: teamId }] };
  const parent = (await service.manage("POST", `${org()}/management_key`, { body })).body;
  const options = { key: parent.key, body: { env: "sandbox" } };
  const made = (await service.manage("POST", `${org()}/team/${teamId}/create_api_access_token`, options)).body;
  return { parentId: parent.id, headers: { authorization: `Bearer ${made.access_token}` } };
}

const revoke = ({ teamId }: CredentialFixture, body: object) =>
  service.manage("POST", `${org()}/team/${teamId}/revoke_credentials`, { body });

/** Returns the kinds of credentials that are valid now. */
async function openKinds(held: Awaited<ReturnType<CredentialFixture["createCredentials"]>>): Promise<string[]> {
  const open: string[] = [];
  for (const { kind, opens } of held) if (await opens()) open.push(kind);
  return open;
}

/** Ways to end credentials: prepares one, names the key to create credentials with, and ends them. */
const ends: Readonly<
  Record<string, (world: CredentialFixture) => Promise<{ by: Record<string, string>; end: () => Promise<unknown> }>>
> = {
  "its key deleted": async (world) => ({
    by: byKey(world),
    end: () => service.manage("DELETE", `${org()}/team_api_keys/sandbox/us?api_key_id=${world.keyId}`),
  }),
  "its key expired": async (world) => ({
    by: (await accessToken(world)).headers,
    end: () => service.advance(9 * MINUTE_MS),
  }),
  "the management key of its access token deleted": async (world) => {
    const { parentId, headers } = await accessToken(world);
    return { by: headers, end: () => service.manage("DELETE", `${org()}/management_key/${parentId}`) };
  },
  "its team deleted": async (world) => ({
    by: byKey(world),
    end: () => service.manage("DELETE", `${org()}/team/${world.teamId}`),
  }),
  "all credentials of its key revoked": async (world) => ({
    by: byKey(world),
    end: () => revoke(world, { api_key_id: world.keyId }),
  }),
  "all credentials of its user revoked": async (world) => ({
    by: byKey(world),
    end: () => revoke(world, { user_id: world.userId }),
  }),
  "its user deleted": async (world) => ({
    by: byKey(world),
    end: () => service.call("DELETE", `/v2/user/${world.userId}`, { key: world.key }),
  }),
};

describe("a credential", () => {
  test("of each kind stays valid on repeated use while everything it depends on lives", { tags: "deep" }, async () => {
    const world = await createCredentialFixture(service, "alive");
    const held = await world.createCredentials(byKey(world));
    const kinds = held.map(({ kind }) => kind);
    expect(await openKinds(held)).toEqual(kinds);
    await service.advance(MINUTE_MS);
    expect(await openKinds(held)).toEqual(kinds);
  });

  test.each(Object.keys(ends))("of each kind is invalid within a minute after: %s", { tags: "deep" }, async (name) => {
    const world = await createCredentialFixture(service, name);
    const { by, end } = await ends[name]!(world);
    const held = await world.createCredentials(by);
    expect(await openKinds(held)).toHaveLength(held.length);
    await end();
    await service.advance(MINUTE_MS);
    expect(await openKinds(held)).toEqual(
      name === "all credentials of its user revoked" || name === "its user deleted" ? OF_THE_TEAM : [],
    );
  });

  test("of the main API is invalid within a minute after the deletion of its team or of its creating key", {
    tags: "deep",
  }, async () => {
    for (const name of ["its team deleted", "the management key of its access token deleted"]) {
      const world = await createCredentialFixture(service, `main ${name}`);
      const { by, end } = await ends[name]!(world);
      const opens = async () => (await service.call("GET", "/v2/user", { key: null, headers: by })).status;
      expect(await opens()).toBe(200);
      await end();
      await service.advance(MINUTE_MS);
      expect(await opens()).toBe(401);
    }
  });

  test("of the same key and user is valid if it is created after a revocation", { tags: "deep" }, async () => {
    const world = await createCredentialFixture(service, "anew");
    expect((await revoke(world, { api_key_id: world.keyId, user_id: world.userId })).body).toEqual({ success: true });
    await service.advance(1_000);
    const held = await world.createCredentials(byKey(world));
    expect(await openKinds(held)).toHaveLength(held.length);
  });

  test("stays valid after its key is retired, which is invalid itself, until the key is deleted", {
    tags: "deep",
  }, async () => {
    const world = await createCredentialFixture(service, "retired");
    const held = await world.createCredentials(byKey(world));
    const path = `${org()}/team_api_keys/sandbox/us`;
    const end = (more = "") => service.manage("DELETE", `${path}?api_key_id=${world.keyId}${more}`);
    expect((await end("&keep_made=true")).body).toMatchObject({ success: [world.keyId] });
    await service.advance(MINUTE_MS);
    expect((await service.call("GET", "/v2/user", { key: world.key })).status).toBe(401);
    const { api_keys } = (await service.manage("GET", `${path}?team_id=${world.teamId}`)).body;
    const listed = api_keys.find(({ id }: { id: string }) => id === world.keyId);
    expect(listed).toMatchObject({ retired_at: expect.any(String) });
    expect(await openKinds(held)).toHaveLength(held.length);
    await end();
    await service.advance(MINUTE_MS);
    expect(await openKinds(held)).toEqual([]);
  });
});

test("a revocation accepts only ids of the team, and needs at least one", async () => {
  const [world, other] = [
    await createCredentialFixture(service, "own"),
    await createCredentialFixture(service, "other"),
  ];
  const status = async (body: object) => (await revoke(world, body)).status;
  expect(await status({})).toBe(422);
  expect(await status({ api_key_id: other.keyId })).toBe(404);
  expect(await status({ user_id: other.userId })).toBe(404);
  expect(await status({ api_key_id: world.keyId, user_id: crypto.randomUUID() })).toBe(404);
});
