import { describe, expect, test } from "vitest";
import {
  fullStatusOf,
  isOrderStatus,
  type OrderStatus,
  orderStatuses,
} from "../../../lib/domain/orders/lifecycle/order-status.ts";
import { lowLevelStatus, type Order, transitionTo } from "../../../lib/domain/orders/lifecycle/order-transitions.ts";
import {
  collectionMethodOf,
  type OrderWorkflow,
  orderTransitions,
  orderWorkflows,
} from "../../../lib/domain/orders/lifecycle/transition-table.ts";
import { interpretObservation } from "../../../lib/domain/results/interpret-observation.ts";
import { worstInterpretation } from "../../../lib/domain/results/interpretation.ts";
import type { SimulatedReport, SimulationFlags } from "../../../lib/domain/results/simulated-report.ts";
import { type PlannedStep, planSimulation, successPaths } from "../../../lib/labs/simulator/simulation-plan.ts";
import { syntheticReport } from "../../../lib/labs/simulator/synthetic-report.ts";
import { createImportedOrder, createPlacedOrder, ORDERED_AT } from "../orders/order-fixtures.ts";

const methods = ["walk_in_test", "at_home_phlebotomy", "on_site_collection", "testkit"] as const;
const walked = (order: Order, steps: readonly PlannedStep[]) =>
  steps.reduce((at, { level, detail }) => transitionTo(at, level, ORDERED_AT, detail), order);

function planned(order: Order, finalStatus?: OrderStatus, delay = 0): PlannedStep[] {
  const plan = planSimulation(order, finalStatus, delay);
  if (typeof plan === "string") throw new Error(plan);
  return plan;
}

describe("a simulation plan", () => {
  test.each(orderWorkflows)("of %s visits every status of the success path, one delay apart", (way) => {
    const steps = planned(createPlacedOrder(way), undefined, 30);
    expect(["ordered", ...steps.map(({ level }) => level)]).toEqual(successPaths[way]);
    expect(steps.map(({ afterSeconds }) => afterSeconds)).toEqual(steps.map((_, index) => index * 30));
    expect(lowLevelStatus(walked(createPlacedOrder(way), steps))).toBe("completed");
  });

  test("reaches each of the 54 statuses from the initial status of its order", () => {
    const reached = new Set<string>();
    for (const first of [
      ...orderWorkflows.map((way) => createPlacedOrder(way)),
      ...methods.map((way) => createImportedOrder(way)),
    ]) {
      reached.add(first.last_event.status);
      for (const status of orderStatuses) {
        const plan = planSimulation(first, status, 0);
        if (typeof plan === "string") continue;
        const there = walked(first, plan);
        expect(there.last_event.status).toBe(status);
        reached.add(status);
      }
    }
    expect([...reached].toSorted()).toEqual([...orderStatuses].toSorted());
  });

  test("leaves the success path as late as possible", () => {
    const levels = planned(createPlacedOrder("testkit"), "failed.testkit.sample_error").map(({ level }) => level);
    expect(levels.slice(-2)).toEqual(["delivered_to_lab", "sample_error"]);
    expect(planned(createPlacedOrder("testkit"), "failed.testkit.sample_error").at(-1)?.detail).toBe(
      "sample_quantity_not_sufficient",
    );
  });

  test("continues from the current status of its order", () => {
    const sent = walked(
      createPlacedOrder("testkit"),
      planned(createPlacedOrder("testkit"), "collecting_sample.testkit.with_customer"),
    );
    expect(planned(sent).map(({ level }) => level)).toEqual(["transit_lab", "delivered_to_lab", "completed"]);
    expect(planned(sent, sent.last_event.status)).toEqual([]);
  });

  test("is rejected for a status of another collection method, or one that is no longer reachable", () => {
    expect(planSimulation(createPlacedOrder("testkit"), "completed.walk_in_test.completed", 0)).toBe("other_method");
    expect(isOrderStatus("failed.testkit.completed")).toBe(false);
    const done = walked(createPlacedOrder("testkit"), planned(createPlacedOrder("testkit")));
    expect(planSimulation(done, "cancelled.testkit.cancelled", 0)).toBe("not_reachable");
  });

  test.each(Object.entries(successPaths))("of %s contains only steps of the transition table", (way, path) => {
    for (const [index, to] of path.entries()) {
      const from = path[index - 1];
      if (from !== undefined)
        expect(orderTransitions[way as OrderWorkflow].some((edge) => edge.from === from && edge.to === to)).toBe(true);
      expect(orderStatuses).toContain(fullStatusOf(collectionMethodOf(way as OrderWorkflow), to));
    }
  });
});

