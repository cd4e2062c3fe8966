import type { Connection, UserRecord } from "../../domain/users/user.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";
import type { UserStore } from "./users.ts";

/** Builds the write that replaces a connection of an active user, if it is unchanged. */
export function replaceConnectionItem(
  users: UserStore,
  scope: TeamScope,
  userId: string,
  slug: string,
  { before, after }: { readonly before: Connection; readonly after: Connection },
): WriteItem {
  return users.changeItem(scope, userId, {
    UpdateExpression: "SET connections.#slug = :after",
    ConditionExpression: "lifecycle = :active AND connections.#slug = :before",
    ExpressionAttributeNames: { "#slug": slug },
    ExpressionAttributeValues: { ":active": "active", ":before": before, ":after": after },
  });
}

/** Builds the write that connects a phone, if connections and ends of phones are as read. */
export function connectPhoneItem(
  users: UserStore,
  scope: TeamScope,
  user: UserRecord,
  slug: string,
  connection: Connection,
): WriteItem {
  const { condition, values } = unchangedPhones(user);
  return users.changeItem(scope, user.user_id, {
    UpdateExpression: "SET connections.#slug = :connection",
    ConditionExpression: condition,
    ExpressionAttributeNames: { "#slug": slug },
    ExpressionAttributeValues: { ...values, ":connection": connection },
  });
}

/** Builds the write that ends the connection of a phone and its sessions, if connections and ends are as read. */
export function endPhoneItem(
  users: UserStore,
  scope: TeamScope,
  user: UserRecord,
  slug: string,
  ends: NonNullable<UserRecord["phone_ends"]>,
): WriteItem {
  const { condition, values } = unchangedPhones(user);
  return users.changeItem(scope, user.user_id, {
    UpdateExpression: "REMOVE connections.#slug SET phone_ends = :after",
    ConditionExpression: condition,
    ExpressionAttributeNames: { "#slug": slug },
    ExpressionAttributeValues: { ...values, ":after": ends },
  });
}

function unchangedPhones({ connections, phone_ends }: UserRecord) {
  const ofEnds = phone_ends ? "phone_ends = :ends" : "attribute_not_exists(phone_ends)";
  return {
    condition: `lifecycle = :active AND connections = :all AND ${ofEnds}`,
    values: { ":active": "active", ":all": connections, ...(phone_ends ? { ":ends": phone_ends } : {}) },
  };
}
