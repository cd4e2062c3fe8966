import { createHash, createHmac } from "node:crypto";

/** How long what a provider gives out holds, and what a refresh does. */
export interface TokenLife {
  readonly codeSeconds: number;
  /** Null for tokens that do not expire. */
  readonly accessSeconds: number | null;
  /** Whether a refresh gives a new refresh token and ends the old one, or gives none and lets the old one be; `none` for providers without refresh tokens. */
  readonly refresh: "rotates" | "stays" | "none";
  readonly refreshSeconds: number | null;
  /** A scope without which no refresh token is given. */
  readonly refreshScope?: string;
}

/** What a user has granted. */
export interface AccessGrant {
  readonly account: string;
  readonly scopes: readonly string[];
}

export interface IssuedTokens extends AccessGrant {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly expiresInS: number | null;
  /** On the provider's clock. */
  readonly issuedMs: number;
}

interface CodeTerms extends AccessGrant {
  readonly redirectUri: string;
  /** S256 challenge of PKCE. */
  readonly challenge: string | null;
  /** Whether no refresh token was asked for. */
  readonly isOnline?: boolean;
}

interface Sealed extends AccessGrant {
  readonly slug: string;
  readonly kind: "code" | "access" | "refresh";
  /** Grows with every token. */
  readonly serial: number;
  readonly issuedMs: number;
  readonly redirectUri?: string;
  readonly challenge?: string | null;
  readonly isOnline?: boolean;
}

/**
 * The tokens of one provider. A token says itself what it stands for, under a signature, so that connections outlive a
 * restart of the simulator; only what was used up or revoked is remembered.
 */
export class TokenBook {
  readonly #slug: string;
  readonly #life: TokenLife;
  readonly #now: () => number;
  readonly #spent = new Set<string>();
  /** The last serial that a user has revoked, by account. */
  readonly #revoked = new Map<string, number>();
  readonly #accounts = new Set<string>();
  #serial = 0;
  #expiredSerial = 0;

  constructor(slug: string, life: TokenLife, now: () => number) {
    this.#slug = slug;
    this.#life = life;
    this.#now = now;
  }

  issueCode(terms: CodeTerms): string {
    return this.#seal("code", terms);
  }

  /** Tokens for a code that is used the first time, in time, by who it was given to; undefined for any other. */
  redeem(code: string, redirectUri: string | null, verifier: string | null): IssuedTokens | undefined {
    const found = this.#read(code, "code", this.#life.codeSeconds);
    if (!found || found.redirectUri !== redirectUri || !isVerifier(verifier, found.challenge ?? null)) return undefined;
    this.#spent.add(code);
    const issued = this.issue(found);
    return found.isOnline ? { ...issued, refreshToken: undefined } : issued;
  }

  /** New tokens for a refresh token that still holds; undefined for any other, as for one that was rotated away. */
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

  /** What a token gives access to; undefined when it is unknown, expired or revoked. */
  grantOf(accessToken: string): AccessGrant | undefined {
    const found = this.#read(accessToken, "access", this.#life.accessSeconds);
    return found && found.serial > this.#expiredSerial ? found : undefined;
  }

  /** The account of a token of any kind that still holds. */
  accountOf(token: string): string | undefined {
    return (this.grantOf(token) ?? this.#read(token, "refresh", this.#life.refreshSeconds))?.account;
  }

  /** Everybody who was given tokens since the start. */
  accounts(): string[] {
    return [...this.#accounts];
  }

  /** Ends everything that a user has granted so far. */
  revoke(account: string): void {
    this.#revoked.set(account, this.#serial);
  }

  /** Makes every access token given so far expired. */
  expireAccess(): void {
    this.#expiredSerial = this.#serial;
  }

  #seal(kind: Sealed["kind"], terms: AccessGrant | CodeTerms): string {
    this.#serial = Math.max(this.#serial + 1, this.#now());
    const { account, scopes, ...more } = terms;
    const sealed: Sealed = {
      slug: this.#slug,
      kind,
      account,
      scopes,
      serial: this.#serial,
      issuedMs: this.#now(),
      ...more,
    };
    const content = Buffer.from(JSON.stringify(sealed)).toString("base64url");
    return `${content}.${signature(content)}`;
  }

  #read(token: string, kind: Sealed["kind"], seconds: number | null): Sealed | undefined {
    const [content = "", signed] = token.split(".");
    if (signed !== signature(content) || this.#spent.has(token)) return undefined;
    const sealed = JSON.parse(Buffer.from(content, "base64url").toString("utf8")) as Sealed;
    if (sealed.slug !== this.#slug || sealed.kind !== kind) return undefined;
    if (seconds !== null && this.#now() >= sealed.issuedMs + seconds * 1000) return undefined;
    return sealed.serial > (this.#revoked.get(sealed.account) ?? 0) ? sealed : undefined;
  }
}

/** Whether a verifier is that of a challenge; where there was no challenge there must be no verifier. */
function isVerifier(verifier: string | null, challenge: string | null): boolean {
  if (verifier === null || challenge === null) return verifier === challenge;
  return createHash("sha256").update(verifier).digest("base64url") === challenge;
}

/** Keeps tokens from being made up; the secret is public, as is everything in a simulator. */
function signature(content: string): string {
  return createHmac("sha256", "provider simulator").update(content).digest("base64url").slice(0, 22);
}
