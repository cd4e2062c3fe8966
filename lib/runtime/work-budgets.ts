import { type Payer, rateOf } from "../domain/work.ts";
import type { Charge } from "../store/work-charges.ts";

/** Charges work to the budgets of payers. */
export interface WorkCharger {
  /** @returns 0, or the wait in milliseconds until the budget has room. */
  chargeWork(payer: Payer, charge: Charge): Promise<number>;
}

/** The state of a payer in this container. */
interface Standing {
  /** Units not charged yet. */
  owed: number;
  /** Epoch ms. No charge is tried before `refusedUntil`; the budget is expected to have room from `enoughAt` on. */
  refusedUntil: number;
  enoughAt: number;
  /** Epoch ms of the last write. */
  chargedAt: number;
}

/** Minimum units of a charge. Smaller amounts accumulate first, so that small requests cost no write. */
const LEAST_CHARGE = 200;
/** Maximum age of accumulated units. The next request after it charges them. */
const KEPT_MS = 60_000;
/** Maximum time without a new attempt after a rejected charge. */
const MOST_WAIT_MS = 5_000;
const MOST_PAYERS = 1_000;

/** The work budgets of this container. Small amounts are charged together, large amounts before the work is done. */
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
   * Charges work before it is done.
   * @param teamUnits the team's limit, units per second.
   * @returns 0, or the milliseconds to wait before a retry.
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
    // Rejected work is not done, so it costs nothing.
    standing.owed -= units;
    standing.enoughAt = now + waitMs;
    standing.refusedUntil = now + Math.min(waitMs, MOST_WAIT_MS);
    return waitMs;
  }

  /** Charges work that is done. The budget may go into deficit. */
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
    // The request lease already limits a team's first request. All other payers charge their first one.
    const chargedAt = payer.kind === "team" ? this.#now() : Number.NEGATIVE_INFINITY;
    const standing = { owed: 0, refusedUntil: 0, enoughAt: 0, chargedAt };
    this.#standings.set(name, standing);
    return standing;
  }
}
