import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  appointments,
  orders,
  orderWork,
  outbox,
  results,
  slots,
  teams,
  users,
} from "../../../../lib/contract/resources.ts";
import { isConsistentWithOrder } from "../../../../lib/domain/appointments/apply-order-status.ts";
import type { PartnerAppointment } from "../../../../lib/domain/appointments/appointment-partner.ts";
import { canAppointmentTransition } from "../../../../lib/domain/appointments/appointment-states.ts";
import {
  type LowLevelStatus,
  lowLevelStatusOf,
  orderStatuses,
} from "../../../../lib/domain/orders/lifecycle/order-status.ts";
import { findTransition, type OrderWorkflow } from "../../../../lib/domain/orders/lifecycle/transition-table.ts";
import { locateResource } from "../../../../lib/runtime/aws/aws.ts";
import { Bucket } from "../../../../lib/runtime/aws/bucket.ts";
import { slotTakenError } from "../../../../lib/services/appointments/resolve-booking-slot.ts";
import { processOrderTask } from "../../../../lib/services/lab-work/process-order-task.ts";
import { AppointmentStore } from "../../../../lib/store/appointments/appointments.ts";
import { SlotStore } from "../../../../lib/store/appointments/slots.ts";
import { OutboxStore } from "../../../../lib/store/events/outbox.ts";
import { OrderTaskStore } from "../../../../lib/store/lab-work/order-tasks.ts";
import { TeamStore } from "../../../../lib/store/management/teams.ts";
import { OrderStore } from "../../../../lib/store/orders/orders.ts";
import { ResultStore } from "../../../../lib/store/results/results.ts";
import { Table } from "../../../../lib/store/table.ts";
import { TeamScope } from "../../../../lib/store/team-scope.ts";
import { commit } from "../../../../lib/store/transaction.ts";
import { UserStore } from "../../../../lib/store/users/users.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import { orderRequest, simulateOrder } from "../orders/order-helpers.ts";
import { createEngineClient, findItemsContaining } from "../support/stored-items.ts";
import {
  appointmentStatuses,
  callAppointment,
  cancellationRequest,
  createOrderAtStatus,
  importOrder,
  listFreeSlots,
  patientUsAddress,
  readAppointment,
  readOrderStatuses,
  type VisitKind,
  visitKinds,
} from "./appointment-helpers.ts";

type Body = Answer["body"];
const kinds = Object.keys(visitKinds) as VisitKind[];

let service: TestService;
let userId: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("who is visited");
});
afterAll(() => service.stop());

/** Expects that order and appointment agree, and that each took only steps of its table. @returns the appointment. */
async function expectAgreement(way: VisitKind, orderId: string): Promise<Body | undefined> {
  const { levels, appointment } = await atOneTime(way, orderId);
  const said = [levels, appointment && appointmentStatuses(appointment)];
  expect([...said, isConsistentWithOrder(levels.at(-1)!, appointment)]).toEqual([...said, true]);
  const order = (level: LowLevelStatus, next: LowLevelStatus) =>
    findTransition(visitKinds[way].method as OrderWorkflow, level, next) !== undefined;
  expect([levels, stepsBy(levels, order)]).toEqual([levels, true]);
  const statuses = appointment ? appointmentStatuses(appointment) : [];
  expect(stepsBy(statuses, canAppointmentTransition)).toBe(true);
  return appointment;
}

/** Reads the statuses of an order and its appointment; retries if the order takes a step between the two reads. */
async function atOneTime(
  way: VisitKind,
  orderId: string,
): Promise<{ levels: LowLevelStatus[]; appointment: Body | undefined }> {
  for (;;) {
    const before = await readOrderStatuses(service, orderId);
    const appointment = await readAppointment(service, way, orderId);
    const levels = await readOrderStatuses(service, orderId);
    if (levels.length === before.length) return { levels, appointment };
  }
}

const stepsBy = <Status>(statuses: readonly Status[], isStep: (from: Status, to: Status) => boolean) =>
  statuses.slice(1).every((to, index) => isStep(statuses[index]!, to));

