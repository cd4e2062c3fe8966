import { expect } from "vitest";
import type { TestService } from "../../../support/service.ts";

interface PhoneHabits {
  /** Offset of the user's time from UTC. */
  readonly offset: string;
  /** Whether the phone sends nothing in a quarter of a day. */
  readonly isSilent: (day: number, step: number) => boolean;
  /** Whether the user wears the watch. A phone without new data still synchronises. */
  readonly isWorn?: (day: number) => boolean;
}

/** A phone that synchronises a few times a day, in a session that it signs in for each time. */
export class SimulatedPhone {
  readonly slug: string;
  /** Time of the last synchronisation before the longest silence. */
  brokenAtMs = Number.NaN;
  /** Time of the first synchronisation after it. */
  mendedAtMs = Number.NaN;
  readonly #service: TestService;
  readonly #userId: string;
  readonly #habits: PhoneHabits;
  #lastMs = Number.NaN;
  #longestMs = 0;
  #isConnected = true;
  #tokens: { access_token: string; refresh_token: string } | undefined;

  constructor(service: TestService, userId: string, slug: string, habits: PhoneHabits) {
    this.#service = service;
    this.#userId = userId;
    this.slug = slug;
    this.#habits = habits;
  }

  async sync(day: number, step: number): Promise<void> {
    const { isSilent, isWorn = () => true, offset } = this.#habits;
    if (!this.#isConnected || isSilent(day, step)) return;
    const nowMs = this.#service.cloud.clock.now();
    if (nowMs - this.#lastMs > this.#longestMs) {
      this.#longestMs = nowMs - this.#lastMs;
      this.brokenAtMs = this.#lastMs;
      this.mendedAtMs = nowMs;
    }
    this.#lastMs = nowMs;
    const timestamp = new Date(nowMs + Date.parse(`2026-01-01T00:00:00Z`) - Date.parse(`2026-01-01T00:00:00${offset}`));
    const heartrate = [{ timestamp: timestamp.toISOString().replace("Z", offset), value: 60 + step }];
    const part = {
      provider: this.slug,
      source_type: "watch",
      stage: "daily",
      sync_id: `${this.slug} ${day} ${step}`,
      part: 0,
    };
    const answer = await this.#service.call("POST", "/v2/sdk/sync", {
      key: null,
      headers: { authorization: `Bearer ${await this.#access()}` },
      body: { ...part, done: true, resources: isWorn(day) ? { heartrate } : {} },
    });
    expect(answer.status).toBe(202);
  }

  async disconnect(): Promise<void> {
    await this.#service.call("DELETE", `/v2/user/${this.#userId}/${this.slug}`);
    this.#isConnected = false;
  }

  async #access(): Promise<string> {
    const post = (path: string, body: object) => this.#service.call("POST", path, { key: null, body });
    const { refresh_token } = this.#tokens ?? {};
    if (refresh_token === undefined) {
      const path = `/v2/user/${this.#userId}/sign_in_token`;
      const { sign_in_token } = (await this.#service.call("POST", path)).body;
      this.#tokens = (await post("/v2/sdk/session", { sign_in_token })).body;
    } else {
      this.#tokens = (await post("/v2/sdk/session/refresh", { refresh_token })).body;
    }
    return this.#tokens?.access_token ?? "";
  }
}
