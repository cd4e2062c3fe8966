import { randomBytes } from "node:crypto";
import { generateApiKey } from "../../../../lib/crypto/api-key.ts";
import { planFirstOrg, writeFirstOrg } from "../../../../lib/services/management/bootstrap.ts";
import { Table } from "../../../../lib/store/table.ts";
import type { TestService } from "../../../support/service.ts";
import { createEngineClient } from "../support/stored-items.ts";

/** Creates another organisation with its own keys, as an operator does. */
export async function createOtherOrganization(service: TestService) {
  const client = createEngineClient(service);
  const ids = { uuid: () => crypto.randomUUID(), bytes: (length: number) => randomBytes(length) };
  const now = new Date(service.cloud.clock.now()).toISOString();
  const options = { name: "Other organization", environment: "sandbox", region: "us", now, ...ids } as const;
  const planned = planFirstOrg(options);
  await writeFirstOrg(new Table(client, process.env.TABLE_DIRECTORY ?? ""), planned, options);
  client.destroy();
  return planned;
}

/** Kinds of credentials of a request; `expired` is an access token past its ten minutes. */
export const credentialKinds = [
  "none",
  "malformed",
  "forged",
  "revoked",
  "expired",
  "team API key",
  "access token",
  "link token",
  "session token",
  "other org",
  "team key out of scope",
  "team key in scope",
  "org key",
] as const;
export type CredentialKind = (typeof credentialKinds)[number];

/** Two teams, and a credential of each kind, created through the API. */
export interface RoleFixture {
  readonly teamId: string;
  readonly keys: Readonly<Record<CredentialKind, string | null>>;
  readonly revokedApiKey: string;
}

export async function createRoleFixture(service: TestService): Promise<RoleFixture> {
  const { org_id } = service.identity;
  const org = `/v1/org/${org_id}`;
  const mine = await service.createTeam("In scope");
  const other = await service.createTeam("Out of scope");
  const managementKey = async (team_id?: string) => {
    const bound = team_id ? { role: "team_admin", team_role_bindings: [{ team_id }] } : { role: "org_admin" };
    return (await service.manage("POST", `${org}/management_key`, { body: { label: "matrix", ...bound } })).body;
  };
  const token = async () => {
    const path = `${org}/team/${mine.teamId}/create_api_access_token`;
    return (await service.manage("POST", path, { body: { env: "sandbox" } })).body.access_token;
  };
  const revoked = await managementKey();
  await service.manage("DELETE", `${org}/management_key/${revoked.id}`);
  const body = { label: "revoked", team_id: mine.teamId };
  const apiKey = (await service.manage("POST", `${org}/team_api_keys/sandbox/us`, { body })).body;
  await service.manage("DELETE", `${org}/team_api_keys/sandbox/us?api_key_id=${apiKey.id}`);
  const expired = await token();
  await service.advance(600_000);
  const orgKey = (await managementKey()).key;
  const keys = {
    none: null,
    malformed: `${orgKey}x`,
    forged: generateApiKey("mg", randomBytes).key.replace(/^mg_.{8}/, orgKey.slice(0, 11)),
    revoked: revoked.key,
    expired,
    "team API key": mine.key,
    "access token": await token(),
    "link token": randomBytes(32).toString("base64url"),
    "session token": `${randomBytes(32).toString("base64url")}.${randomBytes(32).toString("base64url")}`,
    "other org": (await createOtherOrganization(service)).management_key,
    "team key out of scope": (await managementKey(other.teamId)).key,
    "team key in scope": (await managementKey(mine.teamId)).key,
    "org key": orgKey,
  };
  return { teamId: mine.teamId, keys, revokedApiKey: apiKey.value };
}
