import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { TeamScope } from "../../store/team-scope.ts";

/** Stores of orders and their dependent items. */
type EraseOrdersDependencies = Dependencies<"orders" | "appointments" | "slots" | "orderWork">;

/**
 * Deletes the orders of a user with their appointments and tasks, and frees their slots.
 * @param known order ids that an earlier run found. @returns the number of orders.
 */
export function eraseOrders(
  scope: TeamScope,
  userId: string,
  { orders, appointments, slots, orderWork }: EraseOrdersDependencies,
  known: readonly string[],
): Promise<number> {
  const eraseWork = async (orderId: string) => {
    await appointments.eraseOrder(scope, orderId, (held) => slots.release(held));
    await orderWork.eraseOrder(scope, orderId);
  };
  return orders.eraseUser(scope, userId, eraseWork, known);
}
