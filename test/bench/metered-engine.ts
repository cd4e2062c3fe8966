import { startDynamodb } from "../support/dynamodb.ts";

/** Requests and capacity units, as DynamoDB reports them. */
export interface EngineUsage {
  requests: number;
  readUnits: number;
  writeUnits: number;
}

/** The real DynamoDB engine in memory. Counts the requests and capacity of this process's stores. */
export class MeteredEngine {
  readonly #engine: Awaited<ReturnType<typeof startDynamodb>>;
  #usage: EngineUsage = { requests: 0, readUnits: 0, writeUnits: 0 };

  private constructor(engine: Awaited<ReturnType<typeof startDynamodb>>) {
    this.#engine = engine;
    engine.documents.middlewareStack.add(
      (next) => async (call) => {
        const answer = await next({
          ...call,
          input: { ...call.input, ReturnConsumedCapacity: "TOTAL" } as typeof call.input,
        });
        this.#count(
          (answer.output as { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] }).ConsumedCapacity,
          call.input,
        );
        return answer;
      },
      { step: "initialize", name: "count" },
    );
  }

  static async start(): Promise<MeteredEngine> {
    return new MeteredEngine(await startDynamodb());
  }

  get documents() {
    return this.#engine.documents;
  }

  /** Runs `work`. @returns its result, and the requests and capacity that it used. */
  async measureUsage<T>(work: () => Promise<T>): Promise<EngineUsage & { result: T }> {
    this.#usage = { requests: 0, readUnits: 0, writeUnits: 0 };
    const result = await work();
    return { ...this.#usage, result };
  }

  stop(): Promise<void> {
    return this.#engine.stop();
  }

  #count(consumed: ConsumedCapacity | ConsumedCapacity[] | undefined, input: object): void {
    this.#usage.requests++;
    // A batch of reads has an object for each table, a batch of writes a list.
    const batches = "RequestItems" in input ? Object.values(input.RequestItems as object) : [];
    const isWrite = "Item" in input || "Statements" in input || batches.some(Array.isArray);
    const isRead = "Keys" in input || "KeyConditionExpression" in input || !isWrite;
    for (const { CapacityUnits = 0 } of [consumed ?? []].flat()) {
      if (isRead) this.#usage.readUnits += CapacityUnits;
      else this.#usage.writeUnits += CapacityUnits;
    }
  }
}

interface ConsumedCapacity {
  CapacityUnits?: number;
}
