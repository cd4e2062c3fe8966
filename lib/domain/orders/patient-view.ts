import type { HighLevelStatus } from "./lifecycle/order-status.ts";
import type { Order } from "./lifecycle/order-transitions.ts";

/** Order as the user portal shows it to the patient; null fields are hidden. */
export interface PatientView {
  readonly id: string;
  readonly title: string;
  /** YYYY-MM-DD. */
  readonly orderedOn: string;
  readonly status: string;
  /** Expected date of the result, YYYY-MM-DD; null once the result exists. */
  readonly expectedBy: string | null;
  readonly result: string | null;
}

const stageWords: Readonly<Record<HighLevelStatus, string>> = {
  received: "Ordered",
  collecting_sample: "The sample is being collected",
  sample_with_lab: "The sample is at the laboratory",
  completed: "The result is available",
  cancelled: "Cancelled",
  failed: "The sample could not be tested",
};
const resultWords: Readonly<Record<string, string>> = {
  normal: "All values are within their ranges.",
  abnormal: "Some values are outside their ranges. Please speak with your physician.",
  critical: "Some values need attention soon. Please call your physician today.",
};

/** High-level statuses in which the result is still expected. */
const AWAITING_RESULT: readonly HighLevelStatus[] = ["collecting_sample", "sample_with_lab"];

/** Converts an order for its patient. @param isPrivate false hides the test and the result from other readers. */
export function toPatientView(order: Order, isPrivate: boolean): PatientView {
  const { id, status, created_at, lab_test, interpretation, expected_result_by_date } = order;
  const isDone = status === "completed";
  return {
    id,
    title: isPrivate ? lab_test.name : "Laboratory order",
    orderedOn: created_at.slice(0, 10),
    status: (status === null ? undefined : stageWords[status]) ?? "Under way",
    expectedBy: status !== null && AWAITING_RESULT.includes(status) ? expected_result_by_date : null,
    result: isPrivate && isDone ? (resultWords[interpretation ?? ""] ?? "Your physician has the result.") : null,
  };
}
