import { Changes } from "../front/changes.ts";
import type { LocalCloud } from "../local-cloud.ts";
import { mappingsOf } from "../template/wiring.ts";
import { Checkpoints } from "./checkpoints.ts";
import { QueueMapping } from "./queue-mapping.ts";
import { StreamMapping } from "./stream-mapping.ts";

type Parts = Pick<LocalCloud, "assembly" | "queues" | "host" | "dynamodb">;
type Declared = ReturnType<typeof mappingsOf>[number];

/** Runs all event source mappings of the templates. */
export class Mappings {
  readonly #checkpoints: Checkpoints;
  readonly #queues: QueueMapping[] = [];
  readonly #streams: StreamMapping[] = [];

  constructor(parts: Parts, checkpointsPath: string) {
    this.#checkpoints = new Checkpoints(checkpointsPath);
    for (const declared of mappingsOf(parts.assembly)) {
      if (declared.sourceArn.includes(":sqs:")) this.#queues.push(queueMapping(declared, parts));
      else this.#streams.push(streamMapping(declared, parts, this.#checkpoints));
    }
  }

  /** Number of queue mappings with a batch in progress. */
  get busy(): number {
    return this.#queues.filter((mapping) => mapping.isBusy).length;
  }

  /** Makes the stream of a written table poll soon. @param written a name as in {@link Changes}. */
  nudge(written: string): void {
    for (const mapping of this.#streams) if (Changes.isOf(written, mapping.tableName)) mapping.nudge();
  }

  /** Processes all records that the streams contain now. @returns the number of records. */
  async drainStreams(): Promise<number> {
    const counts = await Promise.all(this.#streams.map((mapping) => mapping.drain()));
    return counts.reduce((total, count) => total + count, 0);
  }

  async stop(): Promise<void> {
    for (const mapping of this.#queues) mapping.stop();
    await Promise.all(this.#streams.map((mapping) => mapping.stop()));
    this.#checkpoints.close();
  }
}

function queueMapping(
  { functionArn, sourceArn, batchSize, maxConcurrency }: Declared,
  { assembly, queues, host }: Parts,
): QueueMapping {
  const queueUrl = queues.queues().find(({ arn }) => arn === sourceArn)?.url ?? "";
  const { region } = assembly;
  const wiring = { queueUrl, queueArn: sourceArn, functionArn, batchSize, region };
  return new QueueMapping({ queues, host, ...wiring, ...(maxConcurrency === undefined ? {} : { maxConcurrency }) });
}

function streamMapping(
  declared: Declared,
  { assembly, queues, host, dynamodb }: Parts,
  checkpoints: Checkpoints,
): StreamMapping {
  const { functionArn, batchSize, maximumRetryAttempts, patterns, onFailureArn } = declared;
  const tableName = declared.sourceArn.split("/")[1] ?? "";
  const deadLetters = queues.queues().find(({ arn }) => arn === onFailureArn);
  return new StreamMapping({
    origin: dynamodb.origin,
    region: assembly.region,
    tableName,
    functionArn,
    host,
    checkpoints,
    batchSize,
    maximumRetryAttempts,
    patterns,
    onGivenUp: (about) => deadLetters && queues.send(deadLetters.url, { body: JSON.stringify(about) }),
  });
}