/** Returns the ids of the appointments that hold a slot. */
async function holders(): Promise<string[]> {
  const named = await findItemsContaining(service, "slot#");
  const store = new SlotStore(new Table(createEngineClient(service), locateResource(slots)));
  const held = named.flatMap((item) => /slot#([^#]+)#(\S+) (\S+)$/.exec(item)?.slice(1) ?? []);
  const found: string[] = [];
  for (let at = 0; at < held.length; at += 3) {
    const [provider = "", place = "", start_at = ""] = held.slice(at, at + 3);
    found.push((await store.getHolder({ provider, place, start_at })) ?? "");
  }
  return found.toSorted();
}

/** Places an order that no laboratory may know yet. */
async function placed(way: VisitKind): Promise<Body> {
  const body = orderRequest(userId, { order_set: { lab_test_ids: [visitKinds[way].test] } });
  return (await service.call("POST", "/v3/order", { body })).body.order;
}

describe.each(kinds)("a simulated order of %s", (way) => {
  const statuses = orderStatuses.filter((status) => status.split(".")[1] === visitKinds[way].method);

  test("agrees with its appointment in every status", { tags: "deep" }, async () => {
    const walks = statuses.map(async (status) => {
      const { id } = await placed(way);
      const answer = await service.call("POST", `/v3/order/${id}/test?final_status=${status}`);
      expect([200, 400]).toContain(answer.status);
      return { id, isLed: answer.status === 200 && lowLevelStatusOf(status).startsWith("appointment") };
    });
    const walked = await Promise.all(walks);
    await service.settle();
    for (const { id, isLed } of walked) {
      const appointment = await expectAgreement(way, id);
      if (isLed) expect(appointment).toBeDefined();
    }
  });

  test("creates, schedules and updates its appointment as it advances", { tags: "deep" }, async () => {
    const order = await placed(way);
    await service.call("POST", `/v3/order/${order.id}/test?delay=60`);
    for (let minute = 0; minute < 6; minute++) {
      await expectAgreement(way, order.id);
      await service.advance(60_000);
    }
    const appointment = await expectAgreement(way, order.id);
    expect(appointmentStatuses(appointment)).toEqual(["pending", "scheduled", "in_progress", "completed"]);
    expect((await readOrderStatuses(service, order.id)).at(-1)).toBe("completed");
    expect(appointment.id).toBe((await service.call("GET", `/v3/order/${order.id}`)).body.details.data.appointment_id);
  });

  test("accepts a booking while its appointment is pending", async () => {
    const order = await createOrderAtStatus(service, userId, way, "ordered");
    await simulateOrder(
      service,
      order.id,
      `?final_status=collecting_sample.${visitKinds[way].method}.appointment_pending`,
    );
    const [slot] = await listFreeSlots(service, way);
    const { status, body } = await callAppointment(service, way, order.id, "book", { booking_key: slot!.booking_key });
    expect([status, body.status, appointmentStatuses(body)]).toEqual([200, "confirmed", ["pending", "scheduled"]]);
    await expectAgreement(way, order.id);
  });
});

describe("an appointment partner", () => {
  /** Processes the appointment tasks that the service left undone, with a partner that records its requests. */
  async function visitsOf(orderId: string): Promise<PartnerAppointment[]> {
    const client = createEngineClient(service);
    const table = (of: Parameters<typeof locateResource>[0]) => new Table(client, locateResource(of));
    const booked: PartnerAppointment[] = [];
    const deps = {
      teams: new TeamStore(table(teams)),
      users: new UserStore(table(users)),
      orders: new OrderStore(table(orders)),
      orderWork: new OrderTaskStore(table(orderWork)),
      appointments: new AppointmentStore(table(appointments)),
      slots: new SlotStore(table(slots)),
      results: new ResultStore(table(results)),
      outbox: new OutboxStore(table(outbox)),
      orderPlacements: new Bucket("nothing of it is needed"),
      commit: (items: Parameters<typeof commit>[1]) => commit(client, items),
      findPartner: () => undefined,
      findVisitPartner: () => ({
        confirmationDelayMs: 0,
        book: async (visit: PartnerAppointment) => {
          booked.push(visit);
          return "confirmed" as const;
        },
        cancel: async () => undefined,
      }),
    };
    const { team_id } = service.identity;
    await processOrderTask(TeamScope.grant(team_id), { team_id, order_id: orderId, kind: "visit" }, deps);
    client.destroy();
    return booked;
  }

  test.each(kinds)(
    "of %s receives access notes and appointment notes with every booking and reschedule [user-info-fields-09]",
    async (way) => {
      service.cloud.faults.add({ service: "sqs", mode: "fail_before" });
      const order = await importOrder(service, userId, way);
      const [first, second] = await listFreeSlots(service, way);
      const book = { booking_key: first!.booking_key, appointment_notes: "Ring twice" };
      expect((await callAppointment(service, way, order.id, "book", book)).status).toBe(200);
      const said = ({ appointment, access_notes }: PartnerAppointment) => [
        appointment.start_at,
        appointment.appointment_notes,
        access_notes,
      ];
      expect((await visitsOf(order.id)).map(said)).toEqual([[first!.start, "Ring twice", "Gate code 12"]]);
      const move = { booking_key: second!.booking_key, appointment_notes: "Knock" };
      expect((await callAppointment(service, way, order.id, "reschedule", move)).status).toBe(200);
      expect((await visitsOf(order.id)).map(said)).toEqual([[second!.start, "Knock", "Gate code 12"]]);
      service.cloud.faults.clear();
      expect(await visitsOf(order.id)).toEqual([]);
    },
  );
});

test("booking a taken slot is refused with 400 in the sandbox and with 404 in production", () => {
  expect((["sandbox", "production"] as const).map((name) => slotTakenError(name).kind.status)).toEqual([400, 404]);
});

test("no sequence of commands makes an order and its appointment disagree, or loses a slot", {
  tags: "deep",
  timeout: 240_000,
}, async () => {
  const known: { way: VisitKind; id: string }[] = [];
  const step = fc.record({
    kind: fc.constantFrom("order", "book", "book", "request", "reschedule", "cancel", "drop", "simulate", "wait"),
    way: fc.constantFrom(...kinds),
    at: fc.nat(),
    status: fc.constantFrom(...orderStatuses.filter((status) => /walk_in|phlebotomy/.test(status))),
    isAsync: fc.boolean(),
  });
  const [steps = []] = fc.sample(fc.array(step, { minLength: 70, maxLength: 70, size: "max" }), {
    numRuns: 1,
    seed: 20_260_502,
  });
  for (const { kind, way, at, status, isAsync } of steps) {
    const order = known[at % Math.max(1, known.length)];
    if (kind === "order" || !order) {
      const made = at % 2 ? importOrder(service, userId, way) : createOrderAtStatus(service, userId, way, "ordered");
      known.push({ way, id: (await made).id });
      continue;
    }
    const answer = await take(kind, order, { at, status, isAsync });
    expect([kind, answer?.status, [undefined, 200, 400, 404, 422].includes(answer?.status)]).toContain(true);
    if (at % 3 === 0) await service.settle();
  }
  // These orders stay open to the end, whatever happened to the others.
  for (const way of kinds) {
    const { id } = await importOrder(service, userId, way);
    known.push({ way, id });
    expect((await take("book", { way, id }, { at: 0, status: orderStatuses[0]!, isAsync: false }))?.status).toBe(200);
  }
  await service.settle();
  const open: string[] = [];
  for (const { way, id } of known) {
    const appointment = await expectAgreement(way, id);
    const isOpen = !["cancelled", "completed", undefined].includes(appointment?.event_status);
    if (appointment?.start_at && isOpen) open.push(appointment.id);
  }
  const mine = (await holders()).filter((id) => open.includes(id));
  expect(open.length).toBeGreaterThanOrEqual(kinds.length);
  expect(mine).toEqual(open.toSorted());
});

interface Choice {
  readonly at: number;
  readonly status: string;
  readonly isAsync: boolean;
}

/** Sends one command for an order, whatever its outcome. */
async function take(kind: string, { way, id }: { way: VisitKind; id: string }, { at, status, isAsync }: Choice) {
  if (kind === "simulate") return service.call("POST", `/v3/order/${id}/test?final_status=${status}`);
  if (kind === "drop") return service.call("POST", `/v3/order/${id}/cancel`);
  if (kind === "cancel") return callAppointment(service, way, id, kind, cancellationRequest[way]);
  if (kind === "request")
    return callAppointment(service, "phlebotomy", id, kind, { address: patientUsAddress, provider: "phlebfinders" });
  if (kind === "wait") {
    await service.advance((at % 120) * 60_000);
    return undefined;
  }
  const times = await listFreeSlots(service, way);
  const booking_key = times[at % 5]?.booking_key ?? "none";
  const name = kind === "book" ? "book" : "reschedule";
  return callAppointment(service, way, id, name, {
    booking_key,
    ...(way === "psc" ? { async_confirmation: isAsync } : {}),
  });
}
