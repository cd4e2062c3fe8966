import { type Payer, rateOf } from "../domain/work.ts";
import type { Charge } from "../store/work-charges.ts";

/** Where work is charged. */
export interface WorkCharger {
  /** @returns 0, or in how many milliseconds there will be enough. */
  chargeWork(payer: Payer, charge: Charge): Promise<number>;
}

/** How a payer stands in this container. */
interface Standing {
  /** Units that no write has charged yet. */
  owed: number;
  /** Epoch ms; before the first the table is not asked again, from the second on there was to be enough. */
  refusedUntil: number;
  enoughAt: number;
  /** Epoch ms of the last write. */
  chargedAt: number;
}

/** Less than this is kept in mind until it adds up: small requests cost no write. */
const LEAST_CHARGE = 200;
/** What is kept in mind is charged after this time at the latest, by the next request. */
const KEPT_MS = 60_000;
/** A container asks again after this time, whatever it was told. */
const MOST_WAIT_MS = 5_000;
const MOST_PAYERS = 1_000;

/** The work that payers ask of this container. Small work is charged together, big work before it is done. */
export class WorkBudgets {
  readonly #charger: WorkCharger;
  readonly #now: () => number;
  readonly #standings = new Map<string, Standing>();

  /** @param now epoch milliseconds. */
  constructor(charger: WorkCharger, now: () => number) {
    this.#charger = charger;
    this.#now = now;
  }

  /**
   * Takes work that is about to be done from a budget.
   * @param teamUnits what the team may use, units a second.
   * @returns 0, or in how many milliseconds to ask again.
   */
  async spend(payer: Payer, units: number, teamUnits: number): Promise<number> {
    const standing = this.#standingOf(payer);
    const now = this.#now();
    if (standing.refusedUntil > now) return standing.enoughAt - now;
    const owed = standing.owed + units;
    const isSmall = owed < LEAST_CHARGE && now - standing.chargedAt < KEPT_MS;
    standing.owed = owed;
    if (isSmall) return 0;
    const waitMs = await this.#charge(payer, standing, { nowMs: now, units: owed, teamUnits, isDone: false });
    if (waitMs === 0) return 0;
    // What is refused is not done, and owed by nobody.
    standing.owed -= units;
    standing.enoughAt = now + waitMs;
    standing.refusedUntil = now + Math.min(waitMs, MOST_WAIT_MS);
    return waitMs;
  }

  /** Takes work that is done from a budget, which pays for it sooner or later. */
  async note(payer: Payer, units: number, teamUnits: number): Promise<void> {
    const standing = this.#standingOf(payer);
    standing.owed += units;
    if (standing.owed < LEAST_CHARGE) return;
    await this.#charge(payer, standing, { nowMs: this.#now(), units: standing.owed, teamUnits, isDone: true });
  }

  async #charge(
    payer: Payer,
    standing: Standing,
    { nowMs, units, teamUnits, isDone }: { nowMs: number; units: number; teamUnits: number; isDone: boolean },
  ): Promise<number> {
    const { unitsPerSecond, burstSeconds } = rateOf(payer, teamUnits);
    const costMs = Math.ceil((units * 1000) / unitsPerSecond);
    standing.owed -= units;
    const charge = { costMs, burstMs: burstSeconds * 1000, nowMs, isDone };
    const waitMs = await this.#charger.chargeWork(payer, charge).catch((error) => {
      standing.owed += units;
      throw error;
    });
    if (waitMs > 0) standing.owed += units;
    else standing.chargedAt = nowMs;
    return waitMs;
  }

  #standingOf(payer: Payer): Standing {
    const name = JSON.stringify(payer);
    const known = this.#standings.get(name);
    if (known) return known;
    const [oldest] = this.#standings.keys();
    if (oldest !== undefined && this.#standings.size >= MOST_PAYERS) this.#standings.delete(oldest);
    // A team's first request has its lease taken; others learn from their first whether anything is left.
    const chargedAt = payer.kind === "team" ? this.#now() : Number.NEGATIVE_INFINITY;
    const standing = { owed: 0, refusedUntil: 0, enoughAt: 0, chargedAt };
    this.#standings.set(name, standing);
    return standing;
  }
}
