import { appointments } from "../../contract/resources.ts";
import {
  type AppointmentRecord,
  appointmentRecord,
  type HeldSlot,
  heldSlotOf,
} from "../../domain/appointments/appointment-record.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

const partition = (scope: TeamScope, orderId: string) => `${appointments.keyPrefix}${scope.teamId}#${orderId}`;

/**
 * Appointments of orders. An appointment changes only in a transaction with its order, whose revision is the condition
 * for both.
 */
export class AppointmentStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, orderId: string, appointmentId: string): Promise<AppointmentRecord | undefined> {
    return this.#table.get({ pk: partition(scope, orderId), sk: appointmentId }, appointmentRecord);
  }

  /** Returns the appointments of an order, including cancelled ones. */
  async listByOrder(scope: TeamScope, orderId: string): Promise<AppointmentRecord["appointment"][]> {
    return Array.fromAsync(this.#queryOrder(scope, orderId), ({ appointment }) => appointment);
  }

  #queryOrder(scope: TeamScope, orderId: string): AsyncIterable<AppointmentRecord> {
    const ExpressionAttributeValues = { ":pk": partition(scope, orderId) };
    return this.#table.queryAll({ KeyConditionExpression: "pk = :pk", ExpressionAttributeValues }, appointmentRecord);
  }

  putItem(scope: TeamScope, record: AppointmentRecord): WriteItem {
    const { order_id, id } = record.appointment;
    return { Put: { TableName: this.#table.name, Item: { pk: partition(scope, order_id), sk: id, ...record } } };
  }

  /** Deletes the appointments of an order. @param free releases the reserved time of an appointment. */
  async eraseOrder(scope: TeamScope, orderId: string, free: (slot: HeldSlot) => Promise<void>): Promise<number> {
    for await (const record of this.#queryOrder(scope, orderId)) {
      const held = heldSlotOf(record);
      if (held) await free(held);
    }
    return this.#table.deletePartition(partition(scope, orderId));
  }
}
