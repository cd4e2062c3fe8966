import { describe, expect, test } from "vitest";
import { appointmentTransitions } from "../../../lib/domain/appointments/appointment-states.ts";
import { highLevelStatusOf } from "../../../lib/domain/orders/lifecycle/order-status.ts";
import {
  collectionMethodOf,
  orderTransitions,
  orderWorkflows,
  type TransitionSource,
} from "../../../lib/domain/orders/lifecycle/transition-table.ts";

interface Step<Status extends string> {
  readonly from: Status;
  readonly to: Status;
  readonly source: TransitionSource;
}

/** A row for each status with the steps that lead from it; those that lead nowhere come last. */
function table<Status extends string>(
  steps: readonly Step<Status>[],
  highLevelOf?: (status: Status) => string,
): string {
  const statuses = new Set([...steps.map(({ from }) => from), ...steps.map(({ to }) => to)]);
  const next = (status: Status, source: TransitionSource) =>
    steps.filter((step) => step.from === status && step.source === source).map(({ to }) => `\`${to}\``);
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const head = [...(highLevelOf ? ["High level"] : []), "Status", "Drawn", "Inferred"];
  const rows = [...statuses].map((status) => [
    ...(highLevelOf ? [highLevelOf(status)] : []),
    `\`${status}\``,
    next(status, "drawn").join(" "),
    next(status, "inferred").join(" "),
  ]);
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}

function page(): string {
  const orders = orderWorkflows.map(
    (way) => `## ${way}\n${table(orderTransitions[way], (level) => highLevelStatusOf(collectionMethodOf(way), level))}`,
  );
  return [
    "# Status transitions of orders and appointments",
    "This page lists the allowed status transitions of orders and appointments. Read it if you handle their events.",
    "Each row shows a status and the statuses that may follow it. A test writes this page from the data of the service and checks it.\nFor the meaning of the columns, see [orders.md](orders.md#statuses).",
    ...orders,
    `## Appointments\n${table(appointmentTransitions)}\n`,
  ].join("\n\n");
}

describe("docs/order-states.md", () => {
  test("has every step of orders and appointments, and none besides", async () => {
    await expect(page()).toMatchFileSnapshot("../../../docs/order-states.md");
  });
});
