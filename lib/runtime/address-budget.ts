import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { EndpointContract } from "../contract/endpoint.ts";
import { byteUnits, OTHER_REQUEST_UNITS, type Payer, REFUSED_UNITS } from "../domain/work.ts";
import { defaultLimits } from "./deployment.ts";
import { addressGroup } from "./edge/caller-address.ts";
import type { Log } from "./log.ts";
import { budgetsOf, tooMuch } from "./work-limit.ts";

type Contract = Pick<EndpointContract, "auth" | "operationId" | "access" | "provesItself">;
type Request = Pick<APIGatewayProxyEventV2, "headers" | "requestContext" | "body">;

/** Whether callers without a credential make this route look something up, which they pay for by their address. */
const isPaidByAddress = ({ auth, access }: Contract): boolean =>
  auth === "none" && access.some(({ use }) => use === "usage");

/** Takes what a request without a credential needs from the budget of its address. @throws TooManyRequests. */
export async function requireAddressBudget(contract: Contract, request: Request, log: Log): Promise<void> {
  if (!isPaidByAddress(contract)) return;
  const units = contract.provesItself ? 0 : OTHER_REQUEST_UNITS + byteUnits(request.body?.length ?? 0);
  const waitMs = await spend(contract, request, units, log);
  if (waitMs > 0) throw tooMuch(waitMs);
}

/** Has an address pay for a request that was refused: guesses are dearer than what somebody was given. */
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
