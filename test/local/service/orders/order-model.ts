import fc from "fast-check";
import { expect } from "vitest";
import {
  cancelOrder,
  completeDraw,
  OrderCommandRefused,
  rescheduleDispatch,
} from "../../../../lib/domain/orders/lifecycle/order-commands.ts";
import {
  type LowLevelStatus,
  lowLevelStatusOf,
  type OrderStatus,
  orderStatuses,
} from "../../../../lib/domain/orders/lifecycle/order-status.ts";
import { recreationRefusal, redrawRefusal } from "../../../../lib/domain/orders/lifecycle/order-succession.ts";
import {
  isOrderFinished,
  type Order,
  OrderTransitionRefused,
  transitionTo,
  workflowOf,
} from "../../../../lib/domain/orders/lifecycle/order-transitions.ts";
import { findTransition, initialStatuses } from "../../../../lib/domain/orders/lifecycle/transition-table.ts";
import { planSimulation } from "../../../../lib/labs/simulator/simulation-plan.ts";
import type { Answer, TestService } from "../../../support/service.ts";
import { orderRequest, sandboxLabTests } from "./order-helpers.ts";

type Method = keyof typeof sandboxLabTests;

/** Concurrent orders; one round gives each a command. */
const SLOTS = 6;
const FAR = "2099-01-01";

/** A command with its input: a status of the method, and whether the order has a dispatch day. */
export interface OrderCommand {
  readonly kind: keyof typeof commands | "create" | "import";
  readonly status: OrderStatus;
  readonly isLater: boolean;
}

/** Generates rounds of commands for orders of a method. */
export const commandRounds = (method: Method, commandCount: number) => {
  const command: fc.Arbitrary<OrderCommand> = fc.record({
    // Most commands advance the order, so that walks reach late statuses.
    kind: fc.constantFrom(
      "simulate",
      "simulate",
      "simulate",
      "redraw",
      "cancel",
      "draw",
      "patch",
      "recreate",
      "create",
      "create",
      "import",
    ),
    status: fc.constantFrom(...orderStatuses.filter((status) => status.includes(`.${method}.`))),
    isLater: fc.boolean(),
  });
  const rounds = commandCount / SLOTS;
  const round = fc.tuple(...Array.from({ length: SLOTS }, () => command));
  return fc.array(round, { minLength: rounds, maxLength: rounds, size: "max" });
};

/** Expected outcome of a command: an order with these statuses, or the status of a refusal. */
type ExpectedOutcome = { readonly levels: readonly string[] } | { readonly refused: 400 | 422 };

const AT = "2026-01-01T00:00:00.000Z";
const lowLevelStatuses = ({ events }: Pick<Order, "events">): LowLevelStatus[] =>
  events.map(({ status }) => lowLevelStatusOf(status));
const expectSameStatuses = (order: Order): ExpectedOutcome => ({ levels: lowLevelStatuses(order) });

/** Returns the outcome of a command according to the domain. */
function expectedOutcome(act: () => Order): ExpectedOutcome {
  try {
    return expectSameStatuses(act());
  } catch (error) {
    if (error instanceof OrderTransitionRefused || error instanceof OrderCommandRefused) return { refused: 400 };
    throw error;
  }
}

interface Ask {
  readonly method: "POST" | "PATCH";
  readonly path: string;
  readonly body?: unknown;
  readonly prediction: ExpectedOutcome;
  /** Whether the response is about another order, which replaces this one. */
  readonly isSuccession?: boolean;
}

/** Requests and expected outcomes of each command for the current order. */
const commands = {
  simulate: (order: Order, { status }: OrderCommand): Ask => {
    const plan = planSimulation(order, status, 0);
    const levels = (steps: readonly { level: string }[]) => [
      ...lowLevelStatuses(order),
      ...steps.map(({ level }) => level),
    ];
    const refused = plan === "other_method" ? 422 : 400;
    const prediction = typeof plan === "string" ? ({ refused } as const) : { levels: levels(plan) };
    return { method: "POST", path: `test?final_status=${status}`, prediction };
  },
  cancel: (order: Order): Ask => ({
    method: "POST",
    path: "cancel",
    prediction: expectedOutcome(() => cancelOrder(order, AT)),
  }),
  draw: (order: Order): Ask => ({
    method: "PATCH",
    path: "draw_completed",
    prediction: expectedOutcome(() => completeDraw(order, AT)),
  }),
  patch: (order: Order, { isLater }: OrderCommand): Ask => {
    const activate_by = isLater ? "2099-02-02" : null;
    const prediction = expectedOutcome(() => rescheduleDispatch(order, activate_by, "2026-01-01", AT));
    return { method: "PATCH", path: "", body: { activate_by }, prediction };
  },
  redraw: (order: Order): Ask => ({
    method: "POST",
    path: "redraw",
    isSuccession: true,
    prediction: redrawRefusal(order)
      ? { refused: 400 }
      : expectedOutcome(() => transitionTo(order, "redraw_available", AT)),
  }),
  recreate: (order: Order): Ask => {
    const succeed = () => (isOrderFinished(order) ? order : cancelOrder(order, AT));
    const prediction = recreationRefusal(order) ? ({ refused: 400 } as const) : expectedOutcome(succeed);
    const body = { update_reason: "INCORRECT_LAB" };
    return { method: "POST", path: "recreate", body, isSuccession: true, prediction };
  },
};

