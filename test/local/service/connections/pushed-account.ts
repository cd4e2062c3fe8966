import type { SyntheticDay } from "../../../../lib/simulators/providers/synthetic-data/synthetic-person.ts";
import type { TestService } from "../../../support/service.ts";
import { subscribeToPushes } from "./provider-pushes.ts";

/** Days since the start, the first included and the second not. */
type Days = readonly [number, number];

interface AccountHabits {
  /** The provider's name of its nights in pushes. */
  readonly kind: string;
  /** Days whose pushes are lost. */
  readonly lost: Days;
  /** Days on which the user wears no device, so that the provider has nothing. */
  readonly unworn: Days;
  /** Another day whose push alone is lost. */
  readonly lostOnce?: number;
}

const isIn = ([first, last]: Days, day: number) => day >= first && day < last;

/** An account at a simulated provider that pushes each night, at noon or in the evening. */
export class PushedAccount {
  readonly slug: string;
  readonly account = "ada";
  /** Time of the first push that was lost for good. */
  brokenAtMs = Number.NaN;
  /** Time of the first push after the loss. */
  mendedAtMs = Number.NaN;
  readonly #service: TestService;
  readonly #habits: AccountHabits;
  readonly #firstDay: number;

  constructor(service: TestService, slug: string, habits: AccountHabits) {
    this.#service = service;
    this.slug = slug;
    this.#habits = habits;
    this.#firstDay = Math.floor(service.cloud.clock.now() / 86_400_000);
    this.#takeOffDevice();
  }

  get #provider() {
    return this.#service.started.service.providers.provider(this.slug);
  }

  async subscribe(): Promise<void> {
    await subscribeToPushes[this.slug]?.(this.#service);
  }

  async push(day: number, step: number): Promise<void> {
    const { kind, lost, unworn, lostOnce } = this.#habits;
    if (isIn(unworn, day) || step !== 2 + (day % 2)) return;
    const nowMs = this.#service.cloud.clock.now();
    const isLost = isIn(lost, day) || day === lostOnce;
    if (day === lost[0]) this.brokenAtMs = nowMs;
    if (day === lost[1]) this.mendedAtMs = nowMs;
    this.#provider.setSwitches({ lost_pushes: isLost ? 100 : 0 });
    const date = new Date(nowMs).toISOString().slice(0, 10);
    await this.#provider.notify({ account: this.account, kind, date, change: "create" });
    this.#provider.setSwitches({ lost_pushes: 0 });
  }

  #takeOffDevice(): void {
    const person = this.#provider.person(this.account);
    const list = person.days.bind(person);
    const isWorn = ({ day }: SyntheticDay) => !isIn(this.#habits.unworn, day - this.#firstDay);
    Object.assign(person, { days: (from: number, until: number) => list(from, until).filter(isWorn) });
  }
}
