import type { DeletionInput } from "../../../lib/domain/deletion.ts";

/** Something that is asked of the service. */
export type Call =
  | { readonly kind: "create"; readonly reference: string }
  | { readonly kind: "delete" | "undo" | "get" | "connect"; readonly userId: string }
  | { readonly kind: "undoByReference" | "resolve"; readonly reference: string }
  | { readonly kind: "rename"; readonly userId: string; readonly reference: string }
  | { readonly kind: "list" }
  | { readonly kind: "beginErasure"; readonly deletion: DeletionInput };

/** A user as an answer shows it. */
export interface SeenUser {
  readonly user_id: string;
  readonly client_user_id: string;
  readonly created_on: string;
  readonly isConnected: boolean;
}

/** What came of a call: the answer as far as it says something about the state. */
export interface Outcome {
  readonly status: number;
  /** Code of a refusal. */
  readonly code?: string;
  /** The user of the answer; of a refused creation or renaming, who holds the reference. */
  readonly user?: Partial<SeenUser>;
  /** The ids of a list. */
  readonly ids?: readonly string[];
  /** The word of the erasure step: whether the erasure is to go on. */
  readonly proceed?: boolean;
}

/** An identifier that a call drew, and when. */
export interface Draw {
  readonly id: string;
  readonly atMs: number;
}

/** One call with its place in the order of events and in time. */
export interface Performed {
  readonly call: Call;
  /** Positions of its begin and its end in the order of all begins and ends. */
  readonly invokedAt: number;
  readonly returnedAt: number;
  /** The service's clock at its begin and its end. */
  readonly fromMs: number;
  readonly toMs: number;
  /** User ids of a creation, deletion ids of a deletion. */
  readonly draws: readonly Draw[];
  /** Undefined when a fault hid it: the call then took effect, or not. */
  readonly outcome: Outcome | undefined;
}

/** One line for the report of a run that failed. */
export function describe({ call, invokedAt, returnedAt, fromMs, toMs, outcome }: Performed): string {
  const { kind, ...what } = call;
  const when = `${new Date(fromMs).toISOString()}..${new Date(toMs).toISOString()}`;
  const answer = outcome ? JSON.stringify(outcome) : "unknown";
  return `[${invokedAt}, ${returnedAt}] ${when} ${kind} ${JSON.stringify(what)} -> ${answer}`;
}
