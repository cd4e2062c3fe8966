import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { EndpointContract } from "../contract/endpoint.ts";
import { byteUnits, OTHER_REQUEST_UNITS, type Payer, REFUSED_UNITS } from "../domain/work.ts";
import { defaultLimits } from "./deployment.ts";
import { addressGroup } from "./edge/caller-address.ts";
import type { Log } from "./log.ts";
import { budgetsOf, tooMuch } from "./work-limit.ts";

type Contract = Pick<EndpointContract, "auth" | "operationId" | "access" | "provesItself">;
type Request = Pick<APIGatewayProxyEventV2, "headers" | "requestContext" | "body">;

/** Whether the route takes no credential and charges its lookups to the caller's address. */
const isPaidByAddress = ({ auth, access }: Contract): boolean =>
  auth === "none" && access.some(({ use }) => use === "usage");

/** Charges a request without a credential to the budget of its address. @throws TooManyRequests. */
export async function requireAddressBudget(contract: Contract, request: Request, log: Log): Promise<void> {
  if (!isPaidByAddress(contract)) return;
  const units = contract.provesItself ? 0 : OTHER_REQUEST_UNITS + byteUnits(request.body?.length ?? 0);
  const waitMs = await spend(contract, request, units, log);
  if (waitMs > 0) throw tooMuch(waitMs);
}

/** Charges a refused request to its address. Refusals cost more than successes, so that guessing is expensive. */
export async function payForRefusal(contract: Contract, request: Request, status: number, log: Log): Promise<void> {
  if (!isPaidByAddress(contract) || status < 400 || status >= 500 || status === 429) return;
  await spend(contract, request, REFUSED_UNITS + byteUnits(request.body?.length ?? 0), log);
}

async function spend(contract: Contract, request: Request, units: number, log: Log): Promise<number> {
  const stageUnits = defaultLimits().work_per_second;
  if (!stageUnits) return 0;
  try {
    const payer: Payer = { kind: "address", group: addressGroup(request) };
    return await (await budgetsOf(contract)).spend(payer, units, stageUnits);
  } catch (error) {
    log.error("the work limit could not be applied", error);
    return 0;
  }
}
