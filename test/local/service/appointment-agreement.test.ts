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
} from "../../../lib/contract/resources.ts";
import { doAgree } from "../../../lib/domain/appointments/agreement.ts";
import { type AppointmentStatus, canAppointmentMove } from "../../../lib/domain/appointments/appointment-states.ts";
import type { Visit } from "../../../lib/domain/appointments/visit-partner.ts";
import { edgeOf, type OrderWay } from "../../../lib/domain/orders/order-states.ts";
import { levelOf, orderStatuses } from "../../../lib/domain/orders/order-status.ts";
import { slotTaken } from "../../../lib/runtime/appointments/booked-time.ts";
import { locate } from "../../../lib/runtime/aws.ts";
import { Bucket } from "../../../lib/runtime/bucket.ts";
import { doWork } from "../../../lib/runtime/doing-work.ts";
import { AppointmentStore } from "../../../lib/store/appointments.ts";
import { TeamStore } from "../../../lib/store/identity.ts";
import { OrderWorkStore } from "../../../lib/store/order-work.ts";
import { OrderStore } from "../../../lib/store/orders.ts";
import { OutboxStore } from "../../../lib/store/outbox.ts";
import { ResultStore } from "../../../lib/store/results/results.ts";
import { SlotStore } from "../../../lib/store/slots.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { commit } from "../../../lib/store/transaction.ts";
import { UserStore } from "../../../lib/store/users.ts";
import { type Answer, TestService } from "../../support/service.ts";
import {
  appointmentOf,
  cancellation,
  command,
  freeTimes,
  importedOrder,
  levelsNow,
  orderFor,
  statusesOf,
  usAddress,
  type Way,
  ways,
} from "./appointment-world.ts";
import { draftFor, simulate } from "./order-world.ts";
import { engineClient, itemsNaming } from "./stored-items.ts";

type Body = Answer["body"];
const kinds = Object.keys(ways) as Way[];

let service: TestService;
let userId: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("who is visited");
});
afterAll(() => service.stop());

/** Expects that order and appointment agree, and that each took only steps of its table. @returns the appointment. */
async function expectAgreement(way: Way, orderId: string): Promise<Body | undefined> {
  const { levels, appointment } = await atOneTime(way, orderId);
  const said = [levels, appointment && statusesOf(appointment)];
  expect([...said, doAgree(levels.at(-1) ?? "", appointment)]).toEqual([...said, true]);
  const order = (level: string, next: string) => edgeOf(ways[way].method as OrderWay, level, next) !== undefined;
  expect([levels, stepsBy(levels, order)]).toEqual([levels, true]);
  const statuses = appointment ? statusesOf(appointment) : [];
  expect(stepsBy(statuses, (from, to) => canAppointmentMove(from, to as AppointmentStatus))).toBe(true);
  return appointment;
}

/** Reads the statuses of an order and its appointment; retries if the order takes a step between the two reads. */
async function atOneTime(way: Way, orderId: string): Promise<{ levels: string[]; appointment: Body | undefined }> {
  for (;;) {
    const before = await levelsNow(service, orderId);
    const appointment = await appointmentOf(service, way, orderId);
    const levels = await levelsNow(service, orderId);
    if (levels.length === before.length) return { levels, appointment };
  }
}

const stepsBy = (statuses: readonly string[], isStep: (from: string, to: string) => boolean) =>
  statuses.slice(1).every((to, index) => isStep(statuses[index] ?? "", to));

