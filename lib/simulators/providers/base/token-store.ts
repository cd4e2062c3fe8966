import { createHash, createHmac } from "node:crypto";

/** Lifetimes of codes and tokens, and the behavior of refreshes. */
export interface TokenLifetimes {
  readonly codeSeconds: number;
  /** Null for access tokens without expiry. */
  readonly accessSeconds: number | null;
  /** `rotates`: a refresh replaces the refresh token; `stays`: it keeps it; `none`: no refresh tokens. */
  readonly refresh: "rotates" | "stays" | "none";
  readonly refreshSeconds: number | null;
  /** The scope that refresh tokens require. */
  readonly refreshScope?: string;
}

/** A user's grant. */
export interface AccessGrant {
  readonly account: string;
  readonly scopes: readonly string[];
}

export interface IssuedTokens extends AccessGrant {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly expiresInS: number | null;
  /** Time of issue on the provider's clock, epoch ms. */
  readonly issuedMs: number;
}

interface CodeGrant extends AccessGrant {
  readonly redirectUri: string;
  /** PKCE code challenge (S256). */
  readonly challenge: string | null;
  /** True if the request did not ask for a refresh token. */
  readonly isOnline?: boolean;
}

interface SignedGrant extends AccessGrant {
  readonly slug: string;
  readonly kind: "code" | "access" | "refresh";
  /** Increases with every code and token. */
  readonly serial: number;
  readonly issuedMs: number;
  readonly redirectUri?: string;
  readonly challenge?: string | null;
  readonly isOnline?: boolean;
}

/**
 * The codes and tokens of one provider. They are self-contained and signed, so that connections survive a restart of
 * the simulator. Only used and revoked ones are stored.
 */
export class TokenStore {
  readonly #slug: string;
  readonly #life: TokenLifetimes;
  readonly #now: () => number;
  readonly #spent = new Set<string>();
  /** The last serial that a user has revoked, by account. */
  readonly #revoked = new Map<string, number>();
  readonly #accounts = new Set<string>();
  #serial = 0;
  #expiredSerial = 0;

  constructor(slug: string, life: TokenLifetimes, now: () => number) {
    this.#slug = slug;
    this.#life = life;
    this.#now = now;
  }

  issueCode(terms: CodeGrant): string {
    return this.#seal("code", terms);
  }

  /** Redeems a code; undefined if it is used, expired or issued to another redirect URI or verifier. */
  redeem(code: string, redirectUri: string | null, verifier: string | null): IssuedTokens | undefined {
    const found = this.#read(code, "code", this.#life.codeSeconds);
    if (!found || found.redirectUri !== redirectUri || !matchesChallenge(verifier, found.challenge ?? null))
      return undefined;
    this.#spent.add(code);
    const issued = this.issue(found);
    return found.isOnline ? { ...issued, refreshToken: undefined } : issued;
  }

  /** Issues tokens for a refresh token; undefined if it is invalid, expired, revoked or rotated. */
  refresh(refreshToken: string): IssuedTokens | undefined {
    const found = this.#read(refreshToken, "refresh", this.#life.refreshSeconds);
    if (!found) return undefined;
    if (this.#life.refresh === "rotates") this.#spent.add(refreshToken);
    const issued = this.issue(found);
    return this.#life.refresh === "stays" ? { ...issued, refreshToken: undefined } : issued;
  }

  issue({ account, scopes }: AccessGrant): IssuedTokens {
    this.#accounts.add(account);
    const { accessSeconds, refresh, refreshScope } = this.#life;
    const isRefreshable = refresh !== "none" && (refreshScope === undefined || scopes.includes(refreshScope));
    return {
      account,
      scopes,
      accessToken: this.#seal("access", { account, scopes }),
      refreshToken: isRefreshable ? this.#seal("refresh", { account, scopes }) : undefined,
      expiresInS: accessSeconds,
      issuedMs: this.#now(),
    };
  }

  /** Returns the grant of an access token; undefined if the token is invalid, expired or revoked. */
  findGrant(accessToken: string): AccessGrant | undefined {
    const found = this.#read(accessToken, "access", this.#life.accessSeconds);
    return found && found.serial > this.#expiredSerial ? found : undefined;
  }

  /** Returns the account of a valid access or refresh token. */
  findAccount(token: string): string | undefined {
    return (this.findGrant(token) ?? this.#read(token, "refresh", this.#life.refreshSeconds))?.account;
  }

  /** Accounts that received tokens since the start. */
  accounts(): string[] {
    return [...this.#accounts];
  }

  /** Revokes all codes and tokens of an account. */
  revoke(account: string): void {
    this.#revoked.set(account, this.#serial);
  }

  /** Expires all access tokens. */
  expireAccessTokens(): void {
    this.#expiredSerial = this.#serial;
  }

  #seal(kind: SignedGrant["kind"], terms: AccessGrant | CodeGrant): string {
    this.#serial = Math.max(this.#serial + 1, this.#now());
    const { account, scopes, ...more } = terms;
    const sealed: SignedGrant = {
      slug: this.#slug,
      kind,
      account,
      scopes,
      serial: this.#serial,
      issuedMs: this.#now(),
      ...more,
    };
    const content = Buffer.from(JSON.stringify(sealed)).toString("base64url");
    return `${content}.${sign(content)}`;
  }

  #read(token: string, kind: SignedGrant["kind"], seconds: number | null): SignedGrant | undefined {
    const [content = "", signed] = token.split(".");
    if (signed !== sign(content) || this.#spent.has(token)) return undefined;
    const sealed = JSON.parse(Buffer.from(content, "base64url").toString("utf8")) as SignedGrant;
    if (sealed.slug !== this.#slug || sealed.kind !== kind) return undefined;
    if (seconds !== null && this.#now() >= sealed.issuedMs + seconds * 1000) return undefined;
    return sealed.serial > (this.#revoked.get(sealed.account) ?? 0) ? sealed : undefined;
  }
}

/** Returns true if the verifier matches the challenge, or both are absent. */
function matchesChallenge(verifier: string | null, challenge: string | null): boolean {
  if (verifier === null || challenge === null) return verifier === challenge;
  return createHash("sha256").update(verifier).digest("base64url") === challenge;
}

/** Signs the content of a token. The key is public, like all secrets of the simulators. */
function sign(content: string): string {
  return createHmac("sha256", "provider simulator").update(content).digest("base64url").slice(0, 22);
}
