import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { updateItem } from "../../contract/access.ts";
import type { EndpointContract } from "../../contract/endpoint.ts";
import { usage } from "../../contract/resources.ts";
import type { Session } from "../../domain/connections/link/session.ts";
import type { KeyRecord, Team } from "../../domain/management/records.ts";
import { type BudgetOwner, byteUnits, NON_KEY_REQUEST_UNITS, REQUEST_UNITS } from "../../domain/usage/work-budget.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { oncePerContainer } from "../container.ts";
import { resolveDependencies } from "../dependencies.ts";
import { defaultLimits } from "../deployment.ts";
import { TooManyRequests } from "../errors.ts";
import type { Log } from "../log.ts";
import { ports } from "../ports.ts";
import { WorkBudgets } from "./work-budgets.ts";

/** Budgets per function. A container runs one function; a process that simulates several keeps them separate. */
const containerBudgets = oncePerContainer(() => new Map<string, WorkBudgets>());

/** Returns the work budgets of this container. */
export async function getWorkBudgets({ operationId }: Pick<EndpointContract, "operationId">): Promise<WorkBudgets> {
  const deps = await resolveDependencies([updateItem(usage)]);
  const known = containerBudgets();
  const budgets = known.get(operationId) ?? new WorkBudgets(deps.usage, () => ports().clock.now());
  known.set(operationId, budgets);
  return budgets;
}

/** Charges the work of a request to the budgets of its caller. */
export interface WorkMeter {
  /** Charges work before it is done. @throws TooManyRequests if a budget is exhausted. */
  readonly spend: (units: number) => Promise<void>;
  /** Charges work that is done. */
  readonly record: (units: number) => Promise<void>;
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
function createWorkMeter(
  contract: Pick<EndpointContract, "auth" | "operationId">,
  caller: Caller,
  log: Log,
): WorkMeter {
  const payers = payersFor(contract, caller);
  const teamUnits = caller.team?.limits?.work_per_second ?? defaultLimits().work_per_second;
  const each = async (act: (budgets: WorkBudgets, payer: BudgetOwner, teamUnits: number) => Promise<number>) => {
    if (!teamUnits) return;
    for (const payer of payers) {
      const waitMs = await getWorkBudgets(contract)
        .then((budgets) => act(budgets, payer, teamUnits))
        .catch((error) => {
          log.error("the work limit could not be applied", error);
          return 0;
        });
      if (waitMs > 0) throw workBudgetExceeded(waitMs);
    }
  };
  return {
    spend: (units) => each((budgets, payer, most) => budgets.spend(payer, units, most)),
    record: (units) => each((budgets, payer, most) => budgets.record(payer, units, most).then(() => 0)),
  };
}

/** Charges the base cost of a request. @throws TooManyRequests if a budget of the caller is exhausted. */
export async function chargeRequest(
  contract: Pick<EndpointContract, "auth" | "operationId">,
  caller: Caller,
  { body }: Pick<APIGatewayProxyEventV2, "body">,
  log: Log,
): Promise<WorkMeter> {
  const work = createWorkMeter(contract, caller, log);
  await work.spend(baseRequestUnits(contract) + byteUnits(body?.length ?? 0));
  return work;
}

/** Charges the length of an answer and returns the answer. */
export async function chargeAnswer(
  answer: APIGatewayProxyStructuredResultV2,
  work: WorkMeter | undefined,
): Promise<APIGatewayProxyStructuredResultV2> {
  await work?.record(byteUnits(answer.body?.length ?? 0));
  return answer;
}

/** The base cost of a request. */
const baseRequestUnits = ({ auth }: Pick<EndpointContract, "auth">): number =>
  auth === "team" || auth === "console" || auth === "lab" ? REQUEST_UNITS : NON_KEY_REQUEST_UNITS;

function payersFor({ auth }: Pick<EndpointContract, "auth">, { scope, session, key }: Caller): BudgetOwner[] {
  const teamId = scope?.teamId ?? "";
  switch (auth) {
    case "team":
    case "console":
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
export function workBudgetExceeded(waitMs: number): TooManyRequests {
  const seconds = Math.ceil(waitMs / 1000);
  const headers = {
    "retry-after": String(seconds),
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(Math.ceil((ports().clock.now() + waitMs) / 1000)),
  };
  return new TooManyRequests(`The work budget is exhausted. Retry in ${seconds} seconds.`, { headers });
}
