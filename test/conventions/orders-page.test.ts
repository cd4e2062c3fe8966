import { describe, expect, test } from "vitest";
import { appointmentEdges } from "../../lib/domain/appointments/appointment-states.ts";
import { type EdgeSource, methodOf, orderEdges, orderWays } from "../../lib/domain/orders/order-states.ts";
import { stageOf } from "../../lib/domain/orders/order-status.ts";

interface Step {
  readonly from: string;
  readonly to: string;
  readonly source: EdgeSource;
}

/** One row per status with the transitions from it. Final statuses come last. */
function table(steps: readonly Step[], highLevelOf?: (status: string) => string): string {
  const statuses = new Set([...steps.map(({ from }) => from), ...steps.map(({ to }) => to)]);
  const next = (status: string, source: EdgeSource) =>
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
  const orders = orderWays.map(
    (way) => `## ${way}\n${table(orderEdges[way], (level) => stageOf(methodOf(way), level))}`,
  );
  return [
    "# Status transitions of orders and appointments",
    "This page lists the allowed status transitions of orders and appointments. Read it if you handle their events.",
    "Each row shows a status and the statuses that may follow it. A test writes this page from the data of the service and checks it.\nFor the meaning of the columns, see [orders.md](orders.md#statuses).",
    ...orders,
    `## Appointments\n${table(appointmentEdges)}\n`,
  ].join("\n\n");
}

describe("docs/order-states.md", () => {
  test("lists exactly the status transitions of orders and appointments", async () => {
    await expect(page()).toMatchFileSnapshot("../../docs/order-states.md");
  });
});
