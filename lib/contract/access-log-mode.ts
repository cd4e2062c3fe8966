import { type Grant, putItem } from "./access.ts";
import type { ConsumerContract } from "./consumer.ts";
import { authenticationAccess, type EndpointContract } from "./endpoint.ts";
import { accessLog, dataKey, users } from "./resources.ts";

/** Whether a grant reaches user data: entities that hold some, and every bucket. */
const reachesUserData = ({ resource }: Grant): boolean =>
  resource.kind === "bucket" || (resource.kind === "entity" && resource.holdsUserData !== false);

/**
 * Whether an action changes state or decrypts a secret. The data key decrypts user data that is read, which is no
 * secret of a third party.
 */
const hasEffect = ({ action, resource }: Grant): boolean =>
  resource !== dataKey && /Put|Update|Delete|Write|Send|Start|Stop|kms:Decrypt/.test(action);

/**
 * Returns when the access log records calls of an endpoint: `before` an effect, or `beside` (in parallel with) a read.
 * Undefined for calls that it does not record. The audit log of the organisation records all management calls instead.
 */
export function accessLogMode({
  auth,
  access,
  callsRoutes,
  answersCountsOnly = false,
}: Pick<EndpointContract, "auth" | "access" | "callsRoutes" | "answersCountsOnly">): "before" | "beside" | undefined {
  if (callsRoutes) return "beside";
  if (auth === "management" || answersCountsOnly || !access.some(reachesUserData)) return undefined;
  // An endpoint without a credential that cannot read users reveals nothing about any user.
  if (auth === "none" && !access.some(({ resource }) => resource === users)) return undefined;
  return access.some(hasEffect) ? "before" : "beside";
}

/** Returns all grants of a function: those it declares, those of its credentials, and the write to the access log. */
export function effectiveGrants(contract: EndpointContract | ConsumerContract): readonly Grant[] {
  if (contract.kind === "consumer") return contract.access;
  const recording = accessLogMode(contract) === undefined ? [] : [putItem(accessLog)];
  const ofSessions = contract.consoleRoles ? authenticationAccess.console : [];
  return [...contract.access, ...authenticationAccess[contract.auth], ...ofSessions, ...recording];
}
