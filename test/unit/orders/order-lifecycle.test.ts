import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AppointmentStatus } from "../../../lib/domain/appointments/appointment-states.ts";
import {
  applyAppointmentUpdate,
  applyRequisitionCreated,
  applyResultUpdate,
} from "../../../lib/domain/orders/lifecycle/apply-updates.ts";
import {
  cancelOrder,
  completeDraw,
  OrderCommandRefused,
  rescheduleDispatch,
} from "../../../lib/domain/orders/lifecycle/order-commands.ts";
import {
  fullStatusOf,
  type LowLevelStatus,
  lowLevelStatusOf,
  orderStatuses,
} from "../../../lib/domain/orders/lifecycle/order-status.ts";
import { createRecreation, createRedraw } from "../../../lib/domain/orders/lifecycle/order-succession.ts";
import {
  canTransitionTo,
  isOrderFinished,
  lowLevelStatus,
  type Order,
  OrderTransitionRefused,
  transitionTo,
  workflowOf,
} from "../../../lib/domain/orders/lifecycle/order-transitions.ts";
import {
  collectionMethodOf,
  findTransition,
  initialStatuses,
  isCancellable,
  isFinishedStatus,
  type OrderWorkflow,
  orderTransitions,
  orderWorkflows,
} from "../../../lib/domain/orders/lifecycle/transition-table.ts";
import { registerKit } from "../../../lib/domain/orders/placement/new-order.ts";
import { wireOrder } from "../../../lib/domain/orders/wire-order.ts";
import {
  createDraft,
  createImportedOrder,
  createOrderContext,
  createPlacedOrder,
  ORDERED_AT,
} from "./order-fixtures.ts";

const others = ["walk_in_test", "at_home_phlebotomy", "on_site_collection", "testkit"] as const;
const statusesOf = (way: OrderWorkflow) =>
  orderStatuses.filter((status) => status.includes(`.${collectionMethodOf(way)}.`)).map(lowLevelStatusOf);

/** The statuses that are reachable from the initial statuses. */
function reachable(way: OrderWorkflow): Set<LowLevelStatus> {
  const found = new Set<LowLevelStatus>(way === "registrable_testkit" ? ["ordered"] : Object.values(initialStatuses));
  for (const level of found) {
    for (const { from, to } of orderTransitions[way]) if (from === level) found.add(to);
  }
  return found;
}

describe("the states of an order", () => {
  test("are the 54 published statuses", () => {
    expect(new Set(orderStatuses).size).toBe(54);
  });

  test("are all reachable from a placed or imported order", () => {
    const reached = orderWorkflows.flatMap((way) =>
      [...reachable(way)].map((level) => fullStatusOf(collectionMethodOf(way), level)),
    );
    expect([...new Set(reached)].toSorted()).toEqual([...orderStatuses].toSorted());
  });

  test.each(orderWorkflows)("of %s are connected by unique transitions", (way) => {
    const steps = orderTransitions[way].map(({ from, to }) => `${from} ${to}`);
    expect(new Set(steps).size).toBe(steps.length);
    for (const { from, to } of orderTransitions[way])
      expect(statusesOf(way)).toEqual(expect.arrayContaining([from, to]));
  });

  test.each([
    [
      "walk_in_test",
      "ordered requisition_created requisition_bypassed appointment_pending appointment_scheduled appointment_cancelled",
    ],
    [
      "at_home_phlebotomy",
      "ordered requisition_created requisition_bypassed appointment_pending appointment_scheduled appointment_cancelled draw_completed",
    ],
    ["on_site_collection", "ordered requisition_created requisition_bypassed draw_completed"],
    ["testkit", "ordered requisition_created requisition_bypassed"],
    ["registrable_testkit", "ordered awaiting_registration registered requisition_created"],
  ] as const)("of %s allow cancellation until the sample is taken", (way, cancellable) => {
    const found = statusesOf(way).filter((level) => isCancellable(way, level));
    expect(found.toSorted()).toEqual(cancellable.split(" ").toSorted());
  });

  test.each(orderWorkflows)("of %s that are final lead only to corrections", (way) => {
    for (const { from, to } of orderTransitions[way]) if (isFinishedStatus(way, from)) expect(to).toBe("corrected");
  });
});

