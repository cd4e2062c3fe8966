import type { PulledProvider } from "../connectors/connector.ts";
import { refreshTokens } from "../connectors/oauth.ts";
import { AccessEnded, ProviderUnavailable } from "../connectors/provider-error.ts";
import { type ClientOptions, ProviderClient } from "../connectors/provider-http.ts";
import {
  type ConnectionCredentials,
  connectionContext,
  type GrantedTokens,
  grantedTokens,
} from "../domain/linking/connection-credentials.ts";
import type { UserRecord } from "../domain/user.ts";
import { ports } from "../runtime/ports.ts";
import type { ConnectionCredentialStore } from "../store/linking/connection-credentials.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { tokensOf } from "./finishing-oauth.ts";
import { type AppUses, appOf, speakingFor } from "./provider-app.ts";
import { type DemoUses, wayTo } from "./provider-fetch.ts";

export interface RefreshingUses extends AppUses, DemoUses {
  readonly connectionCredentials: ConnectionCredentialStore;
}

/** Refresh an access token that expires within this time. */
const MARGIN_MS = 60_000;
/** Maximum duration of a refresh. Other callers check for its result at an interval. */
const LEASE_MS = 30_000;
const LOOK_EVERY_MS = 100;
const MOST_LOOKS = 250;

/** A connection of a user. */
export interface Connected {
  readonly scope: TeamScope;
  readonly userId: string;
  readonly connector: PulledProvider;
  /** Whether the provider is simulated in this process. */
  readonly demo?: boolean | undefined;
}

/** Creates a client for a user's connection that refreshes the access token as needed. */
export function clientOf(
  uses: RefreshingUses,
  scope: TeamScope,
  user: UserRecord,
  connector: PulledProvider,
  onDropped?: ClientOptions["onDropped"],
): ProviderClient {
  const { slug, retryAt, statusOf } = connector;
  const { demo, external_user_id: accountId } = user.connections[slug] ?? {};
  const connected = { scope, userId: user.user_id, connector, demo };
  const accessToken = (refused?: string) => accessTokenOf(uses, connected, refused);
  const { now } = ports().clock;
  const fetch = wayTo(uses, connected);
  return new ProviderClient({ fetch, accessToken, now, retryAt, statusOf, accountId, onDropped });
}

/**
 * Returns a valid access token. One of several concurrent callers refreshes it under a lease and stores the new tokens
 * before any use, since a refresh token may be valid for one exchange only. The other callers wait.
 * @param refused a token that the provider refused before its expiry.
 * @throws AccessEnded if the user has to connect again; ProviderUnavailable.
 */
export async function accessTokenOf(uses: RefreshingUses, connected: Connected, refused?: string): Promise<string> {
  const { scope, userId, connector } = connected;
  for (let look = 0; look < MOST_LOOKS; look++) {
    const read = await uses.connectionCredentials.get(scope, userId, connector.slug);
    if (!read) throw new AccessEnded("the connection has no credentials");
    // Never send tokens of a demo provider to a real one or vice versa, even if the connection was replaced meanwhile.
    if (Boolean(read.demo) !== Boolean(connected.demo)) throw new AccessEnded("the connection was replaced meanwhile");
    if (read.paused_at) throw new ProviderUnavailable("the connection is paused");
    const now = ports().clock.now();
    const tokens = await openTokens(uses, read);
    const isFresh = read.access_ends_at === null || Date.parse(read.access_ends_at) > now + MARGIN_MS;
    if (isFresh && tokens.access_token !== refused) return tokens.access_token;
    const until = new Date(now + LEASE_MS).toISOString();
    if (await uses.connectionCredentials.lease(scope, read, new Date(now).toISOString(), until)) {
      return renew(uses, connected, { read, tokens, until });
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new ProviderUnavailable("another caller's token refresh did not finish in time");
}

const openTokens = async ({ credentials }: RefreshingUses, read: ConnectionCredentials): Promise<GrantedTokens> =>
  grantedTokens.parse(JSON.parse(await credentials.open(read.sealed, connectionContext(read))));

/** Credentials under this caller's refresh lease. */
interface Leased {
  readonly read: ConnectionCredentials;
  readonly tokens: GrantedTokens;
  readonly until: string;
}

async function renew(uses: RefreshingUses, { scope, connector }: Connected, { read, tokens, until }: Leased) {
  try {
    const { oauth } = connector;
    if (tokens.refresh_token === null || !oauth) throw new AccessEnded("access has expired and has no refresh token");
    const app = await appOf(uses, scope, read);
    if (!app) throw new AccessEnded("the application of the connection is no longer configured");
    const { refresh_token } = tokens;
    const reply = await speakingFor(uses, app, connector.slug, (one) =>
      refreshTokens(oauth, { app: one, redirectUri: one.redirectUri, fetch: wayTo(uses, read) }, refresh_token),
    );
    const renewed = tokensOf(reply, ports().clock.now(), refresh_token);
    const sealed = await uses.credentials.seal(JSON.stringify(renewed.tokens), connectionContext(read));
    const isKept = await uses.connectionCredentials.refresh(scope, read, {
      sealed,
      access_ends_at: renewed.accessEndsAt,
    });
    if (!isKept) throw new AccessEnded("the connection ended meanwhile");
    return renewed.tokens.access_token;
  } catch (error) {
    await uses.connectionCredentials.release(scope, read, until);
    throw error;
  }
}
