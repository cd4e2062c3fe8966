import { describe, expect, test } from "vitest";
import { appointmentEdges } from "../../lib/domain/appointments/appointment-states.ts";
import { type EdgeSource, methodOf, orderEdges, orderWays } from "../../lib/domain/orders/order-states.ts";
import { stageOf } from "../../lib/domain/orders/order-status.ts";

interface Step {
  readonly from: string;
  readonly to: string;
  readonly source: EdgeSource;
}

/** A row for each status with the steps that lead from it; those that lead nowhere come last. */
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
    "# Steps of orders and appointments",
    "Each row is a status with the statuses that may follow it. This page is written from the data of the service, by the test that checks it; what it means is told in\n[orders.md](orders.md).",
    ...orders,
    `## Appointments\n${table(appointmentEdges)}\n`,
  ].join("\n\n");
}

describe("docs/order-states.md", () => {
  test("has every step of orders and appointments, and none besides", async () => {
    await expect(page()).toMatchFileSnapshot("../../docs/order-states.md");
  });
});
