import type { ProviderClient, ProviderFetch } from "./provider-http.ts";

/** A span of time, epoch milliseconds; the end is excluded. */
export interface Window {
  readonly startMs: number;
  readonly endMs: number;
}

/** What a provider answers to a token request, in the standard form (RFC 6749, 5.1). */
export type TokenReply = Readonly<Record<string, unknown>> & { readonly access_token: string };

/** How a provider does OAuth 2, all of it data: the protocol itself is in oauth.ts. Addresses are the live ones. */
export interface OAuthDescription {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** Absent where access can not be given back. */
  readonly revocation?: Revocation;
  /** What is asked for unless a team asks for something else. */
  readonly scopes: readonly string[];
  /** Those without which it is not known who the user is. */
  readonly identityScopes: readonly string[];
  /** Whether the redirect, and not the reply, tells what was granted. */
  readonly tellsScopesInRedirect?: boolean;
  readonly scopeSeparator: " " | ",";
  /** Where the client secret goes in token requests. */
  readonly clientAuthentication: "body" | "basic";
  readonly pkce: boolean;
  /** What the provider calls itself in the `iss` parameter of its redirects (RFC 9207); by default its origin. */
  readonly issuer?: string;
  /** Further parameters of the authorization request. */
  readonly authorizationParameters?: Readonly<Record<string, string>>;
  /** Further parameters of token requests. */
  readonly tokenParameters?: Readonly<Record<string, string>>;
  /** Further parameters of refreshes alone. */
  readonly refreshParameters?: Readonly<Record<string, string>>;
  /** Whether a refresh needs the redirect URI too. */
  readonly refreshNamesRedirectUri?: boolean;
  /** The standard form of a reply, or of a refusal, that is wrapped in another. */
  readonly unwrap?: (body: unknown) => unknown;
  /** The provider's own id of the user, which its pushes name. */
  readonly accountOf: (reply: TokenReply, client: ProviderClient) => Promise<string>;
}

/** How access is given back: as RFC 7009 says, or by a request of the provider's own. */
export type Revocation =
  | {
      readonly kind: "standard";
      readonly url: string;
      /** Where it is another than that of token requests. */
      readonly clientAuthentication?: OAuthDescription["clientAuthentication"];
    }
  | { readonly kind: "own"; readonly revoke: (client: ProviderClient, about: RevokedAccess) => Promise<void> };

/** Whose access is given back. */
export interface RevokedAccess {
  readonly app: ClientCredentials;
  /** The provider's id of the user, if it is known by now. */
  readonly accountId?: string | undefined;
}

/** A part of a provider's data that is pulled by itself. */
export interface ProviderResource {
  readonly name: string;
  /** What it brings, by the names that events have for it. */
  readonly delivers: readonly string[];
  /** The longest span that one pull takes. */
  readonly windowDays: number;
  /** Scopes without which there is none of it. */
  readonly scopes: readonly string[];
}

/** Records as senders give them, by resource; see lib/domain/acceptance.ts. */
export interface PulledBatch {
  readonly source_type: string;
  readonly device_id?: string;
  readonly resources: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

/** A push that was proven to come from the provider: whose data changed, and what of it; or data itself. */
export interface Push {
  readonly accountId: string;
  /** To be pulled now: what lies in a window, or one thing by the provider's id of it. */
  readonly changed?: { readonly resource: string } & ({ readonly window: Window } | { readonly id: string });
  readonly batch?: PulledBatch;
  /** The user has taken access back at the provider. */
  readonly isRevoked?: boolean;
}

/** A request of a provider as it came. */
export interface PushRequest {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  readonly body: string;
}

/** An answer to a provider that asks whether an address is ours. */
export interface PushAnswer {
  readonly status: number;
  /** Sent as JSON; absent for an answer without a body. */
  readonly body?: Readonly<Record<string, string>>;
}

/** How a provider tells of changes. */
export interface PushDescription {
  /** The answer to a question that is no push; undefined for a push, and where the question is not the provider's. */
  readonly answer?: (request: PushRequest, app: ClientCredentials) => PushAnswer | undefined;
  /** Whether a push comes from the provider. */
  readonly verify: (request: PushRequest, app: ClientCredentials, nowMs: number) => boolean;
  /** Whether a push that was verified is signed, too, by a key that has to be asked for. */
  readonly prove?: (request: PushRequest, fetch: ProviderFetch) => Promise<boolean>;
  /** What a push says. @throws ZodError or SyntaxError where it makes no sense. */
  readonly parse: (request: PushRequest) => readonly Push[];
  /** Asks for pushes about the user whom a client speaks for, where each user has subscriptions of their own. */
  readonly subscribe?: (client: ProviderClient, address: string) => Promise<void>;
}

/** The secrets of the application that a connector speaks for. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** What pushes are proven with, where it is not the client secret. */
  readonly pushSecret?: string | undefined;
}

/** One provider whose data is pulled. Everything that differs between providers is here, and nothing else. */
export interface PulledProvider {
  readonly slug: string;
  /** Absent where access is not given by OAuth. */
  readonly oauth?: OAuthDescription;
  readonly resources: readonly ProviderResource[];
  /** Days of history that are pulled when a user connects, unless a team prefers another number. */
  readonly historyDays: number;
  /** Whether the provider is never asked for new data, but sends it; histories are asked for. */
  readonly isPushOnly?: boolean;
  /** When requests are taken again (epoch ms), by the headers of an answer 429; undefined for the usual headers. */
  readonly retryAt?: (headers: Headers, nowMs: number) => number | undefined;
  /** The HTTP status that a body means, for a provider whose answers have always the same. */
  readonly statusOf?: (body: unknown) => number;
  /** Everything of a resource within a window, page after page. @throws ProviderError. */
  pull(resource: string, window: Window, client: ProviderClient): AsyncGenerator<PulledBatch>;
  /** One thing that a push named by its id; nothing where it is gone. @throws ProviderError. */
  pullOne?(resource: string, id: string, client: ProviderClient): AsyncGenerator<PulledBatch>;
  readonly push?: PushDescription;
}

/** A provider that is connected by OAuth. */
export interface Connector extends PulledProvider {
  readonly oauth: OAuthDescription;
}

/** A provider that knows its users by their e-mail address. */
export interface EmailConnector extends PulledProvider {
  /** Signs in; the session stands for an access token and can not be renewed. @throws ProviderError. */
  signIn(fetch: ProviderFetch, email: string): Promise<{ readonly accountId: string; readonly session: string }>;
}
