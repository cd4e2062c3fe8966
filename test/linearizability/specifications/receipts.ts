import type { Operation } from "../operation.ts";
import { expectResult, type Specification } from "../specification.ts";

/** A batch: unknown, pending, or done. The counts of a done batch never change again; null until somebody reads them. */
interface Receipt {
  readonly status: "absent" | "pending" | "done";
  readonly counts: string | null;
}

/** The receipt of one batch. */
export const receiptsSpecification: Specification<Receipt> = {
  initial: { status: "absent", counts: null },
  after(state, operation) {
    switch (operation.name) {
      case "ingest":
        return expectResult(state, operation, ["accepted"], { status: "pending", counts: null });
      case "store":
        return expectResult(
          state,
          operation,
          ["done"],
          state.status === "pending" ? { ...state, status: "done" } : state,
        );
      default:
        return state.status === "done" ? readCounts(state, operation) : expectResult(state, operation, [state.status]);
    }
  },
};

function readCounts(state: Receipt, operation: Operation): readonly Receipt[] {
  const [records] = operation.args;
  const [status, counts = "", total] = operation.result ?? ["done", state.counts ?? "", records];
  const isSame = state.counts === null || state.counts === counts;
  if (operation.result === null) return [state];
  return status === "done" && isSame && total === records ? [{ ...state, counts }] : [];
}
