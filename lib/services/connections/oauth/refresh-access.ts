import type { PulledProvider } from "../../../connectors/connector.ts";
import { refreshTokens } from "../../../connectors/oauth.ts";
import { type ClientOptions, ProviderClient } from "../../../connectors/provider-client.ts";
import { AccessEnded, ProviderUnavailable } from "../../../connectors/provider-error.ts";
import { decryptDataKey, generateDataKey, getItem, grants, updateItem } from "../../../contract/access.ts";
import { connectionCredentials, credentialsKey } from "../../../contract/resources.ts";
import {
  type ConnectionCredentials,
  connectionEncryptionContext,
  type GrantedTokens,
  grantedTokens,
} from "../../../domain/connections/connection-credentials.ts";
import type { UserRecord } from "../../../domain/users/user.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { ports } from "../../../runtime/ports.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import {
  findCredentialsApp,
  type ProviderAppDependencies,
  retryWithChangedSecret,
  teamAppAccess,
} from "../providers/provider-app.ts";
import {
  PROVIDER_TIMEOUT_MS,
  type ProviderFetchDependencies,
  selectProviderFetch,
} from "../providers/provider-fetch.ts";
import type { PayloadKeeper } from "../raw-payloads/payload-keeper.ts";
import { toGrantedTokens } from "./finish-oauth.ts";

export type RefreshAccessDependencies = ProviderAppDependencies &
  ProviderFetchDependencies &
  Dependencies<"connectionCredentials">;

/** Grants of {@link createProviderClient} and {@link getAccessToken}. */
export const providerClientAccess = grants(
  [getItem(connectionCredentials), updateItem(connectionCredentials)],
  [decryptDataKey(credentialsKey, "connection"), generateDataKey(credentialsKey, "connection")],
  teamAppAccess,
);

/** Refresh an access token that expires within this time. */
const MARGIN_MS = 60_000;
/** Maximum duration of a refresh. Other callers check for its result at an interval. */
const LEASE_MS = 30_000;
/** Time of a lease that is left to store the tokens of an exchange. */
const STORE_MS = 5_000;
const CHECK_INTERVAL_MS = 100;
const MAX_CHECKS = 250;

/** A connection of a user. */
export interface ConnectedUser {
  readonly scope: TeamScope;
  readonly userId: string;
  readonly connector: PulledProvider;
  /** Whether the provider is simulated in this process. */
  readonly demo?: boolean | undefined;
}

/**
 * Creates a client for a user's connection that refreshes the access token as needed.
 * @param keeper keeps its responses, but none of token requests.
 */
export function createProviderClient(
  deps: RefreshAccessDependencies,
  scope: TeamScope,
  user: UserRecord,
  connector: PulledProvider,
  observers: Pick<ClientOptions, "onDropped" | "onResponse"> = {},
  keeper?: PayloadKeeper,
): ProviderClient {
  const { slug, retryAt, statusFromBody, tokenPlace } = connector;
  const { demo, external_user_id: accountId } = user.connections[slug] ?? {};
  const connected = { scope, userId: user.user_id, connector, demo };
  const accessToken = (refused?: string) => getAccessToken(deps, connected, refused);
  const { now } = ports().clock;
  const plain = selectProviderFetch(deps, connected);
  const fetch = keeper?.observe(plain) ?? plain;
  const app = () => findConnectedApp(deps, connected);
  const how = { retryAt, statusFromBody, tokenPlace };
  return new ProviderClient({ fetch, accessToken, app, now, ...how, accountId, ...observers });
}

/** Finds the application of a connection; undefined without credentials, or if it is no longer configured. */
async function findConnectedApp(deps: RefreshAccessDependencies, { scope, userId, connector }: ConnectedUser) {
  const read = await deps.connectionCredentials.get(scope, userId, connector.slug);
  return read && findCredentialsApp(deps, scope, read);
}

