import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { EndpointContract } from "../../contract/endpoint.ts";
import {
  type BudgetOwner,
  byteUnits,
  NON_KEY_REQUEST_UNITS,
  REFUSED_REQUEST_UNITS,
} from "../../domain/usage/work-budget.ts";
import { defaultLimits } from "../deployment.ts";
import type { Log } from "../log.ts";
import { addressGroup } from "./caller-address.ts";
import { getWorkBudgets, workBudgetExceeded } from "./work-limit.ts";

type Contract = Pick<EndpointContract, "auth" | "operationId" | "access" | "authenticatesItself">;
type Request = Pick<APIGatewayProxyEventV2, "headers" | "requestContext" | "body">;

/** Whether the route takes no credential and charges its lookups to the caller's address. */
const isChargedToAddress = ({ auth, access }: Contract): boolean =>
  auth === "none" && access.some(({ dependency }) => dependency === "usage");

/** Charges a request without a credential to the budget of its address. @throws TooManyRequests. */
export async function requireAddressBudget(contract: Contract, request: Request, log: Log): Promise<void> {
  if (!isChargedToAddress(contract)) return;
  const units = contract.authenticatesItself ? 0 : NON_KEY_REQUEST_UNITS + byteUnits(request.body?.length ?? 0);
  const waitMs = await chargeAddress(contract, request, units, log);
  if (waitMs > 0) throw workBudgetExceeded(waitMs);
}

/** Charges a refused request to its address. Refusals cost more than successes, so that guessing is expensive. */
export async function chargeRefusal(contract: Contract, request: Request, status: number, log: Log): Promise<void> {
  if (!isChargedToAddress(contract) || status < 400 || status >= 500 || status === 429) return;
  await chargeAddress(contract, request, REFUSED_REQUEST_UNITS + byteUnits(request.body?.length ?? 0), log);
}

async function chargeAddress(contract: Contract, request: Request, units: number, log: Log): Promise<number> {
  const stageUnits = defaultLimits().work_per_second;
  if (!stageUnits) return 0;
  try {
    const payer: BudgetOwner = { kind: "address", group: addressGroup(request) };
    return await (await getWorkBudgets(contract)).spend(payer, units, stageUnits);
  } catch (error) {
    log.error("the work limit could not be applied", error);
    return 0;
  }
}
