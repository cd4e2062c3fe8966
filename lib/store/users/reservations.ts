import * as z from "zod";
import { reservations } from "../../contract/resources.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** The holder of a `client_user_id`: `held` by an active user, `released` by a user pending erasure. */
const reservationRecord = z.object({
  user_id: z.string(),
  created_on: z.string(),
  state: z.enum(["held", "released"]),
});
export type Reservation = z.output<typeof reservationRecord>;

const reservationKey = (scope: TeamScope, clientUserId: string): Key => ({
  pk: `${reservations.keyPrefix}${scope.teamId}#${clientUserId}`,
  sk: "reservation",
});

/**
 * Reservations of `client_user_id`s, one item for each in a team. An item changes in the same transaction as its user,
 * so no interleaving of create, delete, undo and erasure assigns one id to two users.
 */
export class ReservationStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the current holder, or the former holder whose deletion is pending. */
  get(scope: TeamScope, clientUserId: string): Promise<Reservation | undefined> {
    return this.#table.get(reservationKey(scope, clientUserId), reservationRecord);
  }

  /** Reserves an id that is free or released. Its former user cannot get a released id back. */
  reserveItem(scope: TeamScope, user: UserRecord): WriteItem {
    const { user_id, created_on } = user;
    return {
      Put: {
        TableName: this.#table.name,
        Item: { ...reservationKey(scope, user.client_user_id), user_id, created_on, state: "held" },
        ConditionExpression: "attribute_not_exists(pk) OR #state = :released",
        ExpressionAttributeNames: { "#state": "state" },
        ExpressionAttributeValues: { ":released": "released" },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      },
    };
  }

  /** held -> released or back, on condition that the user holds the id. */
  transitionItem(scope: TeamScope, user: UserRecord, from: Reservation["state"], to: Reservation["state"]): WriteItem {
    return {
      Update: {
        TableName: this.#table.name,
        Key: reservationKey(scope, user.client_user_id),
        UpdateExpression: "SET #state = :to",
        ConditionExpression: "user_id = :user AND #state = :from",
        ExpressionAttributeNames: { "#state": "state" },
        ExpressionAttributeValues: { ":user": user.user_id, ":from": from, ":to": to },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      },
    };
  }

  /** Deletes the reservation of an id that this user holds or has released. */
  releaseItem(scope: TeamScope, user: UserRecord, state: Reservation["state"]): WriteItem {
    return {
      Delete: {
        TableName: this.#table.name,
        Key: reservationKey(scope, user.client_user_id),
        ConditionExpression: "user_id = :user AND #state = :state",
        ExpressionAttributeNames: { "#state": "state" },
        ExpressionAttributeValues: { ":user": user.user_id, ":state": state },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      },
    };
  }
}
