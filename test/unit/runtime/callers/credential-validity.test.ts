import { beforeEach, describe, expect, test } from "vitest";
import {
  type CredentialValidityDependencies,
  type DependentCredential,
  findTeamOfValidCredential,
} from "../../../../lib/runtime/callers/credential-validity.ts";
import { CONTAINER_VARIABLE } from "../../../../lib/runtime/container.ts";
import { setPorts } from "../../../../lib/runtime/ports.ts";

const NOW_MS = Date.UTC(2026, 4, 1, 8);
const [BEFORE, MADE, AFTER] = ["2026-05-01T06:59:59.999Z", "2026-05-01T07:00:00.000Z", "2026-05-01T07:00:00.001Z"];

/** The stored key, team and user; undefined when deleted. */
interface Stored {
  readonly key?: object | undefined;
  readonly team?: object | undefined;
  readonly user?: object | undefined;
}

const alive: Stored = {
  key: { key_id: "k", kind: "team", org_id: "o", team_ids: ["t"], created_at: "" },
  team: { team_id: "t", org_id: "o" },
  user: { user_id: "u" },
};
const token: DependentCredential = { team_id: "t", user_id: "u", key_id: "k", made_at: MADE };

async function isAlive(stored: Stored, credential: DependentCredential = token): Promise<boolean> {
  const deps = {
    keys: { get: async () => stored.key },
    teams: { get: async () => stored.team },
    users: { get: async () => stored.user },
  } as unknown as CredentialValidityDependencies;
  return (await findTeamOfValidCredential(credential, deps)) !== undefined;
}

beforeEach(() => {
  process.env[CONTAINER_VARIABLE] = `parents ${Math.random()}`;
  setPorts({ clock: { now: () => NOW_MS } });
});

describe("a credential", () => {
  test("is valid while its key, team and user are valid", async () => {
    expect(await isAlive(alive)).toBe(true);
  });

  test.each<[string, Stored]>([
    ["key is deleted", { ...alive, key: undefined }],
    ["team is deleted", { ...alive, team: undefined }],
    ["user is deleted", { ...alive, user: undefined }],
    ["key has expired this second", { ...alive, key: { ...alive.key, expires_at: NOW_MS / 1000 } }],
    ["key is of another team now", { ...alive, key: { ...alive.key, team_ids: ["other"] } }],
    ["key is of another organisation", { ...alive, key: { ...alive.key, org_id: "other" } }],
    ["key's credentials were revoked at that moment", { ...alive, key: { ...alive.key, revoked_at: MADE } }],
    ["user's credentials were revoked since", { ...alive, user: { ...alive.user, credentials_revoked_at: AFTER } }],
  ])("is invalid once its %s", async (_, stored) => {
    expect(await isAlive(stored)).toBe(false);
  });

  test.each<[string, Stored]>([
    ["its key expires only in a second", { ...alive, key: { ...alive.key, expires_at: NOW_MS / 1000 + 1 } }],
    ["its key is retired", { ...alive, key: { ...alive.key, retired_at: AFTER } }],
    ["earlier credentials of its key are revoked", { ...alive, key: { ...alive.key, revoked_at: BEFORE } }],
    ["earlier credentials of its user are revoked", { ...alive, user: { credentials_revoked_at: BEFORE } }],
  ])("stays valid when %s", async (_, stored) => {
    expect(await isAlive(stored)).toBe(true);
  });

  test("depends on team and user only when it is stored without its key", async () => {
    const old = { team_id: "t", user_id: "u" };
    expect(await isAlive({ ...alive, key: undefined }, old)).toBe(true);
    expect(await isAlive({ ...alive, team: undefined }, old)).toBe(false);
    expect(await isAlive({ ...alive, user: undefined }, old)).toBe(false);
    expect(await isAlive({ ...alive, user: { credentials_revoked_at: AFTER } }, old)).toBe(false);
  });

  test("depends on team and key only when it has no user", async () => {
    const ofTeam = { team_id: "t", key_id: "k", made_at: MADE };
    expect(await isAlive({ ...alive, user: undefined }, ofTeam)).toBe(true);
    expect(await isAlive({ ...alive, key: undefined, user: undefined }, ofTeam)).toBe(false);
  });
});
