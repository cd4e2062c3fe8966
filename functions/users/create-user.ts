import { put, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { quotas, reservations, users } from "../../lib/contract/resources.ts";

import { newUser, toWireUser, userDraft, wireUser } from "../../lib/domain/user.ts";
import { ClientUserIdTaken, QuotaReached } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { inUserQuota } from "../../lib/runtime/quotas.ts";
import { providerSource } from "../../lib/runtime/wire-source.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";
import type { QuotaPlace } from "../../lib/store/quotas.ts";

/** Creates a user. A taken `client_user_id` names its holder, so that creation can be repeated safely (spec, Errors 1). */
export const contract = endpoint({
  operationId: "createUser",
  method: "POST",
  path: "/v2/user",
  tag: "users",
  summary: "Create a user",
  auth: "team",
  params: nothing,
  query: nothing,
  body: userDraft,
  response: wireUser,
  errors: [ClientUserIdTaken, QuotaReached],
  access: [put(users), put(reservations), update(quotas)],
});

export const handler = implement(contract, async ({ scope, team, body }, { users, reservations, quotas, commit }) => {
  const user = newUser(body, { userId: ports().ids.uuid(), teamId: scope.teamId }, isoNow());
  const create = (place?: QuotaPlace) =>
    commit([
      users.createItem(scope, place ? { ...user, quota_place: place.place } : user),
      reservations.takeItem(scope, user),
      ...(place ? [quotas.takeUserItem(scope, place)] : []),
    ]);
  const isFull = ({ items }: ConditionFailed) => items.has(2) && items.size === 1;
  try {
    await inUserQuota(team, ports().ids.bytes(1).readUInt8(), create, isFull);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw ClientUserIdTaken.by(error.items.get(1));
  }
  return toWireUser(user, providerSource);
});
