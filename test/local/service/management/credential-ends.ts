import type { TestService } from "../../../support/service.ts";
import { byKey, type CredentialFixture, type TestedCredential } from "./credential-fixture.ts";

const MINUTE_MS = 60_000;
const orgPath = ({ identity }: TestService) => `/v1/org/${identity.org_id}`;

/** Creates an access token. @returns it with its management key. */
async function accessToken(service: TestService, { teamId }: CredentialFixture) {
  const body = { label: "parent", role: "team_admin", team_role_bindings: [{ team_id: teamId }] };
  const parent = (await service.manage("POST", `${orgPath(service)}/management_key`, { body })).body;
  const path = `${orgPath(service)}/team/${teamId}/create_api_access_token`;
  const made = (await service.manage("POST", path, { key: parent.key, body: { env: "sandbox" } })).body;
  return { parentId: parent.id, headers: { authorization: `Bearer ${made.access_token}` } };
}

/** Revokes credentials of a key, of a user, or of both. */
export const revokeCredentials = (service: TestService, { teamId }: CredentialFixture, body: object) =>
  service.manage("POST", `${orgPath(service)}/team/${teamId}/revoke_credentials`, { body });

/** Returns the kinds of credentials that are valid now. */
export async function openKinds(held: readonly TestedCredential[]): Promise<string[]> {
  const open: string[] = [];
  for (const { kind, opens } of held) if (await opens()) open.push(kind);
  return open;
}

/** What to create credentials with, and what ends them. */
interface CredentialEnd {
  readonly by: Readonly<Record<string, string>>;
  readonly end: () => Promise<unknown>;
}

/** Ways to end credentials. */
export const credentialEnds: Readonly<
  Record<string, (service: TestService, world: CredentialFixture) => Promise<CredentialEnd>>
> = {
  "its key deleted": async (service, world) => ({
    by: byKey(world),
    end: () => service.manage("DELETE", `${orgPath(service)}/team_api_keys/sandbox/us?api_key_id=${world.keyId}`),
  }),
  "its key expired": async (service, world) => ({
    by: (await accessToken(service, world)).headers,
    end: () => service.advance(9 * MINUTE_MS),
  }),
  "the management key of its access token deleted": async (service, world) => {
    const { parentId, headers } = await accessToken(service, world);
    return { by: headers, end: () => service.manage("DELETE", `${orgPath(service)}/management_key/${parentId}`) };
  },
  "its team deleted": async (service, world) => ({
    by: byKey(world),
    end: () => service.manage("DELETE", `${orgPath(service)}/team/${world.teamId}`),
  }),
  "all credentials of its key revoked": async (service, world) => ({
    by: byKey(world),
    end: () => revokeCredentials(service, world, { api_key_id: world.keyId }),
  }),
  "all credentials of its user revoked": async (service, world) => ({
    by: byKey(world),
    end: () => revokeCredentials(service, world, { user_id: world.userId }),
  }),
  "its user deleted": async (service, world) => ({
    by: byKey(world),
    end: () => service.call("DELETE", `/v2/user/${world.userId}`, { key: world.key }),
  }),
};

/** Returns the kinds that an end leaves valid: those without a user, where a user's credentials end. */
export const survivorsOf = (end: string): string[] =>
  end === "all credentials of its user revoked" || end === "its user deleted"
    ? ["webhook portal link", "console session"]
    : [];
