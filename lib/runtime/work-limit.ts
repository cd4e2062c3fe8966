import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { update } from "../contract/access.ts";
import type { EndpointContract } from "../contract/endpoint.ts";
import { usage } from "../contract/resources.ts";
import type { KeyRecord, Team } from "../domain/identity.ts";
import type { Session } from "../domain/linking/session.ts";
import { byteUnits, OTHER_REQUEST_UNITS, type Payer, REQUEST_UNITS } from "../domain/work.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { keptByContainer } from "./container.ts";
import { defaultLimits } from "./deployment.ts";
import { TooManyRequests } from "./errors.ts";
import type { Log } from "./log.ts";
import { ports } from "./ports.ts";
import { usesOf } from "./uses.ts";
import { WorkBudgets } from "./work-budgets.ts";

/** Budgets per function. A container runs one function; a process that simulates several keeps them separate. */
const budgetsOfContainer = keptByContainer(() => new Map<string, WorkBudgets>());

/** Returns the work budgets of this container. */
export async function budgetsOf({ operationId }: Pick<EndpointContract, "operationId">): Promise<WorkBudgets> {
  const uses = await usesOf([update(usage)]);
  const known = budgetsOfContainer();
  const budgets = known.get(operationId) ?? new WorkBudgets(uses.usage, () => ports().clock.now());
  known.set(operationId, budgets);
  return budgets;
}

/** Charges the work of a request to the budgets of its caller. */
export interface Work {
  /** Charges work before it is done. @throws TooManyRequests if a budget is exhausted. */
  readonly spend: (units: number) => Promise<void>;
  /** Charges work that is done. */
  readonly note: (units: number) => Promise<void>;
}

interface Caller {
  readonly team?: Team;
  readonly scope?: TeamScope;
  readonly session?: Session;
  readonly key?: KeyRecord;
}

/**
 * Creates the meter of a caller. Callers without a credential pay by address (address-budget.ts). Fails open: if a
 * budget does not respond, the work is admitted.
 */
function workOf(contract: Pick<EndpointContract, "auth" | "operationId">, caller: Caller, log: Log): Work {
  const payers = payersOf(contract, caller);
  const teamUnits = caller.team?.limits?.work_per_second ?? defaultLimits().work_per_second;
  const each = async (act: (budgets: WorkBudgets, payer: Payer, teamUnits: number) => Promise<number>) => {
    if (!teamUnits) return;
    for (const payer of payers) {
      const waitMs = await budgetsOf(contract)
        .then((budgets) => act(budgets, payer, teamUnits))
        .catch((error) => {
          log.error("the work limit could not be applied", error);
          return 0;
        });
      if (waitMs > 0) throw tooMuch(waitMs);
    }
  };
  return {
    spend: (units) => each((budgets, payer, most) => budgets.spend(payer, units, most)),
    note: (units) => each((budgets, payer, most) => budgets.note(payer, units, most).then(() => 0)),
  };
}

/** Charges the base cost of a request. @throws TooManyRequests if a budget of the caller is exhausted. */
export async function beginWork(
  contract: Pick<EndpointContract, "auth" | "operationId">,
  caller: Caller,
  { body }: Pick<APIGatewayProxyEventV2, "body">,
  log: Log,
): Promise<Work> {
  const work = workOf(contract, caller, log);
  await work.spend(requestUnits(contract) + byteUnits(body?.length ?? 0));
  return work;
}

/** Charges the length of an answer and returns the answer. */
export async function paidFor(
  answer: APIGatewayProxyStructuredResultV2,
  work: Work | undefined,
): Promise<APIGatewayProxyStructuredResultV2> {
  await work?.note(byteUnits(answer.body?.length ?? 0));
  return answer;
}

/** The base cost of a request. */
const requestUnits = ({ auth }: Pick<EndpointContract, "auth">): number =>
  auth === "team" || auth === "lab" ? REQUEST_UNITS : OTHER_REQUEST_UNITS;

function payersOf({ auth }: Pick<EndpointContract, "auth">, { scope, session, key }: Caller): Payer[] {
  const teamId = scope?.teamId ?? "";
  switch (auth) {
    case "team":
    case "lab":
      return [{ kind: "team", teamId }];
    case "session":
      return [
        { kind: "user", teamId, userId: session?.user_id ?? "" },
        { kind: "team", teamId },
      ];
    case "link":
    case "portal":
    case "review":
      return [{ kind: "links", teamId }];
    case "management":
      return [{ kind: "organisation", orgId: key?.org_id ?? "", keyId: key?.key_id ?? "" }];
    case "none":
      return [];
  }
}

/** Creates the error for an exhausted budget. */
export function tooMuch(waitMs: number): TooManyRequests {
  const seconds = Math.ceil(waitMs / 1000);
  const headers = {
    "retry-after": String(seconds),
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(Math.ceil((ports().clock.now() + waitMs) / 1000)),
  };
  return new TooManyRequests(`The work budget is exhausted. Retry in ${seconds} seconds.`, { headers });
}
