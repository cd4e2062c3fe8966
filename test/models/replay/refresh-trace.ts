import { setPorts } from "../../../lib/runtime/ports.ts";
import {
  getAccessToken,
  type RefreshAccessDependencies,
} from "../../../lib/services/connections/oauth/refresh-access.ts";
import { SeededRandom } from "../../unit/support/seeded-random.ts";
import { StepScheduler } from "../../unit/support/step-scheduler.ts";
import { type RefreshState, tokenRefresh } from "../token-refresh.ts";
import { type CredentialsFixture, connected } from "./credentials-fixture.ts";
import type { ObservedEffect } from "./replay-trace.ts";

const STARTS_AT_MS = Date.parse("2026-03-01T12:00:00.000Z");
const TICK_MS = 5_000;
/** Ticks of a request and of the write after it, as in the model. */
const [REQUEST, STORE] = [4, 1];
const CALLERS = 5;
/** A model with room for every run. */
export const refreshModel = tokenRefresh({ callers: CALLERS, exchanges: 20, faults: 20 });

type Stage = "read" | "acquire" | "exchange" | "await response" | "store" | "release";
interface Caller {
  stage: Stage;
  /** The caller of the model, from 0. */
  readonly slot: number;
  ticks: number;
}

/**
 * One run: callers refresh the access of one connection, at a provider whose refresh tokens are valid once and whose
 * responses may be lost. The seed decides the order of requests and the passing of time.
 */
export class RefreshTrace {
  readonly effects: ObservedEffect<RefreshState>[] = [];
  readonly #fixture: CredentialsFixture;
  readonly #random: SeededRandom;
  readonly #turns: StepScheduler;
  readonly #callers = new Map<string, Caller>();
  readonly #isLossy: boolean;
  /** What the running caller waits for now. */
  #waitsFor: string | undefined;
  #nowMs = STARTS_AT_MS;
  #valid = 0;
  #isFresh = false;

  constructor(seed: number, fixture: CredentialsFixture) {
    this.#fixture = fixture;
    this.#random = new SeededRandom(seed);
    this.#turns = new StepScheduler(this.#random);
    this.#isLossy = seed % 2 === 1;
  }

  async run(): Promise<readonly ObservedEffect<RefreshState>[]> {
    await this.#fixture.reset();
    setPorts({ clock: { now: () => this.#nowMs } });
    this.#fixture.awaitTurn = (step) => this.#await(step);
    // A caller gets the application after it acquired the lease, and asks for the provider once more before its request.
    const onApplication = async () => this.#turns.trace.at(-1)?.endsWith("acquire") && this.#await("application");
    const deps = this.#fixture.dependencies(onApplication, (token) => this.#exchange(token));
    for (let place = 1; place <= CALLERS; place++) this.#addCaller(place, deps);
    for (let count = 0; count < 24; count++)
      this.#turns.add(
        "clock",
        async () => this.#tick(),
        () => this.#mayTick(),
      );
    await this.#turns.run(() => this.#observe());
    return this.effects;
  }

  #tick(): void {
    this.#nowMs += TICK_MS;
  }

  #await(step: string): Promise<unknown> {
    this.#waitsFor = step;
    return this.#turns.awaitTurn(step);
  }

  #addCaller(place: number, deps: RefreshAccessDependencies): void {
    const name = `caller ${place}`;
    this.#callers.set(name, { stage: "read", slot: place - 1, ticks: 0 });
    this.#turns.add(name, async () => {
      for (let count = 0; count < 2; count++) await getAccessToken(deps, connected).catch(() => undefined);
    });
  }

  /** Time passes within the bounds of a request and of a write, and not between a read and the lease. */
  #mayTick(): boolean {
    return [...this.#callers.values()].every(
      ({ stage, ticks }) =>
        stage !== "acquire" && (stage !== "await response" || ticks < REQUEST) && (stage !== "store" || ticks < STORE),
    );
  }

  /** The provider takes each refresh token once. */
  async #exchange(token: string): Promise<Response> {
    await this.#await("response");
    const [caller = ""] = (this.#turns.trace.at(-1) ?? "").split(":");
    // The request of the service ends at its timeout, before the provider has taken the token.
    if (this.#callers.get(caller)?.ticks === REQUEST) throw new TypeError("the request timed out");
    if (this.#random.isWithinPercent(15)) return new Response("{}", { status: 503 });
    if (token !== `refresh-${this.#valid}`) return Response.json({ error: "invalid_grant" }, { status: 400 });
    this.#valid++;
    if (this.#isLossy && this.#random.isWithinPercent(10)) throw new TypeError("the response is lost");
    const tokens = { access_token: `access-${this.#valid}`, refresh_token: `refresh-${this.#valid}` };
    return Response.json({ ...tokens, token_type: "bearer", expires_in: 75 });
  }

  /** Records what the last request did. */
  async #observe(): Promise<void> {
    const text = this.#turns.trace.at(-1) ?? "";
    const [, task = "", step = ""] = /^(.*): (\w+)/.exec(text) ?? [];
    const stored = await this.#fixture.read();
    const wasFresh = this.#isFresh;
    this.#isFresh = Date.parse(stored.access_ends_at ?? "") > this.#nowMs + 60_000;
    const leaseLeft = Math.max(0, Math.ceil((Date.parse(stored.lease_until ?? "1970") - this.#nowMs) / TICK_MS));
    const [version, valid, isFresh] = [stored.version - 1, this.#valid, this.#isFresh ? 1 : 0];
    const isSame = (state: RefreshState) =>
      state.stored === version && state.leaseLeft === leaseLeft && state.valid === valid;
    const isSeen = (state: RefreshState) => isSame(state) && state.isFresh === isFresh;
    const add = (rules: readonly string[], shows = isSeen) => {
      const now = `stored ${version} valid ${valid} lease ${leaseLeft} fresh ${isFresh}`;
      this.effects.push({ text: `${text}: ${rules}, ${now}`, rules, isSeen: shows });
    };
    if (task !== "clock") return add(this.#explain(this.#callers.get(task), step, wasFresh));
    for (const caller of this.#callers.values()) caller.ticks++;
    add(["time passes"], isSame);
    if (wasFresh && !this.#isFresh) add(["the access token expires"]);
  }

  #explain(caller: Caller | undefined, step: string, wasFresh: boolean): string[] {
    if (!caller || step === "begins") return [];
    const go = (stage: Stage, does: string): string[] => {
      Object.assign(caller, { stage, ticks: 0 });
      return [`caller ${caller.slot + 1} ${does}`];
    };
    const next = this.#waitsFor;
    this.#waitsFor = undefined;
    if (step === "read") {
      if (wasFresh) return [];
      return go("acquire", "reads the credentials");
    }
    if (step === "acquire") return go(next === "application" ? "exchange" : "read", "acquires the lease");
    if (step === "application") return go(next === "response" ? "await response" : "release", "begins an exchange");
    if (step === "response") return go(next === "store" ? "store" : "release", "gets a response");
    if (step === "store") return go(next === "release" ? "release" : "read", "stores tokens");
    return go("read", "releases the lease");
  }
}
