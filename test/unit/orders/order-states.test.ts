import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AppointmentStatus } from "../../../lib/domain/appointments/appointment-states.ts";
import { afterRequisition, followAppointment, followResults } from "../../../lib/domain/orders/following.ts";
import { registerKit } from "../../../lib/domain/orders/new-order.ts";
import {
  cancelOrder,
  completeDraw,
  OrderCommandRefused,
  reschedule,
} from "../../../lib/domain/orders/order-commands.ts";
import {
  canMoveTo,
  currentLevel,
  isOrderOver,
  moveTo,
  type Order,
  OrderMoveRefused,
  wayOf,
} from "../../../lib/domain/orders/order-move.ts";
import {
  edgeOf,
  firstStatuses,
  isCancellable,
  isOver,
  methodOf,
  type OrderWay,
  orderEdges,
  orderWays,
} from "../../../lib/domain/orders/order-states.ts";
import { fullStatus, levelOf, orderStatuses } from "../../../lib/domain/orders/order-status.ts";
import { recreate, redraw } from "../../../lib/domain/orders/succession.ts";
import { wireOrder } from "../../../lib/domain/orders/wire-order.ts";
import { AT, draft, ground, imported, placed } from "./arrange.ts";

const others = ["walk_in_test", "at_home_phlebotomy", "on_site_collection", "testkit"] as const;
const statusesOf = (way: OrderWay) =>
  orderStatuses.filter((status) => status.includes(`.${methodOf(way)}.`)).map(levelOf);

/** The statuses that are reachable from the initial statuses. */
function reachable(way: OrderWay): Set<string> {
  const found = new Set<string>(way === "registrable_testkit" ? ["ordered"] : Object.values(firstStatuses));
  for (const level of found) {
    for (const { from, to } of orderEdges[way]) if (from === level) found.add(to);
  }
  return found;
}