/** Result of a walk. */
export interface OrderWalkResult {
  /** Commands that changed or created an order. */
  readonly done: number;
  readonly refused: number;
  readonly levels: ReadonlySet<string>;
}

/** Sends orders of a method round after round of commands, and checks each against the domain's outcome. */
export class OrderWalk {
  readonly #service: TestService;
  readonly #userId: string;
  readonly #key: string;
  readonly #method: Method;
  readonly #slots: Order[] = [];
  readonly #levels = new Set<string>();
  #samples = 0;
  #done = 0;
  #refused = 0;

  constructor(service: TestService, { userId, key }: { userId: string; key: string }, method: Method) {
    this.#service = service;
    this.#userId = userId;
    this.#key = key;
    this.#method = method;
  }

  async run(rounds: readonly (readonly OrderCommand[])[]): Promise<OrderWalkResult> {
    for (const round of rounds) {
      const predictions = await Promise.all(round.map((command, slot) => this.#give(slot, command)));
      await this.#service.settle();
      await Promise.all(predictions.flat().map(({ id, prediction }) => this.#see(id, prediction)));
    }
    return { done: this.#done, refused: this.#refused, levels: this.#levels };
  }

  /** Sends a command. @returns the affected orders with their expected statuses. */
  async #give(slot: number, command: OrderCommand): Promise<{ id: string; prediction: ExpectedOutcome }[]> {
    const order = this.#slots[slot];
    if (order === undefined || command.kind === "create" || command.kind === "import") {
      const made = await this.#begin(command);
      this.#slots[slot] = made;
      this.#done++;
      return [{ id: made.id, prediction: expectSameStatuses(made) }];
    }
    const { method, path, body, prediction, isSuccession } = commands[command.kind](order, command);
    const at = path === "" ? `/v3/order/${order.id}` : `/v3/order/${order.id}/${path}`;
    const answer = await this.#ask(method, at, body);
    const said = `${command.kind} ${path} in ${lowLevelStatuses(order)}: ${JSON.stringify(answer.body.detail)}`;
    expect(answer.status, said).toBe("refused" in prediction ? prediction.refused : 200);
    if ("refused" in prediction) {
      this.#refused++;
      return [{ id: order.id, prediction: expectSameStatuses(order) }];
    }
    this.#done++;
    if (!isSuccession) return [{ id: order.id, prediction }];
    const successor: Order = answer.body.order;
    this.#slots[slot] = successor;
    return [
      { id: order.id, prediction },
      { id: successor.id, prediction: { levels: [initialStatuses.placed] } },
    ];
  }

  /** Places or imports a new order. */
  async #begin({ kind, isLater }: OrderCommand): Promise<Order> {
    const order_set = { lab_test_ids: [sandboxLabTests[this.#method]] };
    const draft = orderRequest(this.#userId, { order_set, ...(isLater ? { activate_by: FAR } : {}) });
    const elsewhere = { billing_type: "client_bill", collection_method: this.#method };
    const imported = { ...orderRequest(this.#userId, { order_set }), ...elsewhere, sample_id: this.#newSample() };
    const answer: Answer =
      kind === "import"
        ? await this.#ask("POST", "/v3/order/import", imported)
        : await this.#ask("POST", "/v3/order", draft);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.order;
  }

  #ask(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#service.call(method, path, { key: this.#key, ...(body === undefined ? {} : { body }) });
  }

  #newSample(): string {
    this.#samples++;
    return `${this.#method} ${this.#samples}`;
  }

  /** Reads an order, and checks it against the expected outcome and for consistency. */
  async #see(id: string, prediction: ExpectedOutcome): Promise<void> {
    const order: Order = (await this.#ask("GET", `/v3/order/${id}`)).body;
    const levels = lowLevelStatuses(order);
    expect(levels).toEqual("levels" in prediction ? prediction.levels : []);
    expect(order.last_event).toEqual(order.events.at(-1));
    expect(order.status).toBe(order.last_event.status.split(".")[0]);
    expect(order.events.map(({ id }) => id)).toEqual(order.events.map((_, index) => index + 1));
    for (const [index, { status }] of order.events.entries()) {
      expect(orderStatuses).toContain(status);
      const [before, level] = [levels[index - 1], lowLevelStatusOf(status)];
      if (before === undefined) expect(Object.values(initialStatuses)).toContain(level);
      else expect(findTransition(workflowOf(order), before, level), `${before} to ${level}`).toBeDefined();
      this.#levels.add(level);
    }
    const slot = this.#slots.findIndex((known) => known.id === id);
    if (slot === -1) return;
    this.#slots[slot] = order;
  }
}
