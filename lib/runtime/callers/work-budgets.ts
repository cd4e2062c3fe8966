import { type BudgetOwner, workRateOf } from "../../domain/usage/work-budget.ts";
import type { WorkCharge } from "../../store/usage/work-charges.ts";
import { BoundedMap } from "../bounded-map.ts";

/** Charges work to the budgets of payers. */
export interface WorkCharger {
  /** @returns 0, or the wait in milliseconds until the budget has room. */
  chargeWork(payer: BudgetOwner, charge: WorkCharge): Promise<number>;
}

/** The state of a payer in this container. */
interface PayerState {
  /** Units not charged yet. */
  owed: number;
  /** Epoch ms. No charge is tried before `refusedUntil`; the budget is expected to have room from `enoughAt` on. */
  refusedUntil: number;
  enoughAt: number;
  /** Epoch ms of the last write. */
  chargedAt: number;
}

/** Minimum units of a charge. Smaller amounts accumulate first, so that small requests cost no write. */
const MIN_CHARGE_UNITS = 200;
/** Maximum age of accumulated units. The next request after it charges them. */
const MAX_DEFERRAL_MS = 60_000;
/** Maximum time without a new attempt after a rejected charge. */
const MAX_WAIT_MS = 5_000;
const MAX_PAYERS = 1_000;

/** The work budgets of this container. Small amounts are charged together, large amounts before the work is done. */
export class WorkBudgets {
  readonly #charger: WorkCharger;
  readonly #now: () => number;
  readonly #standings = new BoundedMap<PayerState>(MAX_PAYERS);

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
  async spend(payer: BudgetOwner, units: number, teamUnits: number): Promise<number> {
    const standing = this.#standingOf(payer);
    const now = this.#now();
    if (standing.refusedUntil > now) return standing.enoughAt - now;
    const owed = standing.owed + units;
    const isSmall = owed < MIN_CHARGE_UNITS && now - standing.chargedAt < MAX_DEFERRAL_MS;
    standing.owed = owed;
    if (isSmall) return 0;
    const waitMs = await this.#charge(payer, standing, { nowMs: now, units: owed, teamUnits, isDone: false });
    if (waitMs === 0) return 0;
    // Rejected work is not done, so it costs nothing.
    standing.owed -= units;
    standing.enoughAt = now + waitMs;
    standing.refusedUntil = now + Math.min(waitMs, MAX_WAIT_MS);
    return waitMs;
  }

  /** Charges work that is done. The budget may go into deficit. */
  async record(payer: BudgetOwner, units: number, teamUnits: number): Promise<void> {
    const standing = this.#standingOf(payer);
    standing.owed += units;
    if (standing.owed < MIN_CHARGE_UNITS) return;
    await this.#charge(payer, standing, { nowMs: this.#now(), units: standing.owed, teamUnits, isDone: true });
  }

  async #charge(
    payer: BudgetOwner,
    standing: PayerState,
    { nowMs, units, teamUnits, isDone }: { nowMs: number; units: number; teamUnits: number; isDone: boolean },
  ): Promise<number> {
    const { unitsPerSecond, burstSeconds } = workRateOf(payer, teamUnits);
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

  #standingOf(payer: BudgetOwner): PayerState {
    const name = JSON.stringify(payer);
    const known = this.#standings.get(name);
    if (known) return known;
    // The request lease already limits a team's first request. All other payers charge their first one.
    const chargedAt = payer.kind === "team" ? this.#now() : Number.NEGATIVE_INFINITY;
    const standing = { owed: 0, refusedUntil: 0, enoughAt: 0, chargedAt };
    this.#standings.set(name, standing);
    return standing;
  }
}
