import type { ExpectedRecords } from "../synthetic-data/expected-records.ts";
import { type SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { type OAuthServerConfig, oauthRoutes } from "./oauth.ts";
import { type Attempt, type ProviderPush, type PushPolicy, PushSender } from "./push-sender.ts";
import { findExceededLimit, type RateLimit, RateLimiter, type RateLimitState } from "./rate-limiter.ts";
import {
  matchRoute,
  type Route,
  type RoutedRequest,
  readBearerToken,
  type SimulatedReply,
  type SimulatedRequest,
  withHeaders,
} from "./simulated-http.ts";
import type { SimulatorClock } from "./simulator-clock.ts";
import { type Switches, switches } from "./switches.ts";
import { TokenStore } from "./token-store.ts";

/** A change of a user's data that the provider notifies subscribers of. */
export interface DataChange {
  readonly account: string;
  /** The provider's name of the data type. */
  readonly kind: string;
  /** Local date, YYYY-MM-DD. */
  readonly date: string;
  readonly change: "create" | "update" | "delete";
}

/** A push subscription. */
export interface Subscription {
  readonly id: string;
  readonly url: string;
  /** The provider's name of the subscribed data type. */
  readonly kind: string;
  readonly details: Readonly<Record<string, string>>;
}

/** The provider-specific parts of a simulated provider. */
export interface ProviderDefinition {
  readonly slug: string;
  readonly oauth: OAuthServerConfig;
  readonly rateLimits: readonly RateLimit[];
  readonly pushPolicy: PushPolicy;
  /** Routes other than those of OAuth. */
  routes(provider: SimulatedProvider): readonly Route[];
  /** Reads the access token of a request; default: {@link readBearerToken}. */
  readToken?(call: RoutedRequest): string | undefined;
  /** The reply to a request without a valid token. */
  unauthorized(call: RoutedRequest): SimulatedReply;
  /** The reply to a token without the required scope. */
  forbidden(call: RoutedRequest): SimulatedReply;
  /** The reply to a request beyond a rate limit; {@link rateLimitHeaders} adds headers. */
  tooManyRequests(call: RoutedRequest, window: RateLimitState): SimulatedReply;
  /** Rate limit headers of every reply to an authorized request. */
  rateLimitHeaders(windows: readonly RateLimitState[], nowMs: number): Readonly<Record<string, string>>;
  /** The records that a connector should produce for some days, in the unified model. */
  expectedRecords(person: SyntheticPerson, days: readonly SyntheticDay[], nowMs: number): ExpectedRecords;
  /** Pushes a change to its subscribers. */
  notify?(provider: SimulatedProvider, change: DataChange): Promise<readonly Attempt[]>;
}

/** Maximum number of cached people. People are generated on demand. */
const MAX_CACHED_PEOPLE = 100;

/** A simulated provider with its tokens, rate limits, fault switches, pushes and people. */
export class SimulatedProvider {
  readonly slug: string;
  readonly definition: ProviderDefinition;
  readonly tokens: TokenStore;
  readonly pushSender: PushSender;
  /** Push subscriptions by id. */
  readonly subscriptions = new Map<string, Subscription>();
  /** Times of events by key, epoch ms, such as the registration of a user. */
  readonly timestamps = new Map<string, number>();
  /** Keys that the provider stores: nonces, backfill requests, subscriptions. */
  readonly storedKeys = new Set<string>();
  readonly #clock: SimulatorClock;
  readonly #limits: RateLimiter;
  readonly #routes: readonly Route[];
  readonly #plans = new Map<string, SyntheticPerson>();
  #switches: Switches = switches.parse({});
  #ids = 0;

  constructor(rules: ProviderDefinition, clock: SimulatorClock) {
    this.slug = rules.slug;
    this.definition = rules;
    this.#clock = clock;
    this.tokens = new TokenStore(rules.slug, rules.oauth, () => this.now());
    this.#limits = new RateLimiter(rules.rateLimits);
    this.pushSender = new PushSender(rules.pushPolicy, clock, {
      switches: () => this.#switches,
      losePush: () => this.setSwitches({ lost_pushes: this.#switches.lost_pushes - 1 }),
    });
    const { slug, oauth } = rules;
    this.#routes = [...rules.routes(this), ...oauthRoutes({ slug, config: oauth, tokens: this.tokens })];
  }

  /** The provider's current time, epoch milliseconds, including its clock skew. */
  now(): number {
    return this.#clock.now() + this.#switches.clock_skew_ms;
  }

  get switches(): Switches {
    return this.#switches;
  }

  /** Changes the given switches. @throws ZodError for unknown switches and invalid values. */
  setSwitches(change: Partial<Switches>): void {
    this.#switches = switches.parse({ ...this.#switches, ...change });
  }

  /** The synthetic person of an account, at the current revision. */
  person(account: string): SyntheticPerson {
    const { revision } = this.#switches;
    const key = `${revision} ${account}`;
    const plan = this.#plans.get(key) ?? new SyntheticPerson(account, revision);
    if (this.#plans.size >= MAX_CACHED_PEOPLE) this.#plans.clear();
    this.#plans.set(key, plan);
    return plan;
  }

  /** The records that a connector should produce for the local days between two instants, in the unified model. */
  expectedRecords(account: string, fromMs: number, untilMs: number): ExpectedRecords {
    const plan = this.person(account);
    return this.definition.expectedRecords(plan, plan.days(fromMs, untilMs), this.now());
  }

  /** Sets the callback URL per data type, for providers that configure it in a dashboard. */
  setWebhook({ url, kind = "" }: { readonly url: string; readonly kind?: string }): Subscription {
    const subscription = { id: `dashboard ${kind}`, url, kind, details: {} };
    this.subscriptions.set(subscription.id, subscription);
    return subscription;
  }

  /** Sends a push to all subscribers of a data type. */
  async pushToSubscribers(kind: string, push: Omit<ProviderPush, "url">): Promise<Attempt[]> {
    const wanted = [...this.subscriptions.values()].filter((subscription) => subscription.kind === kind);
    const sent = await Promise.all(wanted.map(({ url }) => this.pushSender.send({ ...push, url })));
    return sent.flat();
  }

  /** Pushes a change to its subscribers. @returns the first attempts; empty without subscribers. */
  async notify(change: DataChange): Promise<readonly Attempt[]> {
    return (await this.definition.notify?.(this, change)) ?? [];
  }

  /** Schedules a task after a delay in milliseconds. */
  schedule(delayMs: number, task: () => Promise<void>): void {
    this.#clock.at(this.#clock.now() + delayMs, task);
  }

  /** Returns the next unused id. */
  nextId(): number {
    this.#ids += 1;
    return this.#ids;
  }

  /** Repeats the first item of a list if the switch `duplicates` is on. */
  applyDuplicates<Item>(items: readonly Item[]): Item[] {
    return this.#switches.duplicates ? [...items.slice(0, 1), ...items] : [...items];
  }

  /** Handles a request; undefined if no route matches. */
  async answer(request: SimulatedRequest): Promise<SimulatedReply | undefined> {
    for (const route of this.#routes) {
      const params = matchRoute(route, request);
      if (params) return this.#through(route, { ...request, params });
    }
    return undefined;
  }

  /** Returns true if the provider has routes on a host. */
  hasHost(host: string): boolean {
    return this.#routes.some((route) => route.host === host);
  }

  async #through(route: Route, call: RoutedRequest): Promise<SimulatedReply> {
    if (route.scopes === undefined) return route.answer(call, undefined);
    const { definition } = this;
    const token = (definition.readToken ?? readBearerToken)(call) ?? "";
    const grant = this.tokens.findGrant(token);
    if (!grant) return definition.unauthorized(call);
    const windows = this.#limits.count(token, this.now());
    const headers = definition.rateLimitHeaders(windows, this.now());
    const over = findExceededLimit(windows) ?? this.#ordered(windows);
    if (over) return withHeaders(definition.tooManyRequests(call, over), headers);
    const isGranted = route.scopes.length === 0 || route.scopes.some((scope) => grant.scopes.includes(scope));
    return withHeaders(isGranted ? await route.answer(call, grant) : definition.forbidden(call), headers);
  }

  /** Returns a window to report as exhausted if the switch `rate_limited` is on. */
  #ordered([first]: readonly RateLimitState[]): RateLimitState | undefined {
    const { rate_limited } = this.#switches;
    if (rate_limited === 0) return undefined;
    this.setSwitches({ rate_limited: rate_limited - 1 });
    return first ?? { seconds: 60, limit: 1, used: 2, resetSeconds: 60, scope: "token" };
  }
}
