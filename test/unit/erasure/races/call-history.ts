import type { DeletionInput } from "../../../../lib/domain/erasure/deletion-input.ts";

/** A call to the service. */
export type Call =
  | { readonly kind: "create"; readonly reference: string }
  | { readonly kind: "delete" | "undo" | "get" | "connect"; readonly userId: string }
  | { readonly kind: "undoByReference" | "resolve"; readonly reference: string }
  | { readonly kind: "rename"; readonly userId: string; readonly reference: string }
  | { readonly kind: "list" }
  | { readonly kind: "beginErasure"; readonly deletion: DeletionInput };

/** A user as a response shows it. */
export interface VisibleUser {
  readonly user_id: string;
  readonly client_user_id: string;
  readonly created_on: string;
  readonly isConnected: boolean;
}

/** The outcome of a call: the parts of the response that reveal state. */
export interface Outcome {
  readonly status: number;
  /** Error code of a rejected call. */
  readonly code?: string;
  /** The user of the response; for a rejected creation or renaming, the holder of the reference. */
  readonly user?: Partial<VisibleUser>;
  /** The ids of a list. */
  readonly ids?: readonly string[];
  /** The result of the erasure step: whether the erasure proceeds. */
  readonly proceed?: boolean;
}

/** An id that a call generated, with its time. */
export interface DrawnId {
  readonly id: string;
  readonly atMs: number;
}

/** One call with its position in the order of events and its times. */
export interface CompletedCall {
  readonly call: Call;
  /** Positions of its start and end in the order of all starts and ends. */
  readonly invokedAt: number;
  readonly returnedAt: number;
  /** The service's clock at its start and end. */
  readonly fromMs: number;
  readonly toMs: number;
  /** User ids of a creation, deletion ids of a deletion. */
  readonly draws: readonly DrawnId[];
  /** Undefined when a fault hid the response: the call may or may not have taken effect. */
  readonly outcome: Outcome | undefined;
}

/** One line for the report of a failed run. */
export function describeCall({ call, invokedAt, returnedAt, fromMs, toMs, outcome }: CompletedCall): string {
  const { kind, ...what } = call;
  const when = `${new Date(fromMs).toISOString()}..${new Date(toMs).toISOString()}`;
  const answer = outcome ? JSON.stringify(outcome) : "unknown";
  return `[${invokedAt}, ${returnedAt}] ${when} ${kind} ${JSON.stringify(what)} -> ${answer}`;
}
