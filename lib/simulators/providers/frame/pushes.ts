import type { SimulatorClock } from "./clock.ts";
import type { Switches } from "./switches.ts";

/** A push as a provider sends it. */
export interface Push {
  readonly url: string;
  readonly method?: "GET" | "HEAD" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What became of one attempt. */
export interface Attempt extends Push {
  readonly atMs: number;
  /** Null when it was lost or nobody answered. */
  readonly status: number | null;
}

/** How a provider repeats what was not taken. */
export interface PushRules {
  /** Seconds after each failed attempt until the next; no more attempts after the last. */
  readonly retrySeconds: readonly number[];
  /** How long the provider waits for an answer. */
  readonly timeoutSeconds: number;
}

/** Sends a provider's pushes, loses and doubles them as told, and repeats them on the clock. */
export class PushSender {
  /** All attempts so far. */
  readonly attempts: Attempt[] = [];
  readonly #rules: PushRules;
  readonly #clock: SimulatorClock;
  readonly #switches: () => Switches;
  readonly #losePush: () => void;

  constructor(rules: PushRules, clock: SimulatorClock, state: { switches(): Switches; losePush(): void }) {
    this.#rules = rules;
    this.#clock = clock;
    this.#switches = () => state.switches();
    this.#losePush = () => state.losePush();
  }

  /** Sends a push. @returns its first attempts: two where pushes come twice, one marked lost where it never arrives. */
  async send(push: Push): Promise<Attempt[]> {
    const { lost_pushes, duplicates } = this.#switches();
    if (lost_pushes > 0) {
      this.#losePush();
      return [this.#keep(push, null)];
    }
    const attempts: Attempt[] = [];
    for (const _ of duplicates ? [1, 2] : [1]) attempts.push(await this.#attempt(push, 0));
    return attempts;
  }

  /** Asks a URL something and returns the answer; undefined when nobody answers. */
  async ask(push: Push): Promise<{ readonly status: number; readonly text: string } | undefined> {
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

  async #attempt(push: Push, failed: number): Promise<Attempt> {
    const answer = await this.ask(push);
    const attempt = this.#keep(push, answer?.status ?? null);
    const isTaken = answer !== undefined && answer.status >= 200 && answer.status < 300;
    const wait = this.#rules.retrySeconds[failed];
    if (!isTaken && wait !== undefined) {
      this.#clock.at(this.#clock.now() + wait * 1000, async () => void (await this.#attempt(push, failed + 1)));
    }
    return attempt;
  }

  #keep(push: Push, status: number | null): Attempt {
    const attempt = { ...push, atMs: this.#clock.now(), status };
    this.attempts.push(attempt);
    return attempt;
  }
}