describe("the states of an order", () => {
  test("are the 54 published statuses", () => {
    expect(new Set(orderStatuses).size).toBe(54);
  });

  test("are all reachable from a placed or imported order", () => {
    const reached = orderWays.flatMap((way) => [...reachable(way)].map((level) => fullStatus(methodOf(way), level)));
    expect([...new Set(reached)].toSorted()).toEqual([...orderStatuses].toSorted());
  });

  test.each(orderWays)("of %s are connected by unique transitions", (way) => {
    const steps = orderEdges[way].map(({ from, to }) => `${from} ${to}`);
    expect(new Set(steps).size).toBe(steps.length);
    for (const { from, to } of orderEdges[way]) expect(statusesOf(way)).toEqual(expect.arrayContaining([from, to]));
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

  test.each(orderWays)("of %s that are final lead only to corrections", (way) => {
    for (const { from, to } of orderEdges[way]) if (isOver(way, from)) expect(to).toBe("corrected");
  });
});

describe("an order transition", () => {
  test("appends the event as the last event and sets the high-level status", () => {
    const moved = moveTo(placed("testkit"), "requisition_created", "2026-03-02T12:05:00.000Z");
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
    const order = placed("testkit");
    expect(() => moveTo(order, "completed", AT)).toThrow("An order cannot change from ordered to completed.");
    expect(order.events).toHaveLength(1);
  });

  test("accepts a detail only with a matching status", () => {
    const atLab = walk(
      placed("testkit"),
      "requisition_created transit_customer out_for_delivery with_customer transit_lab delivered_to_lab",
    );
    expect(moveTo(atLab, "sample_error", AT, "sample_hemolyzed").last_event.status_detail).toBe("sample_hemolyzed");
    expect(() => moveTo(atLab, "completed", AT, "sample_hemolyzed")).toThrow(OrderMoveRefused);
  });

  test("keeps events in order when an update has an earlier time", () => {
    const moved = moveTo(placed("testkit"), "requisition_created", "2026-03-01T00:00:00.000Z");
    expect(moved.last_event.created_at).toBe(AT);
  });

  test("counts turnaround days from the day the laboratory has the sample", () => {
    const drawn = walk(placed("on_site_collection"), "requisition_created draw_completed");
    expect(drawn).toMatchObject({ expected_result_by_date: "2026-03-03", worst_case_result_by_date: "2026-03-05" });
  });
});

const walk = (order: Order, levels: string) => levels.split(" ").reduce((at, level) => moveTo(at, level, AT), order);

describe("orders that follow their appointment and results", () => {
  const news = (event_status: AppointmentStatus) => ({
    id: ground("").orderId,
    event_status,
    start_at: "2026-03-09T15:00:00.000Z",
  });

  test("go through pending to scheduled, and back to pending after a cancellation", () => {
    const ready = moveTo(placed("walk_in_test"), "requisition_created", AT);
    const booked = followAppointment(ready, news("scheduled"), AT);
    expect(booked.events.map(({ status }) => levelOf(status)).slice(2)).toEqual([
      "appointment_pending",
      "appointment_scheduled",
    ]);
    expect(booked.details).toMatchObject({ data: { appointment_id: ground("").orderId } });
    expect(booked.expected_result_by_date).toBe("2026-03-10");
    const again = followAppointment(followAppointment(booked, news("cancelled"), AT), news("scheduled"), AT);
    expect(currentLevel(again)).toBe("appointment_scheduled");
  });

  test("wait for the requisition when the appointment exists before it", () => {
    const waiting = followAppointment(placed("walk_in_test"), news("reserved"), AT);
    expect(currentLevel(waiting)).toBe("ordered");
    const ready = afterRequisition(waiting, news("scheduled"), AT);
    expect(currentLevel(ready)).toBe("appointment_scheduled");
    expect(ready.events).toHaveLength(4);
  });

  test("have their sample after a completed phlebotomy appointment, but not after a site visit", () => {
    const phlebotomy = afterRequisition(placed("at_home_phlebotomy"), news("scheduled"), AT);
    expect(currentLevel(followAppointment(phlebotomy, news("completed"), AT))).toBe("draw_completed");
    const visit = afterRequisition(placed("walk_in_test"), news("scheduled"), AT);
    expect(currentLevel(followAppointment(visit, news("completed"), AT))).toBe("appointment_scheduled");
  });

  test("repeat partial results, are completed by final results and corrected by later results", () => {
    const drawn = walk(
      placed("at_home_phlebotomy"),
      "requisition_created appointment_pending appointment_scheduled draw_completed",
    );
    const result = { interpretation: "normal", hasMissingResults: false } as const;
    const twice = [1, 2].reduce((order) => followResults(order, { ...result, status: "partial" }, AT), drawn);
    expect(twice.events.slice(-2).map(({ status }) => levelOf(status))).toEqual(["partial_results", "partial_results"]);
    const done = followResults(twice, { ...result, status: "final" }, AT);
    expect(done.order_transaction?.status).toBe("completed");
    const corrected = followResults(
      done,
      { status: "corrected", interpretation: "abnormal", hasMissingResults: true },
      AT,
    );
    expect(corrected).toMatchObject({ status: "completed", interpretation: "abnormal", has_missing_results: true });
    expect(currentLevel(corrected)).toBe("corrected");
  });

  test("accept no result before their sample is taken", () => {
    const result = { status: "partial", interpretation: "normal", hasMissingResults: false } as const;
    expect(() => followResults(placed("testkit"), result, AT)).toThrow(OrderMoveRefused);
  });
});

describe("orders before dispatch", () => {
  test("can be rescheduled, or dispatched at once, until they are dispatched", () => {
    const order = placed("testkit", { activate_by: "2026-04-01" });
    expect(reschedule(order, "2026-05-01", "2026-03-02", AT).activate_by).toBe("2026-05-01");
    expect(reschedule(order, null, "2026-03-02", AT).activate_by).toBeNull();
    expect(() => reschedule(placed("testkit"), "2026-05-01", "2026-03-02", AT)).toThrow(OrderCommandRefused);
    expect(() => reschedule(moveTo(order, "requisition_created", AT), null, "2026-03-02", AT)).toThrow("dispatched");
    expect(() => reschedule(order, "2026-03-01", "2026-03-02", AT)).toThrow("past");
  });
});

describe("an order that replaces another", () => {
  const next = ground("walk_in_test", { orderId: "99999999-0000-4000-8000-000000000000" });
  const partial = walk(placed("walk_in_test"), "requisition_created partial_results");

  test("joins the active transaction once for a redraw", () => {
    const { former, successor } = redraw(partial, next, AT);
    expect(currentLevel(former)).toBe("redraw_available");
    expect(successor).toMatchObject({ origin: "redraw", status: "received", patient_details: partial.patient_details });
    expect(successor.order_transaction).toEqual(former.order_transaction);
    expect(successor.order_transaction).toMatchObject({ id: partial.order_transaction?.id, status: "active" });
    expect(successor.order_transaction?.orders.map(({ parent_id }) => parent_id)).toEqual([null, partial.id]);
    const again = walk(successor, "requisition_created partial_results");
    expect(() => redraw(again, ground("walk_in_test"), AT)).toThrow(OrderCommandRefused);
  });

  test("cancels the former order for a wrong laboratory and uses the comment of the new account", () => {
    const { former, successor } = recreate(
      placed("testkit"),
      ground("testkit", { orderId: next.orderId, defaultNotes: "Call us" }),
      "Mine",
      AT,
    );
    expect(currentLevel(former)).toBe("cancelled");
    expect(successor).toMatchObject({ origin: "recreation", clinical_notes: "Mine\nCall us" });
    expect(successor.order_transaction?.status).toBe("active");
  });

  test("is rejected once the former order has a result or its sample is in transit", () => {
    expect(() => recreate(moveTo(partial, "completed", AT), next, null, AT)).toThrow(OrderCommandRefused);
  });
});

/** Commands of the routes and of partners. Each is tried in every state. */
const commands: Readonly<Record<string, (order: Order, pick: number) => Order>> = {
  move: (order, pick) => moveTo(order, statusesOf(wayOf(order))[pick % statusesOf(wayOf(order)).length] ?? "", AT),
  follow: (order, pick) => {
    const edges = orderEdges[wayOf(order)].filter(({ from }) => from === currentLevel(order));
    return moveTo(order, edges[pick % Math.max(edges.length, 1)]?.to ?? "ordered", AT);
  },
  cancel: (order, pick) => (pick % 4 === 0 ? cancelOrder(order, AT) : order),
  patch: (order, pick) => reschedule(order, pick % 2 === 0 ? null : "2026-06-01", "2026-03-02", AT),
  draw: (order) => completeDraw(order, AT),
  register: (order) => registerKit(order, { sample_id: "S2", consents: [], ...patientOfDraft() }, AT),
  appointment: (order, pick) => {
    const event_status =
      (["pending", "reserved", "scheduled", "in_progress", "completed", "cancelled"] as const)[pick % 6] ?? "pending";
    return followAppointment(order, { id: order.id, event_status, start_at: null }, AT);
  },
  requisition: (order) => afterRequisition(order, undefined, AT),
  results: (order, pick) =>
    followResults(
      order,
      { status: pick % 2 === 0 ? "partial" : "final", interpretation: "normal", hasMissingResults: false },
      AT,
    ),
  redraw: (order) => redraw(order, ground("walk_in_test"), AT).successor,
  recreate: (order) => recreate(order, ground(order.details.type), null, AT).successor,
};
const patientOfDraft = () => {
  const { patient_details, patient_address } = draft();
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
  const levels = order.events.map(({ status }) => levelOf(status));
  expect(orderStatuses).toEqual(expect.arrayContaining(order.events.map(({ status }) => status)));
  for (const [index, level] of levels.entries()) {
    const before = levels[index - 1];
    if (before === undefined) expect(Object.values(firstStatuses)).toContain(level);
    else expect(edgeOf(wayOf(order), before, level), `${before} to ${level}`).toBeDefined();
  }
  expect(order.last_event).toEqual(order.events.at(-1));
  expect(order.last_event.status).toBe(fullStatus(order.details.type, currentLevel(order)));
  expect(order.status).toBe(order.last_event.status.split(".")[0]);
  expect(order.events.map(({ id }) => id)).toEqual(order.events.map((_, index) => index + 1));
  expect(order.order_transaction?.orders.at(-1)).toMatchObject({ id: order.id, low_level_status: currentLevel(order) });
}

describe("a random sequence of commands", () => {
  const starts = [
    ...orderWays.map((way) => [way, placed(way), 100] as const),
    ...others.map((way) => [`imported ${way}`, imported(way), 20] as const),
  ];

  test.each(starts)("keeps orders of %s within the transition table", (_, first, walks) => {
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
            if (!(error instanceof OrderMoveRefused || error instanceof OrderCommandRefused)) throw error;
          }
          // A finished order is replaced, because it would reject all further commands.
          if (isOrderOver(order) && !canMoveTo(order, "corrected")) {
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