describe("an order transition", () => {
  test("appends the event as the last event and sets the high-level status", () => {
    const moved = transitionTo(createPlacedOrder("testkit"), "requisition_created", "2026-03-02T12:05:00.000Z");
    expect(moved.events).toHaveLength(2);
    expect(moved.last_event).toEqual({
      id: 2,
      created_at: "2026-03-02T12:05:00.000Z",
      status: "received.testkit.requisition_created",
      status_detail: null,
    });
    expect(moved).toMatchObject({ status: "received", updated_at: "2026-03-02T12:05:00.000Z" });
    expect(moved.order_transaction?.orders[0]?.low_level_status).toBe("requisition_created");
  });

  test("outside the table is rejected with the names of both statuses", () => {
    const order = createPlacedOrder("testkit");
    expect(() => transitionTo(order, "completed", ORDERED_AT)).toThrow(
      "An order cannot change from ordered to completed.",
    );
    expect(order.events).toHaveLength(1);
  });

  test("accepts a detail only with a matching status", () => {
    const atLab = walk(
      createPlacedOrder("testkit"),
      "requisition_created",
      "transit_customer",
      "out_for_delivery",
      "with_customer",
      "transit_lab",
      "delivered_to_lab",
    );
    expect(transitionTo(atLab, "sample_error", ORDERED_AT, "sample_hemolyzed").last_event.status_detail).toBe(
      "sample_hemolyzed",
    );
    expect(() => transitionTo(atLab, "completed", ORDERED_AT, "sample_hemolyzed")).toThrow(OrderTransitionRefused);
  });

  test("keeps events in order when an update has an earlier time", () => {
    const moved = transitionTo(createPlacedOrder("testkit"), "requisition_created", "2026-03-01T00:00:00.000Z");
    expect(moved.last_event.created_at).toBe(ORDERED_AT);
  });

  test("counts turnaround days from the day the laboratory has the sample", () => {
    const drawn = walk(createPlacedOrder("on_site_collection"), "requisition_created", "draw_completed");
    expect(drawn).toMatchObject({ expected_result_by_date: "2026-03-03", worst_case_result_by_date: "2026-03-05" });
  });
});

const walk = (order: Order, ...levels: readonly LowLevelStatus[]) =>
  levels.reduce((at, level) => transitionTo(at, level, ORDERED_AT), order);

