import type * as z from "zod";
import type { Grant } from "./access.ts";
import type { QueueResource, TableResource } from "./resource-kinds.ts";

/** What sets a consumer off. */
export type Trigger =
  | {
      readonly kind: "queue";
      readonly queue: QueueResource;
      readonly batchSize: number;
      /** Containers at a time, 2 to 1,000: what one queue takes from the account's concurrency, and from what it calls. */
      readonly maxConcurrency: number;
    }
  | {
      readonly kind: "stream";
      readonly table: TableResource;
      /** Only new items whose partition key begins with this, */
      readonly keyPrefix: string;
      /** and their sort key with this. */
      readonly sortKeyPrefix: string;
      readonly batchSize: number;
    }
  | { readonly kind: "schedule"; readonly rate: { readonly minutes: number } }
  | { readonly kind: "task" };

/** A function that is not called by HTTP: fed by a queue, a table stream, a schedule or a state machine's task. */
export interface ConsumerContract<
  Message extends z.ZodType = z.ZodType,
  Access extends readonly Grant[] = readonly Grant[],
> {
  readonly kind: "consumer";
  /** camelCase verb and noun; the file is its kebab-case form. */
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly trigger: Trigger;
  /** One message (queue), new item's keys (stream) or input (task). */
  readonly message: Message;
  readonly access: Access;
  readonly memoryMb: number;
  readonly timeoutS: number;
  /** Whether it has a service of AWS find the words of scans, where a deployment says so (`reportReader` in cdk.json). */
  readonly detectsText?: boolean;
}

/** The environment variable that tells a consumer of a queue or stream where messages go that can never succeed. */
export function deadLettersName({ operationId }: { readonly operationId: string }): string {
  return `DEAD_LETTERS_${operationId.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase()}`;
}

type Defaulted = "kind" | "memoryMb" | "timeoutS";

/** Declares one consumer as frozen plain data; `consume()` or `consumeBatch()` in lib/runtime turns it into a handler. */
export function consumer<const M extends z.ZodType, const A extends readonly Grant[]>(
  declaration: Omit<ConsumerContract<M, A>, Defaulted> & Partial<Pick<ConsumerContract<M, A>, Defaulted>>,
): ConsumerContract<M, A> {
  return Object.freeze({ kind: "consumer" as const, memoryMb: 512, timeoutS: 30, ...declaration });
}
