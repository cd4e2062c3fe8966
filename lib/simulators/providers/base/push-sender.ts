import type { SimulatorClock } from "./simulator-clock.ts";
import type { Switches } from "./switches.ts";

/** A push request. */
export interface ProviderPush {
  readonly url: string;
  readonly method?: "GET" | "HEAD" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One attempt to send a push. */
export interface Attempt extends ProviderPush {
  readonly atMs: number;
  /** HTTP status; null if the push was lost or the request failed. */
  readonly status: number | null;
}

/** The retry policy and timeout of a provider's pushes. */
export interface PushPolicy {
  /** Delays before the retries, seconds; one per retry. */
  readonly retrySeconds: readonly number[];
  /** Timeout of a request. */
  readonly timeoutSeconds: number;
}

/** Sends the pushes of a provider, injects losses and duplicates, and schedules retries. */
export class PushSender {
  /** All attempts. */
  readonly attempts: Attempt[] = [];
  readonly #rules: PushPolicy;
  readonly #clock: SimulatorClock;
  readonly #switches: () => Switches;
  readonly #losePush: () => void;

  constructor(rules: PushPolicy, clock: SimulatorClock, state: { switches(): Switches; losePush(): void }) {
    this.#rules = rules;
    this.#clock = clock;
    this.#switches = () => state.switches();
    this.#losePush = () => state.losePush();
  }

  /** Sends a push. @returns its first attempts: two for a duplicate, one with status null for a lost push. */
  async send(push: ProviderPush): Promise<Attempt[]> {
    const { lost_pushes, duplicates } = this.#switches();
    if (lost_pushes > 0) {
      this.#losePush();
      return [this.#keep(push, null)];
    }
    const attempts: Attempt[] = [];
    for (const _ of duplicates ? [1, 2] : [1]) attempts.push(await this.#attempt(push, 0));
    return attempts;
  }

  /** Sends a request and returns the response; undefined if the request fails. */
  async sendRequest(push: ProviderPush): Promise<{ readonly status: number; readonly text: string } | undefined> {
    try {
      const { url, method = "POST", headers, body } = push;
      const signal = AbortSignal.timeout(this.#rules.timeoutSeconds * 1000);
      const answer = await fetch(url, {
        method,
        headers,
        redirect: "manual",
        signal,
        ...(method === "POST" ? { body } : {}),
      });
      return { status: answer.status, text: await answer.text() };
    } catch {
      return undefined;
    }
  }

  async #attempt(push: ProviderPush, failed: number): Promise<Attempt> {
    const answer = await this.sendRequest(push);
    const attempt = this.#keep(push, answer?.status ?? null);
    const isTaken = answer !== undefined && answer.status >= 200 && answer.status < 300;
    const wait = this.#rules.retrySeconds[failed];
    if (!isTaken && wait !== undefined) {
      this.#clock.at(this.#clock.now() + wait * 1000, async () => void (await this.#attempt(push, failed + 1)));
    }
    return attempt;
  }

  #keep(push: ProviderPush, status: number | null): Attempt {
    const attempt = { ...push, atMs: this.#clock.now(), status };
    this.attempts.push(attempt);
    return attempt;
  }
}
