import type { ClientCredentials } from "./client-credentials.ts";
import type { ProviderClient, ProviderFetch, TokenPlace } from "./provider-client.ts";
import type { DroppedFieldListener } from "./tolerant-reader.ts";

/** A half-open interval in epoch milliseconds: the start is included, the end excluded. */
export interface TimeWindow {
  readonly startMs: number;
  readonly endMs: number;
}

/** A successful token response (RFC 6749, section 5.1). */
export type TokenResponse = Readonly<Record<string, unknown>> & { readonly access_token: string };

/** The OAuth 2 configuration of a provider; oauth.ts implements the protocol. URLs are those of production. */
export interface OAuthDescription {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** Absent if the provider cannot revoke access. */
  readonly revocation?: Revocation;
  /** Default scopes of an authorization request; a team may override them. */
  readonly scopes: readonly string[];
  /** Scopes required to read the provider's user id. */
  readonly identityScopes: readonly string[];
  /** True if the redirect, not the token response, carries the granted scopes. */
  readonly returnsScopesInRedirect?: boolean;
  readonly scopeSeparator: " " | ",";
  /** How token requests send the client secret (RFC 6749, section 2.3.1). */
  readonly clientAuthentication: "body" | "basic";
  readonly pkce: boolean;
  /** Value of the `iss` parameter of redirects (RFC 9207). Default: the origin of `buildAuthorizationUrl`. */
  readonly issuer?: string;
  /** Name of the parameter that carries the scopes of an authorization request. Default: `scope`. */
  readonly scopeParameter?: string;
  /** Additional parameters of the authorization request. */
  readonly authorizationParameters?: Readonly<Record<string, string>>;
  /** Additional parameters of every token request. */
  readonly tokenParameters?: Readonly<Record<string, string>>;
  /** Additional parameters of refresh requests only. */
  readonly refreshParameters?: Readonly<Record<string, string>>;
  /** True if a refresh request must include the redirect URI. */
  readonly refreshRequiresRedirectUri?: boolean;
  /** Where token requests carry their parameters. Default: the body of a POST (RFC 6749). */
  readonly tokenRequestForm?: "query of a GET" | "query of a POST";
  /** Converts the parameters of a token request to those that the provider names otherwise. */
  readonly renameParameters?: (form: URLSearchParams) => URLSearchParams;
  /** Converts a provider-specific token or error response to the form of RFC 6749. */
  readonly unwrap?: (body: unknown) => unknown;
  /** Returns the provider's user id, which also identifies the user in pushes. */
  readonly fetchAccountId: (reply: TokenResponse, client: ProviderClient) => Promise<string>;
}

/** How to revoke access: by RFC 7009 (`standard`) or by a provider-specific request (`own`). */
export type Revocation =
  | {
      readonly kind: "standard";
      readonly url: string;
      /** Set if it differs from the authentication of token requests. */
      readonly clientAuthentication?: OAuthDescription["clientAuthentication"];
    }
  | { readonly kind: "own"; readonly revoke: (client: ProviderClient, about: RevokedAccess) => Promise<void> };

/** The access to revoke. */
export interface RevokedAccess {
  readonly app: ClientCredentials;
  /** The provider's user id, once known. */
  readonly accountId?: string | undefined;
}

/** A unit of a provider's data that pulls fetch independently. */
interface ProviderResource {
  readonly name: string;
  /** Resource names that a pull delivers, as event types name them. */
  readonly delivers: readonly string[];
  /** Maximum length of the window of one pull, in days. */
  readonly windowDays: number;
  /** Scopes that this resource requires. */
  readonly scopes: readonly string[];
}

/** Unvalidated records by resource name; lib/domain/ingest/accept-batch.ts validates them. */
export interface PulledBatch {
  readonly source_type: string;
  /** The device that recorded all records, as the provider names it. */
  readonly device_id?: string | null | undefined;
  /** The app that recorded all records. */
  readonly app_id?: string | null | undefined;
  readonly resources: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

/** A verified push of a provider: a notification of changed data, or the data itself. */
export interface Push {
  readonly accountId: string;
  /** The data to pull now: a window of a resource, or one record by the provider's id. */
  readonly changed?: { readonly resource: string } & ({ readonly window: TimeWindow } | { readonly id: string });
  readonly batch?: PulledBatch;
  /** True if the user revoked access at the provider. */
  readonly isRevoked?: boolean;
}

/** An inbound request of a provider, as received. */
export interface PushRequest {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  readonly body: string;
}

/** The response to a provider that verifies a callback URL. */
export interface PushResponse {
  readonly status: number;
  /** JSON body; absent for an empty body. */
  readonly body?: Readonly<Record<string, string>>;
}

/** The webhook protocol of a provider. */
export interface PushDescription {
  /** Answers a verification request; undefined for a push and for a request that is not from the provider. */
  readonly answerChallenge?: (request: PushRequest, app: ClientCredentials) => PushResponse | undefined;
  /** Returns true if the provider sent the push. */
  readonly verify: (request: PushRequest, app: ClientCredentials, nowMs: number) => boolean;
  /** Checks the signature of a push that passed `verify`, with a public key fetched from the provider. */
  readonly verifySignature?: (request: PushRequest, fetch: ProviderFetch) => Promise<boolean>;
  /** Parses a push. @throws ZodError or SyntaxError if the body is invalid. */
  readonly parse: (request: PushRequest, onDropped?: DroppedFieldListener) => readonly Push[];
  /** Returns the part of a push body about one account, as JSON; for a provider whose pushes contain data. */
  readonly selectAccount?: (body: string, accountId: string) => string;
  /** Subscribes to pushes about the client's user; only for providers with subscriptions per user. */
  readonly subscribe?: (client: ProviderClient, address: string) => Promise<void>;
}

/** A provider whose data is pulled. Contains everything specific to that provider. */
export interface PulledProvider {
  readonly slug: string;
  /** Absent if the provider does not use OAuth. */
  readonly oauth?: OAuthDescription;
  readonly resources: readonly ProviderResource[];
  /** Default number of days of history to pull when a user connects; a team may override it. */
  readonly historyDays: number;
  /**
   * Days by which devices upload late to a provider without pushes. Once a day, a poll reaches back as far. Default: as
   * far as every poll does.
   */
  readonly lateUploadDays?: number;
  /** True if new data arrives by pushes only. Pulls then fetch history only. */
  readonly isPushOnly?: boolean;
  /** Reads from the headers of a 429 response when to retry (epoch ms); undefined to use `Retry-After`. */
  readonly retryAt?: (headers: Headers, nowMs: number) => number | undefined;
  /** Derives the HTTP status from the body, for a provider that always responds with 200. */
  readonly statusFromBody?: (body: unknown) => number;
  /** Where requests carry the access token. Default: the Authorization header, as a bearer token. */
  readonly tokenPlace?: TokenPlace;
  /** Fetches all records of a resource in a window, page by page. @throws ProviderError. */
  pull(resource: string, window: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch>;
  /** Fetches the record that a push names by id; yields nothing if it no longer exists. @throws ProviderError. */
  pullOne?(resource: string, id: string, client: ProviderClient): AsyncGenerator<PulledBatch>;
  readonly push?: PushDescription;
}

/** A provider that users connect by OAuth. */
export interface Connector extends PulledProvider {
  readonly oauth: OAuthDescription;
}

/** A provider that users connect by e-mail address. */
export interface EmailConnector extends PulledProvider {
  /** Signs in. The session serves as access token and cannot be refreshed. @throws ProviderError. */
  signIn(fetch: ProviderFetch, email: string): Promise<{ readonly accountId: string; readonly session: string }>;
}
