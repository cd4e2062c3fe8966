import { getItem, updateItem } from "../../contract/access.ts";
import { teams, usage } from "../../contract/resources.ts";
import type { Team } from "../../domain/management/records.ts";
import { workRateOf } from "../../domain/usage/work-budget.ts";
import { defaultLimits } from "../../runtime/deployment.ts";
import type { Log } from "../../runtime/log.ts";
import { ports } from "../../runtime/ports.ts";
import type { TeamStore } from "../../store/management/teams.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UsageStore } from "../../store/usage/usage.ts";

/** Dependencies of a team's budget. */
export type TeamBudgetDependencies = {
  readonly teams: Pick<TeamStore, "get">;
  readonly usage: Pick<UsageStore, "chargeWork">;
};

/** Grants to read the limit of a team and to charge its budget. */
export const teamBudgetAccess = [getItem(teams), updateItem(usage)] as const;

/** Units charged at the start of a run, before its size is known. */
const RUN_UNITS = 5;
/** Maximum wait of a run before it checks again. The team's limit may be raised in the meantime. */
const MAX_WAIT_MS = 15 * 60_000;

/**
 * A team's budget for background work, such as pulls and continuous queries. No caller can be rejected, so the work
 * waits until the budget has room. Fails open: a failed charge is logged and the work continues.
 */
export class TeamBudget {
  readonly #uses: TeamBudgetDependencies;
  readonly #scope: TeamScope;
  readonly #log: Log;
  #team: Promise<Team | undefined> | undefined;

  constructor(deps: TeamBudgetDependencies, scope: TeamScope, log: Log) {
    this.#uses = deps;
    this.#scope = scope;
    this.#log = log;
  }

  /** Returns the active team, read once. */
  team(): Promise<Team | undefined> {
    this.#team ??= this.#uses.teams.get(this.#scope.teamId);
    return this.#team;
  }

  /** Charges the start of a run. @returns when to try again, epoch ms; undefined if the budget has room. */
  async reserveRun(): Promise<number | undefined> {
    const waitMs = await this.#charge(RUN_UNITS, false);
    return waitMs > 0 ? ports().clock.now() + Math.min(waitMs, MAX_WAIT_MS) : undefined;
  }

  /** Charges work that is done or cannot wait. A deficit delays the next run. */
  async record(units: number): Promise<void> {
    if (units > 0) await this.#charge(units, true);
  }

  async #charge(units: number, isDone: boolean): Promise<number> {
    const payer = { kind: "team", teamId: this.#scope.teamId } as const;
    try {
      const { unitsPerSecond, burstSeconds } = workRateOf(payer, await this.#rate());
      if (unitsPerSecond === 0) return 0;
      const costMs = Math.ceil((units * 1000) / unitsPerSecond);
      const charge = { costMs, burstMs: burstSeconds * 1000, nowMs: ports().clock.now(), isDone };
      return await this.#uses.usage.chargeWork(payer, charge);
    } catch (error) {
      this.#log.error("the work limit could not be applied", error);
      return 0;
    }
  }

  /** Units per second; 0 means unlimited. */
  async #rate(): Promise<number> {
    const team = await this.team();
    return team?.limits?.work_per_second ?? defaultLimits().work_per_second ?? 0;
  }
}
