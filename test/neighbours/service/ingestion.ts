import { contract } from "../../../functions/ingest/store-batch.ts";
import { FairQueue, type QueuedMessage } from "../cloud/fair-queue.ts";
import { FunctionPool } from "../cloud/function-pool.ts";
import type { VirtualTime } from "../cloud/virtual-time.ts";
import type { RandomDraws } from "./random-draws.ts";

/** A batch in the ingestion queue. */
export interface Push {
  readonly teamId: string;
  /** Parts of a large batch that are left, each a message; 0 for a small one. */
  readonly parts: number;
  readonly onStored: () => void;
}

/** Time from a visible message to its invocation, to store a small batch, and to store 200 chunks of a large one, ms. */
const START_MS = [5, 25] as const;
const SMALL_MS: readonly [number, number] = [40, 90];
const PART_MS: readonly [number, number] = [400, 600];

/** A model of the ingestion queue and `storeBatch`: messages take time, and a large batch is stored part by part. */
export class Ingestion {
  readonly pool: FunctionPool<Push>;
  readonly #queue: FairQueue<Push>;

  constructor(time: VirtualTime, random: RandomDraws) {
    const { trigger } = contract;
    if (trigger.kind !== "queue") throw new Error("not a consumer of a queue");
    const queue = new FairQueue<Push>(time);
    this.#queue = queue;
    const invoke = async (messages: readonly QueuedMessage<Push>[]) => {
      for (const { body: push } of messages) {
        await time.after(random.between(...(push.parts > 0 ? PART_MS : SMALL_MS)));
        if (push.parts > 1) this.send({ ...push, parts: push.parts - 1 });
        else push.onStored();
      }
      return new Set<never>();
    };
    const startMs = () => random.between(...START_MS);
    const { maxConcurrency: most, batchSize } = trigger;
    this.pool = new FunctionPool(time, { queue, most, batchSize, startMs, invoke });
  }

  send(push: Push): void {
    this.#queue.send(push, push.teamId, 0);
  }

  get queued(): number {
    return this.#queue.size;
  }
}
