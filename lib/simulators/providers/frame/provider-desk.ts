import { PersonPlan, type PlannedDay } from "../plan/person-plan.ts";
import type { Truth } from "../plan/unified-truth.ts";
import type { SimulatorClock } from "./clock.ts";
import { type OAuthRules, oauthRoutes } from "./oauth.ts";
import { type Attempt, type Push, type PushRules, PushSender } from "./pushes.ts";
import { exceeded, type LimitWindow, RateLimits, type WindowState } from "./rate-limits.ts";
import { type Call, matchRoute, type Route, type SimulatedReply, type SimulatedRequest } from "./simulated-http.ts";
import { type Switches, switches } from "./switches.ts";
import { TokenBook } from "./token-book.ts";

/** Something that happened to a user's data, of which the provider tells. */
export interface DataChange {
  readonly account: string;
  /** The provider's own word for the kind of data. */
  readonly kind: string;
  /** The day where the person is, YYYY-MM-DD. */
  readonly date: string;
  readonly change: "create" | "update" | "delete";
}

/** Who wants to be told of what. */
export interface Subscription {
  readonly id: string;
  readonly url: string;
  /** What is wanted, in the provider's own words. */
  readonly kind: string;
  readonly details: Readonly<Record<string, string>>;
}

/** Everything about one provider that is not the same for all. */
export interface ProviderRules {
  readonly slug: string;
  readonly oauth: OAuthRules;
  readonly limits: readonly LimitWindow[];
  readonly pushes: PushRules;
  /** Routes beside those of OAuth. */
  routes(desk: ProviderDesk): readonly Route[];
  /** The provider's words for a request without a valid token. */
  unauthorized(call: Call): SimulatedReply;
  /** The provider's words for a token without the scope. */
  forbidden(call: Call): SimulatedReply;
  /** The provider's words for one request too many; the headers of {@link limitHeaders} come with it. */
  tooMany(call: Call, window: WindowState): SimulatedReply;
  /** What every answer with a token tells of the limits. */
  limitHeaders(windows: readonly WindowState[], nowMs: number): Readonly<Record<string, string>>;
  /** What the provider knows of some days, in unified names and units. */
  truth(plan: PersonPlan, days: readonly PlannedDay[], nowMs: number): Truth;
  /** Tells of a change whoever has asked for it. */
  notify?(desk: ProviderDesk, change: DataChange): Promise<readonly Attempt[]>;
}

/** Lives are made anew as they are asked for; so many are kept at hand. */
const MOST_PLANS = 100;

/** One provider at work: its tokens, limits, switches, pushes and people. */
export class ProviderDesk {
  readonly slug: string;
  readonly rules: ProviderRules;
  readonly tokens: TokenBook;
  readonly pushes: PushSender;
  /** Who wants to be told of what, by id. */
  readonly subscriptions = new Map<string, Subscription>();
  /** When something happened, by what it was; epoch ms. */
  readonly instants = new Map<string, number>();
  /** What the provider has given or taken, each by a text of its own: a number to be used once, a request. */
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

  /** Epoch milliseconds on the provider's own clock. */
  now(): number {
    return this.#clock.now() + this.#switches.clock_skew_ms;
  }

  get switches(): Switches {
    return this.#switches;
  }

  /** Sets some switches and leaves the others. @throws ZodError for unknown ones and impossible values. */
  switch(change: Partial<Switches>): void {
    this.#switches = switches.parse({ ...this.#switches, ...change });
  }

  /** The life of the person behind an account, as the provider tells it now. */
  plan(account: string): PersonPlan {
    const { revision } = this.#switches;
    const key = `${revision} ${account}`;
    const plan = this.#plans.get(key) ?? new PersonPlan(account, revision);
    if (this.#plans.size >= MOST_PLANS) this.#plans.clear();
    this.#plans.set(key, plan);
    return plan;
  }

  /** What the provider knows of an account between two instants, whole days of the person, in unified names and units. */
  truth(account: string, fromMs: number, untilMs: number): Truth {
    const plan = this.plan(account);
    return this.rules.truth(plan, plan.days(fromMs, untilMs), this.now());
  }

  /** Sets who is told, as people do on the page of a provider that has no route for it; there is one for each kind. */
  setWebhook({ url, kind = "" }: { readonly url: string; readonly kind?: string }): Subscription {
    const subscription = { id: `dashboard ${kind}`, url, kind, details: {} };
    this.subscriptions.set(subscription.id, subscription);
    return subscription;
  }

  /** Sends one push to all who are told of a kind. */
  async tell(kind: string, push: Omit<Push, "url">): Promise<Attempt[]> {
    const wanted = [...this.subscriptions.values()].filter((subscription) => subscription.kind === kind);
    const sent = await Promise.all(wanted.map(({ url }) => this.pushes.send({ ...push, url })));
    return sent.flat();
  }

  /** Tells of a change. @returns the first attempts, none where nobody has asked. */
  async notify(change: DataChange): Promise<readonly Attempt[]> {
    return (await this.rules.notify?.(this, change)) ?? [];
  }

  /** Does something in so many milliseconds. */
  later(delayMs: number, task: () => Promise<void>): void {
    this.#clock.at(this.#clock.now() + delayMs, task);
  }

  /** A number that was not given before. */
  nextId(): number {
    this.#ids += 1;
    return this.#ids;
  }

  /** A list as the provider tells it: with its first item twice where it is told to double. */
  listed<Item>(items: readonly Item[]): Item[] {
    return this.#switches.duplicates ? [...items.slice(0, 1), ...items] : [...items];
  }

  /** Answers a request; undefined when it is for no route of this provider. */
  async answer(request: SimulatedRequest): Promise<SimulatedReply | undefined> {
    for (const route of this.#routes) {
      const params = matchRoute(route, request);
      if (params) return this.#through(route, { ...request, params });
    }
    return undefined;
  }

  /** Whether a host is one of this provider's. */
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

  /** The window that counts as used up because a switch says so. */
  #ordered([first]: readonly WindowState[]): WindowState | undefined {
    const { rate_limited } = this.#switches;
    if (rate_limited === 0) return undefined;
    this.switch({ rate_limited: rate_limited - 1 });
    return first ?? { seconds: 60, most: 1, used: 2, resetSeconds: 60, of: "token" };
  }
}

/** A route's answer with more headers; its own ones win. */
function withHeaders(reply: SimulatedReply, headers: Readonly<Record<string, string>>): SimulatedReply {
  return { ...reply, headers: { ...headers, ...reply.headers } };
}
