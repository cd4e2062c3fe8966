import { keyScopeNames } from "../../lib/contract/key-scopes.ts";
import {
  createLinkToken,
  grantConsent,
  openAuthorizationUrl,
  openCallback,
  setPullDays,
} from "../local/service/connections/link-helpers.ts";
import {
  createOtherTenants,
  createSiblingTeam,
  createTenant,
  type OtherTenant,
} from "../local/service/platform/isolation/other-tenants.ts";
import type { TestService } from "../support/service.ts";
import { type CredentialStock, type Credentials, type EndedCredentials, guardedKinds } from "./wrong-credentials.ts";

type Headers = Readonly<Record<string, string>>;

/** Containers cache keys for this long. */
const MINUTE_MS = 60_000;
/** All links, sessions and tokens expire within this time. */
const LONGEST_LIFE_MS = 12 * 60 * MINUTE_MS;

/** The tenants of an attack. */
export interface AttackWorld {
  /** The tenant whose data others must not reach. */
  readonly victim: OtherTenant;
  /**
   * Returns tenants with valid credentials: of another organisation, and of another team of the victim's organisation.
   * The first call creates them.
   */
  readonly attackers: () => Promise<readonly OtherTenant[]>;
  /** Valid and wrong credentials of a further team of the victim's organisation, and its ids. */
  readonly stock: CredentialStock;
  readonly own: OtherTenant["own"];
}

/**
 * Creates the tenants. It advances the virtual clock by half a day, so that credentials expire.
 * @param use uses credentials on the routes, so that containers cache them before they end.
 */
export async function createAttackWorld(
  service: TestService,
  use: (held: Credentials, tenant: OtherTenant) => Promise<unknown>,
): Promise<AttackWorld> {
  const victim = await createTenant(service, "the victim", await createSiblingTeam(service, "Victim"));
  const team = await createSiblingTeam(service, "Own");
  const tenant = await createTenant(service, "the caller", team);
  const expired = await createExpiring(service, tenant, team);
  await service.advance(LONGEST_LIFE_MS);
  const used = { link: await createUsedLink(service, tenant, team) };
  const [byKeys, byTeam] = [await createEnding(service, "Ended keys"), await createEnding(service, "Ended team")];
  await use(byKeys.held, byKeys.tenant);
  await use(byTeam.held, byTeam.tenant);
  await deleteKeys(service, byKeys.team);
  await service.manage("DELETE", `/v1/org/${byTeam.team.org_id}/team/${byTeam.team.team_id}`);
  await service.advance(MINUTE_MS);
  // The management key of the deleted team belongs to the organisation, and reaches nothing.
  const { management: _, ...ofTeam } = byTeam.held;
  const ended: EndedCredentials = { expired, used, "of a deleted key": byKeys.held, "of a deleted team": ofTeam };
  const scoped = await createScopedKeys(service, team.team_id);
  let attackers: Promise<OtherTenant[]> | undefined;
  return {
    victim,
    attackers: () => {
      attackers ??= createOtherTenants(service);
      return attackers;
    },
    own: tenant.own,
    stock: { valid: await holdAll(tenant), ended, scoped },
  };
}

/** Returns a valid credential of each kind. */
async function holdAll(tenant: OtherTenant): Promise<Credentials> {
  const held: Partial<Record<(typeof guardedKinds)[number], Headers>> = {};
  for (const kind of guardedKinds) held[kind] = await tenant.credential(kind);
  return held as Credentials;
}

type Team = Awaited<ReturnType<typeof createSiblingTeam>>;
const keysPath = ({ org_id }: Team) => `/v1/org/${org_id}/team_api_keys/sandbox/us`;

/** Returns the credentials that expire. Keys do not, so an access token stands for that of a team. */
async function createExpiring(service: TestService, tenant: OtherTenant, team: Team) {
  const path = `/v1/org/${team.org_id}/team/${team.team_id}/create_api_access_token`;
  const { body } = await service.manage("POST", path, { body: { env: "sandbox" } });
  const { lab: _, management: __, ...rest } = await holdAll(tenant);
  return { ...rest, team: { authorization: `Bearer ${body.access_token}` } };
}

/** Creates a team whose credentials are going to end. */
async function createEnding(service: TestService, name: string) {
  const team = await createSiblingTeam(service, name);
  const tenant = await createTenant(service, name, team);
  return { team, tenant, held: await holdAll(tenant) };
}

/** Deletes all keys of a team: its API keys, that of its laboratory and its management key. */
async function deleteKeys(service: TestService, team: Team): Promise<void> {
  const { api_keys } = (await service.manage("GET", `${keysPath(team)}?team_id=${team.team_id}`)).body;
  for (const { id } of api_keys) await service.manage("DELETE", `${keysPath(team)}?api_key_id=${id}`);
  await service.manage("DELETE", `/v1/org/${team.org_id}/management_key/${team.keyId}`);
}

/** Connects a provider with a link. @returns the link, which can connect nothing else. */
async function createUsedLink(service: TestService, { own }: OtherTenant, team: Team): Promise<Headers> {
  await setPullDays(service, 1, "oura", team.team_id);
  const link = await createLinkToken(service, own.user_id ?? "", {}, team.api_key);
  const url = await openAuthorizationUrl(service, link.link_token);
  const { outcome } = await openCallback(await grantConsent(url, { account: "attacked" }));
  if (outcome.state !== "success") throw new Error(`the link was not used: ${JSON.stringify(outcome)}`);
  return link.headers;
}

async function createScopedKeys(service: TestService, team_id: string): Promise<Record<string, Headers>> {
  const path = `/v1/org/${service.identity.org_id}/team_api_keys/sandbox/us`;
  const made = keyScopeNames.map(async (scope) => {
    const { body } = await service.manage("POST", path, { body: { label: scope, team_id, scopes: [scope] } });
    return [scope, { "x-service-api-key": body.value }];
  });
  return Object.fromEntries(await Promise.all(made));
}
