import { rateOf } from "../domain/work.ts";
import type { TeamStore } from "../store/identity.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { UsageStore } from "../store/usage.ts";
import { defaultLimits } from "./deployment.ts";
import type { Log } from "./log.ts";
import { ports } from "./ports.ts";

export interface TeamBudgetUses {
  readonly teams: Pick<TeamStore, "get">;
  readonly usage: Pick<UsageStore, "chargeWork">;
}

/** What a run takes before it is known how much it brings. */
const RUN_UNITS = 5;
/** A run that waits asks again after this time, whatever it was told: the team's limit may be raised meanwhile. */
const MOST_WAIT_MS = 15 * 60_000;

/**
 * A team's budget for work that the service does by itself, such as pulls and continuous queries: nobody is there to be
 * refused, so the work waits where the budget is spent. A charge that can not be made is logged, and the work goes on.
 */
export class TeamBudget {
  readonly #uses: TeamBudgetUses;
  readonly #scope: TeamScope;
  readonly #log: Log;
  #unitsPerSecond: Promise<number> | undefined;

  constructor(uses: TeamBudgetUses, scope: TeamScope, log: Log) {
    this.#uses = uses;
    this.#scope = scope;
    this.#log = log;
  }

  /** Asks for room before a run begins. @returns epoch milliseconds when to ask again; undefined where there is room. */
  async spentUntil(): Promise<number | undefined> {
    const waitMs = await this.#charge(RUN_UNITS, false);
    return waitMs > 0 ? ports().clock.now() + Math.min(waitMs, MOST_WAIT_MS) : undefined;
  }

  /** Takes units of work that is done, or can not be put off; what is missing holds up the next run. */
  async note(units: number): Promise<void> {
    if (units > 0) await this.#charge(units, true);
  }

  async #charge(units: number, isDone: boolean): Promise<number> {
    const payer = { kind: "team", teamId: this.#scope.teamId } as const;
    try {
      this.#unitsPerSecond ??= this.#rate();
      const { unitsPerSecond, burstSeconds } = rateOf(payer, await this.#unitsPerSecond);
      if (unitsPerSecond === 0) return 0;
      const costMs = Math.ceil((units * 1000) / unitsPerSecond);
      const charge = { costMs, burstMs: burstSeconds * 1000, nowMs: ports().clock.now(), isDone };
      return await this.#uses.usage.chargeWork(payer, charge);
    } catch (error) {
      this.#log.error("the work limit could not be applied", error);
      return 0;
    }
  }

  /** 0 where there is no limit. */
  async #rate(): Promise<number> {
    const team = await this.#uses.teams.get(this.#scope.teamId);
    return team?.limits?.work_per_second ?? defaultLimits().work_per_second ?? 0;
  }
}
