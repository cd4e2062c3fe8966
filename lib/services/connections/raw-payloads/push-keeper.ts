import type { PushDescription, PushRequest } from "../../../connectors/connector.ts";
import type { Log } from "../../../runtime/log.ts";
import { TeamBudget, type TeamBudgetDependencies } from "../../usage/team-budget.ts";
import { type KeepPayloadsDependencies, type ObservedConnection, PayloadKeeper } from "./payload-keeper.ts";

/** What the batches of one connection share: its team's budget, and a keeper if the team keeps payloads. */
interface Keeping {
  readonly budget: TeamBudget;
  readonly keeper: PayloadKeeper | undefined;
}

/** Keeps the data of one push, for each user apart: a push may contain data of many users, also of several teams. */
export class PushKeeper {
  readonly #deps: KeepPayloadsDependencies & TeamBudgetDependencies;
  readonly #push: PushDescription;
  readonly #request: PushRequest;
  readonly #log: Log;
  readonly #keepings = new Map<string, Keeping>();

  constructor(
    deps: KeepPayloadsDependencies & TeamBudgetDependencies,
    push: PushDescription,
    request: PushRequest,
    log: Log,
  ) {
    this.#deps = deps;
    this.#push = push;
    this.#request = request;
    this.#log = log;
  }

  /** Keeps the part of the push about a connection, once, and returns what its batches share. */
  async open(about: ObservedConnection): Promise<Keeping> {
    const name = `${about.scope.teamId}/${about.user.user_id}`;
    const known = this.#keepings.get(name);
    if (known) return known;
    const budget = new TeamBudget(this.#deps, about.scope, this.#log);
    const keeping = { budget, keeper: await this.#keep(about, budget) };
    this.#keepings.set(name, keeping);
    return keeping;
  }

  /** Stores what the connector made of each part. */
  async finish(): Promise<void> {
    for (const { keeper } of this.#keepings.values()) await keeper?.finish();
  }

  async #keep(about: ObservedConnection, budget: TeamBudget): Promise<PayloadKeeper | undefined> {
    const { slug } = about.connector;
    const accountId = about.user.connections[slug]?.external_user_id;
    if (!this.#push.selectAccount || !accountId) return undefined;
    const keeper = PayloadKeeper.of(this.#deps, await budget.team(), about);
    keeper?.begin(null, null);
    const body = keeper && this.#push.selectAccount(this.#request.body, accountId);
    if (body !== undefined) await keeper?.keepPush(`/v2/link/push/${slug}`, body, "application/json");
    return keeper;
  }
}
