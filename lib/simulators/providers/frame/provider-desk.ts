import { PersonPlan, type PlannedDay } from "../plan/person-plan.ts";
import type { Truth } from "../plan/unified-truth.ts";
import type { SimulatorClock } from "./clock.ts";
import { type OAuthRules, oauthRoutes } from "./oauth.ts";
import { type Attempt, type Push, type PushRules, PushSender } from "./pushes.ts";
import { exceeded, type LimitWindow, RateLimits, type WindowState } from "./rate-limits.ts";
import { type Call, matchRoute, type Route, type SimulatedReply, type SimulatedRequest } from "./simulated-http.ts";
import { type Switches, switches } from "./switches.ts";
import { TokenBook } from "./token-book.ts";

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
export interface ProviderRules {
  readonly slug: string;
  readonly oauth: OAuthRules;
  readonly limits: readonly LimitWindow[];
  readonly pushes: PushRules;
  /** Routes other than those of OAuth. */
  routes(desk: ProviderDesk): readonly Route[];
  /** The reply to a request without a valid token. */
  unauthorized(call: Call): SimulatedReply;
  /** The reply to a token without the required scope. */
  forbidden(call: Call): SimulatedReply;
  /** The reply to a request beyond a rate limit; {@link limitHeaders} adds headers. */
  tooMany(call: Call, window: WindowState): SimulatedReply;
  /** Rate limit headers of every reply to an authorized request. */
  limitHeaders(windows: readonly WindowState[], nowMs: number): Readonly<Record<string, string>>;
  /** The records that a connector should produce for some days, in the unified model. */
  truth(plan: PersonPlan, days: readonly PlannedDay[], nowMs: number): Truth;
  /** Pushes a change to its subscribers. */
  notify?(desk: ProviderDesk, change: DataChange): Promise<readonly Attempt[]>;
}

/** Maximum number of cached people. People are generated on demand. */
const MOST_PLANS = 100;

/** A simulated provider with its tokens, rate limits, fault switches, pushes and people. */
export class ProviderDesk {
  readonly slug: string;
  readonly rules: ProviderRules;
  readonly tokens: TokenBook;
  readonly pushes: PushSender;
  /** Push subscriptions by id. */
  readonly subscriptions = new Map<string, Subscription>();
  /** Times of events by key, epoch ms, such as the registration of a user. */
  readonly instants = new Map<string, number>();
  /** Keys that the provider stores: nonces, backfill requests, subscriptions. */
  readonly noted = new Set<string>();
  readonly #clock: SimulatorClock;
  readonly #limits: RateLimits;
  readonly #routes: readonly Route[];
  readonly #plans = new Map<string, PersonPlan>();
  #switches: Switches = switches.parse({});
  #ids = 0;

  constructor(rules: ProviderRules, clock: SimulatorClock) {
    this.slug = rules.slug;
    this.rules = rules;
    this.#clock = clock;
    this.tokens = new TokenBook(rules.slug, rules.oauth, () => this.now());
    this.#limits = new RateLimits(rules.limits);
    this.pushes = new PushSender(rules.pushes, clock, {
      switches: () => this.#switches,
      losePush: () => this.switch({ lost_pushes: this.#switches.lost_pushes - 1 }),
    });
    const { slug, oauth } = rules;
    this.#routes = [...rules.routes(this), ...oauthRoutes({ slug, rules: oauth, tokens: this.tokens })];
  }

  /** The provider's current time, epoch milliseconds, including its clock skew. */
  now(): number {
    return this.#clock.now() + this.#switches.clock_skew_ms;
  }

  get switches(): Switches {
    return this.#switches;
  }

  /** Changes the given switches. @throws ZodError for unknown switches and invalid values. */
  switch(change: Partial<Switches>): void {
    this.#switches = switches.parse({ ...this.#switches, ...change });
  }

  /** The synthetic person of an account, at the current revision. */
  plan(account: string): PersonPlan {
    const { revision } = this.#switches;
    const key = `${revision} ${account}`;
    const plan = this.#plans.get(key) ?? new PersonPlan(account, revision);
    if (this.#plans.size >= MOST_PLANS) this.#plans.clear();
    this.#plans.set(key, plan);
    return plan;
  }

  /** The records that a connector should produce for the local days between two instants, in the unified model. */
  truth(account: string, fromMs: number, untilMs: number): Truth {
    const plan = this.plan(account);
    return this.rules.truth(plan, plan.days(fromMs, untilMs), this.now());
  }

  /** Sets the callback URL per data type, for providers that configure it in a dashboard. */
  setWebhook({ url, kind = "" }: { readonly url: string; readonly kind?: string }): Subscription {
    const subscription = { id: `dashboard ${kind}`, url, kind, details: {} };
    this.subscriptions.set(subscription.id, subscription);
    return subscription;
  }

  /** Sends a push to all subscribers of a data type. */
  async tell(kind: string, push: Omit<Push, "url">): Promise<Attempt[]> {
    const wanted = [...this.subscriptions.values()].filter((subscription) => subscription.kind === kind);
    const sent = await Promise.all(wanted.map(({ url }) => this.pushes.send({ ...push, url })));
    return sent.flat();
  }

  /** Pushes a change to its subscribers. @returns the first attempts; empty without subscribers. */
  async notify(change: DataChange): Promise<readonly Attempt[]> {
    return (await this.rules.notify?.(this, change)) ?? [];
  }

  /** Schedules a task after a delay in milliseconds. */
  later(delayMs: number, task: () => Promise<void>): void {
    this.#clock.at(this.#clock.now() + delayMs, task);
  }

  /** Returns the next unused id. */
  nextId(): number {
    this.#ids += 1;
    return this.#ids;
  }

  /** Repeats the first item of a list if the switch `duplicates` is on. */
  listed<Item>(items: readonly Item[]): Item[] {
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

  async #through(route: Route, call: Call): Promise<SimulatedReply> {
    if (route.scopes === undefined) return route.answer(call, undefined);
    const { rules } = this;
    const token = /^Bearer (.+)$/i.exec(call.headers.authorization ?? "")?.[1] ?? "";
    const grant = this.tokens.grantOf(token);
    if (!grant) return rules.unauthorized(call);
    const windows = this.#limits.count(token, this.now());
    const headers = rules.limitHeaders(windows, this.now());
    const over = exceeded(windows) ?? this.#ordered(windows);
    if (over) return withHeaders(rules.tooMany(call, over), headers);
    const isGranted = route.scopes.length === 0 || route.scopes.some((scope) => grant.scopes.includes(scope));
    return withHeaders(isGranted ? await route.answer(call, grant) : rules.forbidden(call), headers);
  }

  /** Returns a window to report as exhausted if the switch `rate_limited` is on. */
  #ordered([first]: readonly WindowState[]): WindowState | undefined {
    const { rate_limited } = this.#switches;
    if (rate_limited === 0) return undefined;
    this.switch({ rate_limited: rate_limited - 1 });
    return first ?? { seconds: 60, most: 1, used: 2, resetSeconds: 60, of: "token" };
  }
}

/** Adds headers to a reply; the reply's own headers take precedence. */
function withHeaders(reply: SimulatedReply, headers: Readonly<Record<string, string>>): SimulatedReply {
  return { ...reply, headers: { ...headers, ...reply.headers } };
}