const person = { sex: "female", age: 35 } as const;
const about: SimulatedReport = {
  lab: "quest",
  requisition: "REQ1",
  sample_id: "S1",
  account_number: "1234567890",
  patient: { first_name: "Ada", last_name: "Sample", dob: "1990-05-17", gender: "female", patient_id: null },
  person,
  status: "final",
  collected_at: ORDERED_AT,
  reported_at: ORDERED_AT,
  markers: [
    { test_code: "483", name: "Glucose", loinc: "2345-7", unit: "mg/dL" },
    { test_code: "608", name: "HDL cholesterol", loinc: "2085-9", unit: "mg/dL" },
    { test_code: "510", name: "Hemoglobin", loinc: "718-7", unit: "g/dL" },
    { test_code: "1", name: "Rare", loinc: null, unit: "ng/mL" },
    { test_code: "9", name: "Infection", loinc: "24111-7", unit: null },
  ],
};
const flags = (more: Partial<SimulationFlags> = {}): SimulationFlags => ({
  interpretation: "normal",
  result_types: null,
  has_missing_results: null,
  ...more,
});
const made = (more: Partial<SimulationFlags>, from = about) => syntheticReport(from, flags(more)).observations;

describe("synthetic results", () => {
  const rotated = about.markers.map((_, first) => ({
    ...about,
    markers: [...about.markers.slice(first), ...about.markers.slice(0, first)],
  }));

  test.each(["normal", "abnormal", "critical"] as const)("are interpreted as %s by their flags", (interpretation) => {
    for (const from of rotated) {
      expect(
        worstInterpretation(
          made({ interpretation }, from).map((value) => interpretObservation(value, person).interpretation),
        ),
      ).toBe(interpretation);
    }
  });

  test("lie inside their ranges when they are normal, and outside when not", () => {
    for (const from of rotated) {
      const unflagged = (interpretation: "normal" | "abnormal" | "critical") =>
        made({ interpretation }, from).map(
          (value) => interpretObservation({ ...value, flag: "" }, person).interpretation,
        );
      expect(unflagged("normal")).toEqual(["normal", "normal", "normal", "normal", "normal"]);
      expect(unflagged("abnormal")[0]).toBe("abnormal");
      expect(unflagged("critical")[0]).toBe("abnormal");
    }
  });

  test("have no interpretation when it is set to unknown", () => {
    expect(
      worstInterpretation(
        made({ interpretation: "unknown" }).map((value) => interpretObservation(value, person).interpretation),
      ),
    ).toBe("unknown");
  });

  test("cycle through the requested result types", () => {
    expect(made({}).map(({ type }) => type)).toEqual(["numeric", "numeric", "numeric", "numeric", "coded_value"]);
    const types = made({ result_types: ["range", "comment"] }).map(({ type }) => type);
    expect(types).toEqual(["range", "comment", "range", "comment", "range"]);
  });

  test("omit the last result when results are set to missing", () => {
    expect(made({ has_missing_results: true }).map(({ status }) => status)).toEqual([
      "final",
      "final",
      "final",
      "final",
      "cancelled",
    ]);
  });

  test("are the same for the same order and differ for another", () => {
    expect(made({})).toEqual(made({}));
    expect(made({}, { ...about, requisition: "REQ2" })).not.toEqual(made({}));
  });
});
