import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { authenticationAccess, type EndpointContract } from "../../contract/endpoint.ts";
import type { ManagementCaller } from "../callers/authenticate.ts";
import { resolveDependencies } from "../dependencies.ts";

/** A request with a management key, as the audit log records it. */
export interface ManagementCall {
  readonly contract: EndpointContract;
  readonly event: APIGatewayProxyEventV2;
  readonly caller: ManagementCaller;
  readonly requestId: string;
  /** Arrival of the request, ISO 8601. */
  readonly at: string;
}

/** Maximum length of a recorded path parameter. Ids are shorter, and longer values were rejected anyway. */
const MAX_PARAMETER_CHARACTERS = 100;

/**
 * Records a call in the audit log of the key's organisation. Called before the operation, so that nothing takes effect
 * unrecorded, and again with the status of the answer.
 */
export async function recordManagementCall(
  { contract, event, caller, requestId, at }: ManagementCall,
  status: number | null,
) {
  const { auditLog } = await resolveDependencies(authenticationAccess.management);
  const ids = Object.entries(event.pathParameters ?? {}).filter(
    ([, value]) => (value ?? "").length <= MAX_PARAMETER_CHARACTERS,
  );
  const target = Object.fromEntries(ids.map(([name, value]) => [name, value ?? ""]));
  const { key, consoleSession } = caller;
  const person = { session_id: consoleSession?.session_id ?? null, actor: consoleSession?.name ?? null };
  const call = { id: requestId, at, key_id: key.key_id, ...person, operation: contract.operationId, target, status };
  await auditLog.record(key.org_id, call);
}
