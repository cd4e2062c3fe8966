import type { StreamMapping } from "../../../lib/local/event-source-mappings/stream-mapping.ts";
import type { Arrivals } from "./arrivals.ts";
import type { CallScheduler } from "./call-scheduler.ts";

/** The polls of a stream: steps, of which at most one waits. A write to the table adds one. */
export class ScheduledPolls {
  readonly #stream: StreamMapping;
  readonly #scheduler: CallScheduler;
  readonly #arrivals: Arrivals;
  #waiting: Promise<number> | undefined;

  /** Takes over the polls of a stream, for the life of its mapping. */
  constructor(stream: StreamMapping, scheduler: CallScheduler, arrivals: Arrivals) {
    this.#stream = stream;
    this.#scheduler = scheduler;
    this.#arrivals = arrivals;
    stream.holdPolls();
    // At the end the engine stops before the last poll.
    stream.notifyWrite = () => void this.#poll().catch(() => undefined);
  }

  /** Processes all records that the stream contains. @returns the number of records. */
  async drain(): Promise<number> {
    let all = 0;
    for (let records = 1; records > 0; all += records) records = await this.#poll();
    return all;
  }

  #poll(): Promise<number> {
    this.#waiting ??= this.#pollAtItsTurn().finally(() => {
      this.#waiting = undefined;
    });
    return this.#waiting;
  }

  /** The turn ends before the function has processed the records, which makes steps of its own. */
  async #pollAtItsTurn(): Promise<number> {
    await this.#scheduler.step(`poll of ${this.#stream.tableName}`, async () => undefined);
    return this.#arrivals.send("stream", () => this.#stream.look());
  }
}
