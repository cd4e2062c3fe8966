import type { AppointmentStore } from "../../store/appointments.ts";
import type { OrderWorkStore } from "../../store/order-work.ts";
import type { OrderStore } from "../../store/orders.ts";
import type { SlotStore } from "../../store/slots.ts";
import type { TeamScope } from "../../store/team-scope.ts";

/** Stores of orders and their dependent items. */
interface ErasingUses {
  readonly orders: OrderStore;
  readonly appointments: AppointmentStore;
  readonly slots: SlotStore;
  readonly orderWork: OrderWorkStore;
}

/**
 * Deletes the orders of a user with their appointments and tasks, and frees their slots.
 * @param known order ids that an earlier run found. @returns the number of orders.
 */
export function eraseOrders(
  scope: TeamScope,
  userId: string,
  { orders, appointments, slots, orderWork }: ErasingUses,
  known: readonly string[],
): Promise<number> {
  const eraseWork = async (orderId: string) => {
    await appointments.eraseOrder(scope, orderId, (held) => slots.free(held));
    await orderWork.eraseOrder(scope, orderId);
  };
  return orders.eraseUser(scope, userId, eraseWork, known);
}
