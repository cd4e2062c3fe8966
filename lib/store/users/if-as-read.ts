import type { UserRecord } from "../../domain/users/user.ts";

const ingestionDates = ["ingestion_start", "ingestion_end"] as const;

/**
 * Condition of an update of a user: it is active, and a `client_user_id` that was read is unchanged. For a change of
 * one ingestion date, the other one is unchanged too, because the two must fit together.
 * @param set values of the update, by name.
 */
export function ifAsRead(user: Partial<UserRecord>, changes: Partial<UserRecord>, set: Record<string, unknown> = {}) {
  const conditions = ["lifecycle = :active"];
  const values: Record<string, unknown> = { ...set, ":active": "active" };
  if (user.client_user_id) {
    conditions.push("client_user_id = :reference");
    values[":reference"] = user.client_user_id;
  }
  const kept = ingestionDates.filter((name) => !(name in changes));
  const [other] = kept.length === 1 ? kept : [];
  if (other && user[other] === undefined) conditions.push(`attribute_not_exists(${other})`);
  else if (other) {
    conditions.push(`${other} = :other_date`);
    values[":other_date"] = user[other];
  }
  return { ConditionExpression: conditions.join(" AND "), ExpressionAttributeValues: values };
}