describe("orders that follow their appointment and results", () => {
  const news = (event_status: AppointmentStatus) => ({
    id: createOrderContext("walk_in_test").orderId,
    event_status,
    start_at: "2026-03-09T15:00:00.000Z",
    iana_timezone: "America/New_York",
  });

  test("go through pending to scheduled, and back to pending after a cancellation", () => {
    const ready = transitionTo(createPlacedOrder("walk_in_test"), "requisition_created", ORDERED_AT);
    const booked = applyAppointmentUpdate(ready, news("scheduled"), ORDERED_AT);
    expect(booked.events.map(({ status }) => lowLevelStatusOf(status)).slice(2)).toEqual([
      "appointment_pending",
      "appointment_scheduled",
    ]);
    expect(booked.details).toMatchObject({ data: { appointment_id: createOrderContext("walk_in_test").orderId } });
    expect(booked.expected_result_by_date).toBe("2026-03-10");
    const again = applyAppointmentUpdate(
      applyAppointmentUpdate(booked, news("cancelled"), ORDERED_AT),
      news("scheduled"),
      ORDERED_AT,
    );
    expect(lowLevelStatus(again)).toBe("appointment_scheduled");
  });

  test.each([
    ["walk_in_test", "partial_results"],
    ["at_home_phlebotomy", "draw_completed"],
  ] as const)("of %s expect no result after a cancellation until another appointment or the sample", (way, taken) => {
    const expected = (order: Order) => [order.expected_result_by_date, order.worst_case_result_by_date];
    const booked = applyRequisitionCreated(createPlacedOrder(way), news("scheduled"), ORDERED_AT);
    expect(expected(booked)).toEqual(["2026-03-10", "2026-03-12"]);
    const cancelled = applyAppointmentUpdate(booked, news("cancelled"), ORDERED_AT);
    expect(expected(cancelled)).toEqual([null, null]);
    const asked = applyAppointmentUpdate(cancelled, news("pending"), ORDERED_AT);
    expect(expected(asked)).toEqual([null, null]);
    const again = applyAppointmentUpdate(asked, news("scheduled"), ORDERED_AT);
    expect(expected(again)).toEqual(["2026-03-10", "2026-03-12"]);
    // A later status keeps the dates of the appointment; without one they count from the sample.
    const path = way === "walk_in_test" ? [] : (["appointment_pending", "appointment_scheduled"] as const);
    expect(expected(walk(again, taken))).toEqual(["2026-03-10", "2026-03-12"]);
    expect(expected(walk(cancelled, ...path, taken))).toEqual(["2026-03-03", "2026-03-05"]);
  });

  test("wait for the requisition when the appointment exists before it", () => {
    const waiting = applyAppointmentUpdate(createPlacedOrder("walk_in_test"), news("reserved"), ORDERED_AT);
    expect(lowLevelStatus(waiting)).toBe("ordered");
    const ready = applyRequisitionCreated(waiting, news("scheduled"), ORDERED_AT);
    expect(lowLevelStatus(ready)).toBe("appointment_scheduled");
    expect(ready.events).toHaveLength(4);
  });

  test("have their sample after a completed phlebotomy appointment, but not after a site visit", () => {
    const phlebotomy = applyRequisitionCreated(createPlacedOrder("at_home_phlebotomy"), news("scheduled"), ORDERED_AT);
    expect(lowLevelStatus(applyAppointmentUpdate(phlebotomy, news("completed"), ORDERED_AT))).toBe("draw_completed");
    const visit = applyRequisitionCreated(createPlacedOrder("walk_in_test"), news("scheduled"), ORDERED_AT);
    expect(lowLevelStatus(applyAppointmentUpdate(visit, news("completed"), ORDERED_AT))).toBe("appointment_scheduled");
  });

  test("repeat partial results, are completed by final results and corrected by later results", () => {
    const drawn = walk(
      createPlacedOrder("at_home_phlebotomy"),
      "requisition_created",
      "appointment_pending",
      "appointment_scheduled",
      "draw_completed",
    );
    const result = { interpretation: "normal", hasMissingResults: false } as const;
    const twice = [1, 2].reduce(
      (order) => applyResultUpdate(order, { ...result, status: "partial" }, ORDERED_AT),
      drawn,
    );
    expect(twice.events.slice(-2).map(({ status }) => lowLevelStatusOf(status))).toEqual([
      "partial_results",
      "partial_results",
    ]);
    const done = applyResultUpdate(twice, { ...result, status: "final" }, ORDERED_AT);
    expect(done.order_transaction?.status).toBe("completed");
    const corrected = applyResultUpdate(
      done,
      { status: "corrected", interpretation: "abnormal", hasMissingResults: true },
      ORDERED_AT,
    );
    expect(corrected).toMatchObject({ status: "completed", interpretation: "abnormal", has_missing_results: true });
    expect(lowLevelStatus(corrected)).toBe("corrected");
  });

  test("accept no result before their sample is taken", () => {
    const result = { status: "partial", interpretation: "normal", hasMissingResults: false } as const;
    expect(() => applyResultUpdate(createPlacedOrder("testkit"), result, ORDERED_AT)).toThrow(OrderTransitionRefused);
  });
});