/**
 * Returns a valid access token. One of several concurrent callers refreshes it under a lease and stores the new tokens
 * before any use, since a refresh token may be valid for one exchange only. The other callers wait.
 * @param refused a token that the provider refused before its expiry.
 * @throws AccessEnded if the user has to connect again; ProviderUnavailable.
 */
export async function getAccessToken(
  deps: RefreshAccessDependencies,
  connected: ConnectedUser,
  refused?: string,
): Promise<string> {
  const { scope, userId, connector } = connected;
  for (let look = 0; look < MAX_CHECKS; look++) {
    const read = await deps.connectionCredentials.get(scope, userId, connector.slug);
    if (!read) throw new AccessEnded("the connection has no credentials");
    // Never send tokens of a demo provider to a real one or vice versa, even if the connection was replaced meanwhile.
    if (Boolean(read.demo) !== Boolean(connected.demo)) throw new AccessEnded("the connection was replaced meanwhile");
    if (read.paused_at) throw new ProviderUnavailable("the connection is paused");
    const now = ports().clock.now();
    const tokens = await openTokens(deps, read);
    const isFresh = read.access_ends_at === null || Date.parse(read.access_ends_at) > now + MARGIN_MS;
    if (isFresh && tokens.access_token !== refused) return tokens.access_token;
    const until = new Date(now + LEASE_MS).toISOString();
    if (await deps.connectionCredentials.acquireLease(scope, read, new Date(now).toISOString(), until)) {
      return refreshLeased(deps, connected, { read, tokens, until });
    }
    await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
  }
  throw new ProviderUnavailable("another caller's token refresh did not finish in time");
}

const openTokens = async (
  { credentials }: RefreshAccessDependencies,
  read: ConnectionCredentials,
): Promise<GrantedTokens> =>
  grantedTokens.parse(JSON.parse(await credentials.decrypt(read.sealed, connectionEncryptionContext(read))));

/** Credentials under this caller's refresh lease. */
interface LeasedCredentials {
  readonly read: ConnectionCredentials;
  readonly tokens: GrantedTokens;
  readonly until: string;
}

async function refreshLeased(
  deps: RefreshAccessDependencies,
  { scope, connector }: ConnectedUser,
  { read, tokens, until }: LeasedCredentials,
) {
  try {
    const { oauth } = connector;
    if (tokens.refresh_token === null || !oauth) throw new AccessEnded("access has expired and has no refresh token");
    const app = await findCredentialsApp(deps, scope, read);
    if (!app) throw new AccessEnded("the application of the connection is no longer configured");
    const { refresh_token } = tokens;
    const fetch = selectProviderFetch(deps, read);
    const reply = await retryWithChangedSecret(deps, app, connector.slug, async (one) => {
      requireTimeLeft(until);
      return refreshTokens(oauth, { app: one, redirectUri: one.redirectUri, fetch }, refresh_token);
    });
    const renewed = toGrantedTokens(reply, ports().clock.now(), refresh_token);
    const sealed = await deps.credentials.encrypt(JSON.stringify(renewed.tokens), connectionEncryptionContext(read));
    const isKept = await deps.connectionCredentials.putRefreshed(scope, read, {
      sealed,
      access_ends_at: renewed.accessEndsAt,
    });
    if (!isKept) throw new AccessEnded("the connection ended meanwhile");
    return renewed.tokens.access_token;
  } catch (error) {
    await deps.connectionCredentials.releaseLease(scope, read, until);
    throw error;
  }
}

/**
 * An exchange that ends after its lease would overlap with that of another caller. A slow first exchange, and the read
 * of a changed secret after it, may have used up the time. The caller comes again.
 */
function requireTimeLeft(until: string): void {
  const isLate = ports().clock.now() + PROVIDER_TIMEOUT_MS + STORE_MS > Date.parse(until);
  if (isLate) throw new ProviderUnavailable("the lease leaves no time for the exchange of the token");
}
