import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { credentialEnds, openKinds, revokeCredentials, survivorsOf } from "./credential-ends.ts";
import { byKey, createCredentialFixture } from "./credential-fixture.ts";

const MINUTE_MS = 60_000;
let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const org = () => `/v1/org/${service.identity.org_id}`;

describe("a credential", () => {
  test("of each kind stays valid on repeated use while everything it depends on lives", { tags: "deep" }, async () => {
    const world = await createCredentialFixture(service, "alive");
    const held = await world.createCredentials(byKey(world));
    const kinds = held.map(({ kind }) => kind);
    expect(await openKinds(held)).toEqual(kinds);
    await service.advance(MINUTE_MS);
    expect(await openKinds(held)).toEqual(kinds);
  });

  test.each(Object.keys(credentialEnds))(
    "of each kind is invalid within a minute after: %s",
    { tags: "deep" },
    async (name) => {
      const world = await createCredentialFixture(service, name);
      const { by, end } = await credentialEnds[name]!(service, world);
      const held = await world.createCredentials(by);
      expect(await openKinds(held)).toHaveLength(held.length);
      await end();
      await service.advance(MINUTE_MS);
      expect(await openKinds(held)).toEqual(survivorsOf(name));
    },
  );

  test("of the main API is invalid within a minute after the deletion of its team or of its creating key", {
    tags: "deep",
  }, async () => {
    for (const name of ["its team deleted", "the management key of its access token deleted"]) {
      const world = await createCredentialFixture(service, `main ${name}`);
      const { by, end } = await credentialEnds[name]!(service, world);
      const opens = async () => (await service.call("GET", "/v2/user", { key: null, headers: by })).status;
      expect(await opens()).toBe(200);
      await end();
      await service.advance(MINUTE_MS);
      expect(await opens()).toBe(401);
    }
  });

  test("of the same key and user is valid if it is created after a revocation", { tags: "deep" }, async () => {
    const world = await createCredentialFixture(service, "anew");
    expect((await revokeCredentials(service, world, { api_key_id: world.keyId, user_id: world.userId })).body).toEqual({
      success: true,
    });
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
  const status = async (body: object) => (await revokeCredentials(service, world, body)).status;
  expect(await status({})).toBe(422);
  expect(await status({ api_key_id: other.keyId })).toBe(404);
  expect(await status({ user_id: other.userId })).toBe(404);
  expect(await status({ api_key_id: world.keyId, user_id: crypto.randomUUID() })).toBe(404);
});