describe("orders before dispatch", () => {
  test("can be rescheduled, or dispatched at once, until they are dispatched", () => {
    const order = createPlacedOrder("testkit", { activate_by: "2026-04-01" });
    expect(rescheduleDispatch(order, "2026-05-01", "2026-03-02", ORDERED_AT).activate_by).toBe("2026-05-01");
    expect(rescheduleDispatch(order, null, "2026-03-02", ORDERED_AT).activate_by).toBeNull();
    expect(() => rescheduleDispatch(createPlacedOrder("testkit"), "2026-05-01", "2026-03-02", ORDERED_AT)).toThrow(
      OrderCommandRefused,
    );
    expect(() =>
      rescheduleDispatch(transitionTo(order, "requisition_created", ORDERED_AT), null, "2026-03-02", ORDERED_AT),
    ).toThrow("dispatched");
    expect(() => rescheduleDispatch(order, "2026-03-01", "2026-03-02", ORDERED_AT)).toThrow("past");
  });
});

describe("an order that replaces another", () => {
  const next = createOrderContext("walk_in_test", { orderId: "99999999-0000-4000-8000-000000000000" });
  const partial = walk(createPlacedOrder("walk_in_test"), "requisition_created", "partial_results");

  test("joins the active transaction once for a redraw", () => {
    const { former, successor } = createRedraw(partial, next, ORDERED_AT);
    expect(lowLevelStatus(former)).toBe("redraw_available");
    expect(successor).toMatchObject({ origin: "redraw", status: "received", patient_details: partial.patient_details });
    expect(successor.order_transaction).toEqual(former.order_transaction);
    expect(successor.order_transaction).toMatchObject({ id: partial.order_transaction?.id, status: "active" });
    expect(successor.order_transaction?.orders.map(({ parent_id }) => parent_id)).toEqual([null, partial.id]);
    const again = walk(successor, "requisition_created", "partial_results");
    expect(() => createRedraw(again, createOrderContext("walk_in_test"), ORDERED_AT)).toThrow(OrderCommandRefused);
  });

  test("cancels the former order for a wrong laboratory and uses the comment of the new account", () => {
    const { former, successor } = createRecreation(
      createPlacedOrder("testkit"),
      createOrderContext("testkit", { orderId: next.orderId, defaultNotes: "Call us" }),
      "Mine",
      ORDERED_AT,
    );
    expect(lowLevelStatus(former)).toBe("cancelled");
    expect(successor).toMatchObject({ origin: "recreation", clinical_notes: "Mine\nCall us" });
    expect(successor.order_transaction?.status).toBe("active");
  });

  test("is rejected once the former order has a result or its sample is in transit", () => {
    expect(() => createRecreation(transitionTo(partial, "completed", ORDERED_AT), next, null, ORDERED_AT)).toThrow(
      OrderCommandRefused,
    );
  });

  test("is one alone, and never replaces an imported order", () => {
    const placed = createPlacedOrder("walk_in_test");
    const recreate = (order: Order) => () => createRecreation(order, next, null, ORDERED_AT).successor;
    const { former } = createRecreation(placed, next, null, ORDERED_AT);
    expect(recreate(former)).toThrow("already replaces");
    expect(recreate(createRedraw(partial, next, ORDERED_AT).former)).toThrow("already replaces");
    expect(recreate(createImportedOrder("walk_in_test"))).toThrow("placed through this service");
    const third = createOrderContext("walk_in_test", { orderId: "88888888-0000-4000-8000-000000000000" });
    const again = createRecreation(recreate(placed)(), third, null, ORDERED_AT).successor;
    expect(again.order_transaction?.orders.map(({ parent_id }) => parent_id)).toEqual([null, placed.id, next.orderId]);
  });
});

