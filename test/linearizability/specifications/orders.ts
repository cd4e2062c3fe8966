import { expectResult, type Specification } from "../specification.ts";

/** An order by its idempotency key, or null before it. */
type Orders = Readonly<Record<string, { readonly id: string; readonly body: string; readonly status: string }>>;

/** The orders of one user. A key stands for one order; a cancelled order stays cancelled. */
export const ordersSpecification: Specification<Orders> = {
  initial: {},
  after(state, operation) {
    const [subject = "", body = "", id = ""] = operation.args;
    const expect = (result: readonly string[], next?: Orders) => expectResult(state, operation, result, next);
    if (operation.name === "create") {
      const known = state[subject];
      if (known) return expect(known.body === body ? ["created", known.id] : ["conflict"]);
      return expect(["created", id], { ...state, [subject]: { id, body, status: "ordered" } });
    }
    const [key, order] = Object.entries(state).find(([, one]) => one.id === subject) ?? [];
    if (key === undefined || !order) return expect(["absent"]);
    const move = (status: string) => ({ ...state, [key]: { ...order, status } });
    switch (operation.name) {
      case "cancel":
        return order.status === "cancelled" ? expect(["refused"]) : expect(["cancelled"], move("cancelled"));
      case "submit":
        // The simulated laboratory acknowledges nothing.
        return expect(["done"]);
      default:
        return expect(["found", order.status]);
    }
  },
};
