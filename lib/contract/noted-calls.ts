import { type Grant, put } from "./access.ts";
import type { ConsumerContract } from "./consumer.ts";
import { authAccess, type EndpointContract } from "./endpoint.ts";
import { keptItems } from "./erasure/kept-items.ts";
import { accessLog, dataKey, users } from "./resources.ts";

/** Whether a grant reaches user data: entities that the data inventory marks as such, and every bucket. */
const isPersonal = ({ on }: Grant): boolean =>
  on.kind === "bucket" || (on.kind === "entity" && keptItems[on.store]?.leaving.kind !== "nothing");

/**
 * Whether an action changes state or decrypts a secret. The data key decrypts user data that is read, which is no
 * secret of a third party.
 */
const hasEffect = ({ action, on }: Grant): boolean =>
  on !== dataKey && /Put|Update|Delete|Write|Send|Start|Stop|kms:Decrypt/.test(action);

/**
 * Returns when the access log records calls of an endpoint: `before` an effect, or `beside` (in parallel with) a read.
 * Undefined for calls that it does not record. The audit log of the organisation records all management calls instead.
 */
export function notingOf({ auth, access }: Pick<EndpointContract, "auth" | "access">): "before" | "beside" | undefined {
  if (auth === "management" || !access.some(isPersonal)) return undefined;
  // An endpoint without a credential that cannot read users reveals nothing about any user.
  if (auth === "none" && !access.some(({ on }) => on === users)) return undefined;
  return access.some(hasEffect) ? "before" : "beside";
}

/** Returns all grants of a function: those it declares, those of its credentials, and the write to the access log. */
export function grantsOf(contract: EndpointContract | ConsumerContract): readonly Grant[] {
  if (contract.kind === "consumer") return contract.access;
  const noting = notingOf(contract) === undefined ? [] : [put(accessLog)];
  return [...contract.access, ...authAccess[contract.auth], ...noting];
}
