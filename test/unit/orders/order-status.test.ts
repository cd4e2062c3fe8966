import { describe, expect, test } from "vitest";
import { applyOrderStatus } from "../../../lib/domain/appointments/apply-order-status.ts";
import { bookingStatusFor } from "../../../lib/domain/appointments/appointment-record.ts";
import {
  type AppointmentStatus,
  appointmentStatuses,
  appointmentStatusOf,
  canAppointmentTransition,
  wireAppointmentStatuses,
} from "../../../lib/domain/appointments/appointment-states.ts";
import type { SimulationPlan } from "../../../lib/domain/lab-work/order-task.ts";
import {
  fullStatusOf,
  type HighLevelStatus,
  highLevelPartOf,
  highLevelStatuses,
  highLevelStatusOf,
  isOrderStatus,
  type LowLevelStatus,
  lowLevelStatuses,
  lowLevelStatusOf,
  type OrderStatus,
  orderStatuses,
} from "../../../lib/domain/orders/lifecycle/order-status.ts";
import { canTransitionTo, type Order, transitionTo } from "../../../lib/domain/orders/lifecycle/order-transitions.ts";
import { findTransition } from "../../../lib/domain/orders/lifecycle/transition-table.ts";
import { orderListing } from "../../../lib/domain/orders/order-list.ts";
import { wireOrder } from "../../../lib/domain/orders/wire-order.ts";
import { type MatchDecisionCode, orderStandingOf } from "../../../lib/domain/results/match-report.ts";
import { orderEvents } from "../../../lib/events/constructors/order-events.ts";
import { findStatusPath, planSimulation } from "../../../lib/labs/simulator/simulation-plan.ts";
import type { planSimulationTasks } from "../../../lib/services/lab-work/plan-simulation-tasks.ts";
import { createPlacedOrder, ORDERED_AT } from "./order-fixtures.ts";

type Appointment = Parameters<typeof applyOrderStatus>[0];
type OrderEventOptions = Parameters<typeof orderEvents>[2];

describe("the lists of statuses", () => {
  test("agree: the full statuses use each high-level and each low-level status", () => {
    expect([...new Set(orderStatuses.map(highLevelPartOf))].toSorted()).toEqual([...highLevelStatuses].toSorted());
    expect([...new Set(orderStatuses.map(lowLevelStatusOf))]).toEqual(lowLevelStatuses);
    for (const status of orderStatuses) expect(status.split(".")).toHaveLength(3);
  });

  test("of appointments differ in `confirmed` only", () => {
    expect(appointmentStatuses.map(appointmentStatusOf).toSorted()).toEqual([...wireAppointmentStatuses].toSorted());
  });

  test("contain no combination of a status with another collection method", () => {
    expect(fullStatusOf("testkit", "lost")).toBe("failed.testkit.lost");
    expect(() => highLevelStatusOf("walk_in_test", "lost")).toThrow(RangeError);
  });

  test("recognize a status of a request", () => {
    expect(orderStatuses.every(isOrderStatus)).toBe(true);
    expect(["", "completed", "failed.testkit.completed", "cancelled.testkit.canceled"].some(isOrderStatus)).toBe(false);
  });
});

describe("an unknown status of a newer version", () => {
  test("still parses, in a response and in a stored listing", () => {
    const order = createPlacedOrder("testkit");
    const event = { ...order.last_event, status: "received.testkit.engraved" };
    const newer = { ...order, events: [event], last_event: event, status: "engraved" };
    expect(wireOrder.parse(newer)).toEqual(newer);
    expect(orderListing.shape.level.parse("engraved")).toBe("engraved");
  });
});

describe("a misspelt status does not compile", () => {
  const order = createPlacedOrder("walk_in_test");

  test("as a value", () => {
    expect([
      // @ts-expect-error
      "canceled" satisfies LowLevelStatus,
      // @ts-expect-error
      "canceled" satisfies HighLevelStatus,
      // @ts-expect-error
      "cancelled.testkit.canceled" satisfies OrderStatus,
      // @ts-expect-error
      "completed.walk_in_test.lost" satisfies OrderStatus,
      // @ts-expect-error
      "confirmed" satisfies AppointmentStatus,
      // @ts-expect-error
      "match_sample" satisfies MatchDecisionCode,
      // @ts-expect-error
      { status: "canceled" } satisfies Partial<Order>,
      // @ts-expect-error
      { billing_type: "client" } satisfies Partial<Order>,
      // @ts-expect-error
      { event_status: "canceled" } satisfies Partial<Appointment>,
      // @ts-expect-error
      { status: "scheduled" } satisfies Partial<Appointment>,
    ]).toHaveLength(10);
  });

  test("in lib/domain", () => {
    // @ts-expect-error
    expect(() => transitionTo(order, "canceled", ORDERED_AT)).toThrow("from ordered to canceled");
    // @ts-expect-error
    expect(canTransitionTo(order, "canceled")).toBe(false);
    // @ts-expect-error
    expect(findTransition("walk_in_test", "ordered", "canceled")).toBeUndefined();
    // @ts-expect-error
    expect(canAppointmentTransition("pending", "canceled")).toBe(false);
    // @ts-expect-error
    expect(bookingStatusFor("appointment_canceled")).toBeUndefined();
    // @ts-expect-error
    expect(orderStandingOf({ way: "walk_in_test", level: "canceled" })).toBe("not_collected");
    // @ts-expect-error
    expect(() => applyOrderStatus({} as Appointment, "canceled", ORDERED_AT)).not.toThrow();
    // @ts-expect-error
    expect(order.last_event.status === "received.walk_in_test.order").toBe(false);
  });

  test("in services, the lab simulator and events", () => {
    // @ts-expect-error
    expect(findStatusPath("walk_in_test", "ordered", "canceled")).toBeUndefined();
    // @ts-expect-error
    expect(planSimulation(order, "cancelled.walk_in_test.canceled", 0)).toBe("not_reachable");
    const options = { user: { user_id: "", team_id: "" }, sendsPartialResults: true } as unknown as OrderEventOptions;
    // @ts-expect-error
    expect(orderEvents({ order, revision: 1 }, { ...order, status: "canceled" }, options)).toEqual([]);
    // @ts-expect-error
    const plan: Parameters<typeof planSimulationTasks>[1] = [{ level: "canceled", afterSeconds: 0, detail: null }];
    // @ts-expect-error
    const steps: SimulationPlan["steps"] = [{ level: "completed", at: ORDERED_AT, detail: "haemolyzed" }];
    expect([plan, steps]).toHaveLength(2);
  });
});