/** Commands of the routes and of partners. Each is tried in every state. */
const commands: Readonly<Record<string, (order: Order, pick: number) => Order>> = {
  move: (order, pick) =>
    transitionTo(order, statusesOf(workflowOf(order))[pick % statusesOf(workflowOf(order)).length]!, ORDERED_AT),
  follow: (order, pick) => {
    const edges = orderTransitions[workflowOf(order)].filter(({ from }) => from === lowLevelStatus(order));
    return transitionTo(order, edges[pick % Math.max(edges.length, 1)]?.to ?? "ordered", ORDERED_AT);
  },
  cancel: (order, pick) => (pick % 4 === 0 ? cancelOrder(order, ORDERED_AT) : order),
  patch: (order, pick) => rescheduleDispatch(order, pick % 2 === 0 ? null : "2026-06-01", "2026-03-02", ORDERED_AT),
  draw: (order) => completeDraw(order, ORDERED_AT),
  register: (order) => registerKit(order, { sample_id: "S2", consents: [], ...patientOfDraft() }, null, ORDERED_AT),
  appointment: (order, pick) => {
    const event_status =
      (["pending", "reserved", "scheduled", "in_progress", "completed", "cancelled"] as const)[pick % 6] ?? "pending";
    return applyAppointmentUpdate(
      order,
      { id: order.id, event_status, start_at: null, iana_timezone: null },
      ORDERED_AT,
    );
  },
  requisition: (order) => applyRequisitionCreated(order, undefined, ORDERED_AT),
  results: (order, pick) =>
    applyResultUpdate(
      order,
      { status: pick % 2 === 0 ? "partial" : "final", interpretation: "normal", hasMissingResults: false },
      ORDERED_AT,
    ),
  redraw: (order) => createRedraw(order, createOrderContext("walk_in_test"), ORDERED_AT).successor,
  recreate: (order) => createRecreation(order, createOrderContext(order.details.type), null, ORDERED_AT).successor,
};
const patientOfDraft = () => {
  const { patient_details, patient_address } = createDraft();
  return { patient_details, patient_address };
};

/** Number of commands in one random run. */
const COMMANDS = 100;
const anyCommands = fc.array(fc.tuple(fc.constantFrom(...Object.keys(commands)), fc.nat(1_000)), {
  minLength: COMMANDS,
  maxLength: COMMANDS,
});

/** A deeply frozen order, so a rejected command can not modify it. */
function frozen(order: Order): Order {
  for (const part of [order, order.events, order.details, order.order_transaction, order.order_transaction?.orders]) {
    Object.freeze(part);
  }
  return order;
}

/** Expects each pair of successive events to be a transition of the table, and the order to match its history. */
function expectSound(order: Order): void {
  const levels = order.events.map(({ status }) => lowLevelStatusOf(status));
  expect(orderStatuses).toEqual(expect.arrayContaining(order.events.map(({ status }) => status)));
  for (const [index, level] of levels.entries()) {
    const before = levels[index - 1];
    if (before === undefined) expect(Object.values(initialStatuses)).toContain(level);
    else expect(findTransition(workflowOf(order), before, level), `${before} to ${level}`).toBeDefined();
  }
  expect(order.last_event).toEqual(order.events.at(-1));
  expect(order.last_event.status).toBe(fullStatusOf(order.details.type, lowLevelStatus(order)));
  expect(order.status).toBe(order.last_event.status.split(".")[0]);
  expect(order.events.map(({ id }) => id)).toEqual(order.events.map((_, index) => index + 1));
  expect(order.order_transaction?.orders.at(-1)).toMatchObject({
    id: order.id,
    low_level_status: lowLevelStatus(order),
  });
}

describe("a random sequence of commands", () => {
  const starts = [
    ...orderWorkflows.map((way) => [way, createPlacedOrder(way), 100] as const),
    ...others.map((way) => [`imported ${way}`, createImportedOrder(way), 20] as const),
  ];

  test.each(starts)("keeps orders of %s within the transition table", { tags: "deep" }, (_, first, walks) => {
    let tried = 0;
    let done = 0;
    fc.assert(
      fc.property(anyCommands, (walked) => {
        let order = first;
        for (const [name, pick] of walked) {
          tried++;
          try {
            const next = commands[name]?.(frozen(order), pick) ?? order;
            if (next !== order) done++;
            order = next;
          } catch (error) {
            if (!(error instanceof OrderTransitionRefused || error instanceof OrderCommandRefused)) throw error;
          }
          // A finished order is replaced, because it would reject all further commands.
          if (isOrderFinished(order) && !canTransitionTo(order, "corrected")) {
            expectSound(order);
            order = first;
          }
        }
        expectSound(order);
        expect(wireOrder.safeParse(order).success).toBe(true);
      }),
      { numRuns: walks },
    );
    expect(tried).toBe(walks * COMMANDS);
    expect(done).toBeGreaterThan(tried / 10);
  });
});
