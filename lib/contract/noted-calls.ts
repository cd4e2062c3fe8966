import { type Grant, put } from "./access.ts";
import type { ConsumerContract } from "./consumer.ts";
import { authAccess, type EndpointContract } from "./endpoint.ts";
import { keptItems } from "./erasure/kept-items.ts";
import { accessLog, dataKey, users } from "./resources.ts";

/** Whether a grant reaches what is kept of users: items that the register says so of, and every bucket. */
const isPersonal = ({ on }: Grant): boolean =>
  on.kind === "bucket" || (on.kind === "entity" && keptItems[on.store]?.leaving.kind !== "nothing");

/** Actions after which something is not as it was, or a secret is open; keys of users open what is read, and no secret. */
const hasEffect = ({ action, on }: Grant): boolean =>
  on !== dataKey && /Put|Update|Delete|Write|Send|Start|Stop|kms:Decrypt/.test(action);

/**
 * How calls of an endpoint are noted in the access log: before they have an effect, or beside a reading; undefined for
 * those that are not. Calls of the management interface are in the audit log of their organisation, all of them.
 */
export function notingOf({ auth, access }: Pick<EndpointContract, "auth" | "access">): "before" | "beside" | undefined {
  if (auth === "management" || !access.some(isPersonal)) return undefined;
  // Whoever needs no credential and can look at no user learns of nobody.
  if (auth === "none" && !access.some(({ on }) => on === users)) return undefined;
  return access.some(hasEffect) ? "before" : "beside";
}

/** All that a function is granted: what it declares, what its credentials take, and what noting its calls takes. */
export function grantsOf(contract: EndpointContract | ConsumerContract): readonly Grant[] {
  if (contract.kind === "consumer") return contract.access;
  const noting = notingOf(contract) === undefined ? [] : [put(accessLog)];
  return [...contract.access, ...authAccess[contract.auth], ...noting];
}