/** Returns the ids of the appointments that hold a slot. */
async function holders(): Promise<string[]> {
  const named = await itemsNaming(service, "slot#");
  const store = new SlotStore(new Table(engineClient(service), locate(slots)));
  const held = named.flatMap((item) => /slot#([^#]+)#(\S+) (\S+)$/.exec(item)?.slice(1) ?? []);
  const found: string[] = [];
  for (let at = 0; at < held.length; at += 3) {
    const [provider = "", place = "", start_at = ""] = held.slice(at, at + 3);
    found.push((await store.holderOf({ provider, place, start_at })) ?? "");
  }
  return found.toSorted();
}

/** Places an order that no laboratory may know yet. */
async function placed(way: Way): Promise<Body> {
  const body = draftFor(userId, { order_set: { lab_test_ids: [ways[way].test] } });
  return (await service.call("POST", "/v3/order", { body })).body.order;
}

describe.each(kinds)("a simulated order of %s", (way) => {
  const statuses = orderStatuses.filter((status) => status.split(".")[1] === ways[way].method);

  test("agrees with its appointment in every status", async () => {
    const walks = statuses.map(async (status) => {
      const { id } = await placed(way);
      const answer = await service.call("POST", `/v3/order/${id}/test?final_status=${status}`);
      expect([200, 400]).toContain(answer.status);
      return { id, isLed: answer.status === 200 && levelOf(status).startsWith("appointment") };
    });
    const walked = await Promise.all(walks);
    await service.settle();
    for (const { id, isLed } of walked) {
      const appointment = await expectAgreement(way, id);
      if (isLed) expect(appointment).toBeDefined();
    }
  });

  test("creates, schedules and updates its appointment as it advances", async () => {
    const order = await placed(way);
    await service.call("POST", `/v3/order/${order.id}/test?delay=60`);
    for (let minute = 0; minute < 6; minute++) {
      await expectAgreement(way, order.id);
      await service.advance(60_000);
    }
    const appointment = await expectAgreement(way, order.id);
    expect(statusesOf(appointment)).toEqual(["pending", "scheduled", "in_progress", "completed"]);
    expect((await levelsNow(service, order.id)).at(-1)).toBe("completed");
    expect(appointment.id).toBe((await service.call("GET", `/v3/order/${order.id}`)).body.details.data.appointment_id);
  });

  test("accepts a booking while its appointment is pending", async () => {
    const order = await orderFor(service, userId, way, "ordered");
    await simulate(service, order.id, `?final_status=collecting_sample.${ways[way].method}.appointment_pending`);
    const [slot] = await freeTimes(service, way);
    const { status, body } = await command(service, way, order.id, "book", { booking_key: slot!.booking_key });
    expect([status, body.status, statusesOf(body)]).toEqual([200, "confirmed", ["pending", "scheduled"]]);
    await expectAgreement(way, order.id);
  });
});

describe("an appointment partner", () => {
  /** Processes the appointment tasks that the service left undone, with a partner that records its requests. */
  async function visitsOf(orderId: string): Promise<Visit[]> {
    const client = engineClient(service);
    const table = (of: Parameters<typeof locate>[0]) => new Table(client, locate(of));
    const told: Visit[] = [];
    const uses = {
      teams: new TeamStore(table(teams)),
      users: new UserStore(table(users)),
      orders: new OrderStore(table(orders)),
      orderWork: new OrderWorkStore(table(orderWork)),
      appointments: new AppointmentStore(table(appointments)),
      slots: new SlotStore(table(slots)),
      results: new ResultStore(table(results)),
      outbox: new OutboxStore(table(outbox)),
      orderPlacements: new Bucket("nothing of it is needed"),
      commit: (items: Parameters<typeof commit>[1]) => commit(client, items),
      findPartner: () => undefined,
      findVisitPartner: () => ({
        confirmsInMs: 0,
        take: async (visit: Visit) => {
          told.push(visit);
          return "confirmed" as const;
        },
        withdraw: async () => undefined,
      }),
    };
    const { team_id } = service.identity;
    await doWork(TeamScope.grant(team_id), { team_id, order_id: orderId, kind: "visit" }, uses);
    client.destroy();
    return told;
  }

  test.each(kinds)(
    "of %s receives access notes and appointment notes with every booking and reschedule [user-info-fields-09]",
    async (way) => {
      service.cloud.faults.add({ service: "sqs", mode: "fail_before" });
      const order = await importedOrder(service, userId, way);
      const [first, second] = await freeTimes(service, way);
      const book = { booking_key: first!.booking_key, appointment_notes: "Ring twice" };
      expect((await command(service, way, order.id, "book", book)).status).toBe(200);
      const said = ({ appointment, access_notes }: Visit) => [
        appointment.start_at,
        appointment.appointment_notes,
        access_notes,
      ];
      expect((await visitsOf(order.id)).map(said)).toEqual([[first!.start, "Ring twice", "Gate code 12"]]);
      const move = { booking_key: second!.booking_key, appointment_notes: "Knock" };
      expect((await command(service, way, order.id, "reschedule", move)).status).toBe(200);
      expect((await visitsOf(order.id)).map(said)).toEqual([[second!.start, "Knock", "Gate code 12"]]);
      service.cloud.faults.clear();
      expect(await visitsOf(order.id)).toEqual([]);
    },
  );
});

test("booking a taken slot is refused with 400 in the sandbox and with 404 in production", () => {
  expect((["sandbox", "production"] as const).map((name) => slotTaken(name).kind.status)).toEqual([400, 404]);
});

test("no sequence of commands makes an order and its appointment disagree, or loses a slot", {
  timeout: 240_000,
}, async () => {
  const known: { way: Way; id: string }[] = [];
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
      const made = at % 2 ? importedOrder(service, userId, way) : orderFor(service, userId, way, "ordered");
      known.push({ way, id: (await made).id });
      continue;
    }
    const answer = await take(kind, order, { at, status, isAsync });
    expect([kind, answer?.status, [undefined, 200, 400, 404, 422].includes(answer?.status)]).toContain(true);
    if (at % 3 === 0) await service.settle();
  }
  // These orders stay open to the end, whatever happened to the others.
  for (const way of kinds) {
    const { id } = await importedOrder(service, userId, way);
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
async function take(kind: string, { way, id }: { way: Way; id: string }, { at, status, isAsync }: Choice) {
  if (kind === "simulate") return service.call("POST", `/v3/order/${id}/test?final_status=${status}`);
  if (kind === "drop") return service.call("POST", `/v3/order/${id}/cancel`);
  if (kind === "cancel") return command(service, way, id, kind, cancellation[way]);
  if (kind === "request")
    return command(service, "phlebotomy", id, kind, { address: usAddress, provider: "phlebfinders" });
  if (kind === "wait") {
    await service.advance((at % 120) * 60_000);
    return undefined;
  }
  const times = await freeTimes(service, way);
  const booking_key = times[at % 5]?.booking_key ?? "none";
  const name = kind === "book" ? "book" : "reschedule";
  return command(service, way, id, name, { booking_key, ...(way === "psc" ? { async_confirmation: isAsync } : {}) });
}
