import type { SeededRandom } from "../unit/support/seeded-random.ts";
import type { ObjectKind } from "./operation.ts";
import type { CallContext, RouteAnswer, ServiceFixture } from "./service-fixture.ts";

/** What a client did and what it knows of the outcome. One call may be an operation on each of several objects. */
export interface Performed {
  readonly kind: ObjectKind;
  readonly object: string;
  readonly name: string;
  readonly args: readonly string[];
  readonly result: readonly string[] | null;
}

/** Calls that concurrent clients draw and perform. */
interface Workload {
  /** Prepares a history, without faults. */
  readonly prepare: () => Promise<void>;
  /** A call that comes before those of all clients. */
  readonly opening?: () => Promise<readonly Performed[]>;
  /** Draws a call and performs it. */
  readonly perform: () => Promise<readonly Performed[]>;
}

/** Creates the workload of one history. */
export type WorkloadFactory = (service: ServiceFixture, random: SeededRandom) => Workload;

/** What a response reports: the given words of a success, or the word of a refusal. */
export function toResult(
  answer: RouteAnswer | undefined,
  ofSuccess: (body: RouteAnswer["body"]) => readonly string[],
  refusals: Readonly<Record<string, (body: RouteAnswer["body"]) => readonly string[]>>,
): readonly string[] | null {
  if (answer === undefined) return null;
  if (answer.status < 300) return ofSuccess(answer.body);
  const refusal = refusals[answer.body.code];
  if (!refusal) throw new Error(`an unexpected answer: ${answer.status} ${JSON.stringify(answer.body)}`);
  return refusal(answer.body);
}

/** The id of what a call creates: the first that its function draws. */
export const firstUuid = ({ drawn }: CallContext): string => drawn.find((text) => text.includes("-")) ?? "";
