import type * as z from "zod";
import type { Grant } from "./access.ts";
import type { QueueResource, TableResource } from "./resource-kinds.ts";

/** The event source of a consumer. */
export type Trigger =
  | {
      readonly kind: "queue";
      readonly queue: QueueResource;
      readonly batchSize: number;
      /** Time in which messages gather into a batch, seconds. A batch of more than ten needs one. */
      readonly batchWindowS?: number;
      /**
       * Maximum concurrent containers, 2 to 1,000. It bounds the share of the account's concurrency and the load on
       * downstream services.
       */
      readonly maxConcurrency: number;
    }
  | {
      readonly kind: "stream";
      readonly table: TableResource;
      /** The stream delivers only new items whose partition key has this prefix */
      readonly keyPrefix: string;
      /** and whose sort key has this prefix, */
      readonly sortKeyPrefix: string;
      /** and that have this attribute, a string. */
      readonly attribute: string;
      readonly batchSize: number;
      /** One sentence: the effect on users when records fail for good. The alarm of their dead-letter queue states it. */
      readonly impact: string;
    }
  /** `requires` names the queue without which a deployment does not have the schedule. */
  | { readonly kind: "schedule"; readonly rate: { readonly minutes: number }; readonly requires?: QueueResource }
  | { readonly kind: "task" }
  /** Only a deployment with this setting has the function. The setting decides what invokes it (lib/stacks/config.ts). */
  | { readonly kind: "setting"; readonly setting: "traceExport" | "watch" };

/** Returns the queue without which a deployment does not have a consumer; undefined if every deployment has it. */
export function optionalQueue(trigger: Trigger): QueueResource | undefined {
  if (trigger.kind === "schedule") return trigger.requires;
  return trigger.kind === "queue" && trigger.queue.forwardsTo !== undefined ? trigger.queue : undefined;
}

/** Whether only some deployments have a consumer. */
export const isOptional = (trigger: Trigger): boolean =>
  trigger.kind === "setting" || optionalQueue(trigger) !== undefined;

/** A function without an HTTP route: a queue, a table stream, a schedule or a state machine task invokes it. */
export interface ConsumerContract<
  Message extends z.ZodType = z.ZodType,
  Access extends readonly Grant[] = readonly Grant[],
> {
  readonly kind: "consumer";
  /** Verb and noun in camelCase. The file name is its kebab-case form. */
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly trigger: Trigger;
  /** Schema of one message (queue), of the keys of a new item (stream) or of the input (task). */
  readonly message: Message;
  readonly access: Access;
  readonly memoryMb: number;
  readonly timeoutS: number;
  /** Whether the function calls AWS text detection for scanned pages, where `reportReader` in cdk.json enables it. */
  readonly usesTextDetection?: boolean;
}

/**
 * Returns the environment variable that holds the dead-letter queue of a queue or stream consumer. The queue takes
 * messages that can never succeed.
 */
export function deadLetterVariable({ operationId }: { readonly operationId: string }): string {
  return `DEAD_LETTERS_${operationId.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase()}`;
}

type Defaulted = "kind" | "memoryMb" | "timeoutS";

/**
 * Declares one consumer as frozen plain data. `consume()` or `consumeBatch()` in lib/runtime turns it into a handler.
 */
export function consumer<const M extends z.ZodType, const A extends readonly Grant[]>(
  declaration: Omit<ConsumerContract<M, A>, Defaulted> & Partial<Pick<ConsumerContract<M, A>, Defaulted>>,
): ConsumerContract<M, A> {
  return Object.freeze({ kind: "consumer" as const, memoryMb: 512, timeoutS: 30, ...declaration });
}
