import type { Order } from "./order-move.ts";

/** An order as its patient is shown it; what is null is not shown. */
export interface PatientView {
  readonly id: string;
  readonly title: string;
  /** YYYY-MM-DD. */
  readonly orderedOn: string;
  readonly status: string;
  /** The day by which the result usually is there, YYYY-MM-DD, until it is. */
  readonly expectedBy: string | null;
  readonly result: string | null;
}

const stageWords: Readonly<Record<string, string>> = {
  received: "Ordered",
  collecting_sample: "The sample is being collected",
  sample_with_lab: "The sample is at the laboratory",
  completed: "The result is there",
  cancelled: "Cancelled",
  failed: "The sample could not be tested",
};
const resultWords: Readonly<Record<string, string>> = {
  normal: "All values are within their ranges.",
  abnormal: "Some values are outside their ranges. Please speak with your physician.",
  critical: "Some values need attention soon. Please call your physician today.",
};

/** An order for its patient. @param isPrivate whether nobody else reads it: else it tells neither test nor result. */
export function patientViewOf(order: Order, isPrivate: boolean): PatientView {
  const { id, status, created_at, lab_test, interpretation, expected_result_by_date } = order;
  const isDone = status === "completed";
  return {
    id,
    title: isPrivate ? lab_test.name : "Laboratory order",
    orderedOn: created_at.slice(0, 10),
    status: stageWords[status ?? ""] ?? "Under way",
    expectedBy: ["collecting_sample", "sample_with_lab"].includes(status ?? "") ? expected_result_by_date : null,
    result: isPrivate && isDone ? (resultWords[interpretation ?? ""] ?? "Your physician has it.") : null,
  };
}
