/** Tokens of a session, as the service returns them. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Where the phone keeps its tokens: the keychain on iOS, encrypted storage on Android. */
export interface TokenStore {
  load(): Promise<Tokens | undefined>;
  save(tokens: Tokens | undefined): Promise<void>;
}

/** Data of one source that the phone has collected. A deletion names the time of a sample. */
export interface Collected {
  readonly provider: "apple_health_kit" | "health_connect";
  readonly source_type: string;
  readonly device?: { readonly id: string };
  readonly app?: { readonly id: string };
  readonly stage?: "daily" | "historical";
  readonly resources: Readonly<Record<string, readonly unknown[]>>;
  readonly deleted?: Readonly<Record<string, readonly { readonly timestamp: string }[]>>;
}

/** The user must sign in again: the session has ended. */
export class SignedOut extends Error {
  override readonly name = "SignedOut";
}

/** The limit is 10,000 records and 4 MB; this leaves room for large records. */
const RECORDS_PER_PART = 2_000;
const MAX_ATTEMPTS = 6;

/** A client for the phone: signs in, refreshes its session, and sends what the phone collects. */
export class PhoneClient {
  readonly #baseUrl: string;
  readonly #store: TokenStore;
  #refreshing: Promise<Tokens> | undefined;

  constructor(baseUrl: string, store: TokenStore) {
    this.#baseUrl = baseUrl;
    this.#store = store;
  }

  /** Exchanges the token that your backend created for this user. It works once, and within an hour. */
  async signIn(sign_in_token: string): Promise<void> {
    const response = await this.#post("/v2/sdk/session", { sign_in_token });
    if (response.status === 401) throw new SignedOut("the sign-in token was refused");
    if (!response.ok) throw new Error(`nobody can sign in now: ${response.status}`);
    await this.#store.save((await response.json()) as Tokens);
  }

  /**
   * Sends collected data in parts. Store `collected` and `sync_id` until this returns: a part that arrives twice under
   * the same id counts once, so an interrupted call can be repeated.
   * @returns the number of accepted records and deletions, and the rejected ones with their reasons.
   */
  async sync(collected: Collected, sync_id: string = crypto.randomUUID()) {
    const { resources, deleted = {}, ...about } = collected;
    const parts = splitIntoParts({ resources, deleted });
    let accepted = 0;
    const rejected: unknown[] = [];
    for (const [part, content] of parts.entries()) {
      const body = { ...about, sync_id, part, done: part === parts.length - 1, ...content };
      const answer = await this.#send("/v2/sdk/sync", body);
      accepted += answer.accepted;
      rejected.push(...answer.rejected);
    }
    return { accepted, rejected };
  }

  /** Ends the session. The data stays. */
  async signOut(): Promise<void> {
    await this.#send("/v2/sdk/session/revoke", {});
    await this.#store.save(undefined);
  }

  /** Sends a request of the session; refreshes the session once, and repeats after outages and limits. */
  async #send(path: string, body: unknown) {
    let tokens = await this.#store.load();
    for (let attempt = 1, isFresh = false; ; attempt++) {
      if (!tokens) throw new SignedOut("nobody is signed in");
      const response = await this.#post(path, body, tokens.access_token).catch(() => undefined);
      if (response?.ok) return response.json();
      if (response?.status === 401 && !isFresh) {
        [tokens, isFresh] = [await this.#refresh(tokens), true];
        continue;
      }
      if (response?.status === 401) throw new SignedOut("the session has ended");
      const isTemporary = response === undefined || response.status === 429 || response.status >= 500;
      if (!isTemporary || attempt === MAX_ATTEMPTS) throw new Error(`${path}: ${await response?.text()}`);
      const pauseS = Number(response?.headers.get("retry-after") ?? 2 ** attempt);
      await new Promise((resolve) => setTimeout(resolve, pauseS * 1000));
    }
  }

  /** Refreshes once for all callers: a refresh token that is used twice ends the session. */
  #refresh(used: Tokens): Promise<Tokens> {
    this.#refreshing ??= this.#exchange(used).finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async #exchange(used: Tokens): Promise<Tokens> {
    const current = await this.#store.load();
    if (!current) throw new SignedOut("nobody is signed in");
    const { refresh_token } = current;
    if (refresh_token !== used.refresh_token) return current; // Another call has refreshed meanwhile.
    const response = await this.#post("/v2/sdk/session/refresh", { refresh_token });
    if (response.status === 401) {
      await this.#store.save(undefined);
      throw new SignedOut("the session has ended");
    }
    if (!response.ok) throw new Error(`the session cannot be refreshed now: ${response.status}`);
    const tokens = (await response.json()) as Tokens;
    await this.#store.save(tokens); // Before the first use: a crash must not lose them.
    return tokens;
  }

  #post(path: string, body: unknown, accessToken?: string): Promise<Response> {
    const authorization = accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` };
    const headers = { "content-type": "application/json", ...authorization };
    return fetch(this.#baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
  }
}

type Lists = Record<string, unknown[]>;
interface Part {
  readonly resources: Lists;
  readonly deleted: Lists;
}

/**
 * Splits records and deletions into parts of a bounded size, at least one. Deletions come first, because an app may
 * replace a sample by another one of the same time.
 */
function splitIntoParts({ resources, deleted }: Required<Pick<Collected, "resources" | "deleted">>): Part[] {
  const list = (kind: keyof Part, lists: Readonly<Record<string, readonly unknown[]>>) =>
    Object.entries(lists).flatMap(([name, all]) => all.map((one) => ({ kind, name, one })));
  const parts: Part[] = [{ resources: {}, deleted: {} }];
  for (const [at, { kind, name, one }] of [...list("deleted", deleted), ...list("resources", resources)].entries()) {
    if (at > 0 && at % RECORDS_PER_PART === 0) parts.push({ resources: {}, deleted: {} });
    const lists = (parts.at(-1) as Part)[kind];
    lists[name] ??= [];
    lists[name].push(one);
  }
  return parts;
}
