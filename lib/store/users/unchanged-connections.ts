import type { Connection, UserRecord } from "../../domain/users/user.ts";

/** What must be unchanged: the creation time of one connection, one or all connections, the ends of phones. */
export type Unchanged = Partial<
  Readonly<{ made: string; one: Connection; all: UserRecord["connections"]; ends: UserRecord["phone_ends"] }>
>;

/** Builds the condition that an active user's connections are unchanged. `#slug` names the one connection. */
export function unchangedConnections(only: Unchanged) {
  const { made, one, all, ends } = only;
  const ofEnds = ends === undefined ? "attribute_not_exists(phone_ends)" : "phone_ends = :ends";
  const conditions = [
    "lifecycle = :active",
    ...(made ? ["connections.#slug.created_on = :made"] : []),
    ...(one ? ["connections.#slug = :one"] : []),
    ...(all ? ["connections = :all"] : []),
    ...("ends" in only ? [ofEnds] : []),
  ];
  return {
    condition: conditions.join(" AND "),
    values: {
      ":active": "active",
      ...(made ? { ":made": made } : {}),
      ...(one ? { ":one": one } : {}),
      ...(all ? { ":all": all } : {}),
      ...(ends ? { ":ends": ends } : {}),
    },
  };
}
