import { describe, expect, test } from "vitest";
import type { AttemptMessage, Delivery } from "../../../lib/events/webhooks/delivery.ts";
import type { SendOptions } from "../../../lib/runtime/aws/queue.ts";
import {
  dispatchDueDeliveries,
  resumeSuspendedEndpoints,
} from "../../../lib/services/webhooks/dispatch-due-deliveries.ts";
import type { DueEndpointHealth } from "../../../lib/store/webhooks/endpoint-health.ts";

const NOW = Date.UTC(2026, 4, 1, 8);
const MINUTE = 60_000;
const due_at = new Date(NOW).toISOString();

const deliveryOf = (endpoint_id: string, index: number): Delivery => {
  const ids = { team_id: "t", user_id: "u", event_id: `evt_${index}` };
  const event = { ...ids, type: "daily.data.sleep.created", key: `k${index}`, version: 1 };
  return { ...ids, endpoint_id, event, state: "parked", attempts: [], planned_at: due_at, next_attempt_at: due_at };
};
const deliveriesOf = (endpoint_id: string, count: number) =>
  Array.from({ length: count }, (_, index) => deliveryOf(endpoint_id, index));

/** Sweeps pending and held deliveries. @returns the messages with their delays and groups, and the planned releases. */
async function sweep(about: { pending?: Delivery[]; health?: DueEndpointHealth[]; parked?: number }) {
  const sent: (AttemptMessage & SendOptions)[] = [];
  const planned: (number | "probe")[] = [];
  const deps = {
    deliveries: {
      listDue: async () => ({ due: about.pending ?? [], nextDueAt: undefined }),
      listHeld: async ({ endpoint_id }: DueEndpointHealth, most: number) =>
        deliveriesOf(endpoint_id, Math.min(most, about.parked ?? 0)),
    },
    endpointHealth: {
      listDue: async () => ({ due: about.health ?? [], nextDueAt: undefined }),
      claimProbe: async () => planned.push("probe") > 0,
      scheduleResume: async (_: DueEndpointHealth, nextMs: number) => planned.push(nextMs - NOW) > 0,
    },
    webhookAttempts: {
      sendAll: async (messages: readonly unknown[], options?: SendOptions) => {
        for (const message of messages) sent.push({ ...(message as AttemptMessage), ...options });
      },
    },
  };
  await dispatchDueDeliveries(NOW, deps);
  const next = await resumeSuspendedEndpoints(NOW, deps);
  return { sent, planned, nextMs: next === undefined ? undefined : Date.parse(next) - NOW };
}

describe("a sweep", () => {
  test("dispatches due deliveries in the message group of their team", async () => {
    const { sent, nextMs } = await sweep({ pending: [...deliveriesOf("e1", 2), ...deliveriesOf("e2", 1)] });
    expect(sent.map(({ endpoint_id, team_id, probe }) => [endpoint_id, team_id, probe])).toEqual([
      ["e1", "t", false],
      ["e1", "t", false],
      ["e2", "t", false],
    ]);
    expect(nextMs).toBeUndefined();
  });

  test("sends one probe to a suspended endpoint, regardless of its held deliveries", async () => {
    const health = [{ team_id: "t", endpoint_id: "e1", parked_at: due_at, due_at }];
    const { sent, planned, nextMs } = await sweep({ health, parked: 500 });
    expect(sent.map(({ event_id, probe }) => [event_id, probe])).toEqual([["evt_0", true]]);
    expect([planned, nextMs]).toEqual([[], MINUTE]);
  });

  test("keeps an endpoint without held deliveries suspended", async () => {
    const health = [{ team_id: "t", endpoint_id: "e1", parked_at: due_at, due_at }];
    const { sent, planned, nextMs } = await sweep({ health });
    expect([sent, planned, nextMs]).toEqual([[], ["probe"], MINUTE]);
  });

  test("releases 30 deliveries per second for a recovered endpoint, so that 10,000 finish within an hour", async () => {
    const health = [{ team_id: "t", endpoint_id: "e1", due_at }];
    const { sent, planned, nextMs } = await sweep({ health, parked: 10_000 });
    const perSecond = [...Map.groupBy(sent, ({ delayS }) => delayS)].map(([, messages]) => messages.length);
    expect(perSecond).toEqual(Array(60).fill(30));
    // The next sweep may begin some seconds earlier in its minute.
    expect([planned, nextMs]).toEqual([[MINUTE - 10_000], MINUTE]);
    expect(sent.length * 60).toBeGreaterThan(10_000);
  });

  test("checks a recovered endpoint without held deliveries once an hour", async () => {
    const health = [{ team_id: "t", endpoint_id: "e1", due_at }];
    expect(await sweep({ health })).toEqual({ sent: [], planned: [60 * MINUTE], nextMs: 60 * MINUTE });
  });
});
