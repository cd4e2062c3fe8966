import { ReadWriteTracker } from "../aws-proxy/read-write-tracker.ts";
import type { DynamodbEngine } from "../engines/dynamodb.ts";
import type { FunctionHost } from "../functions/function-host.ts";
import type { QueueEngine } from "../sqs/queue-engine.ts";
import type { ResolvedAssembly } from "../template/read-assembly.ts";
import { readEventSourceMappings } from "../template/read-resources.ts";
import { Checkpoints } from "./checkpoints.ts";
import { QueueMapping } from "./queue-mapping.ts";
import { StreamMapping } from "./stream-mapping.ts";

/** The templates, and the engines that mappings connect. */
interface MappingParts {
  readonly assembly: ResolvedAssembly;
  readonly queues: QueueEngine;
  readonly host: FunctionHost;
  readonly dynamodb: DynamodbEngine;
}

type MappingDeclaration = ReturnType<typeof readEventSourceMappings>[number];

/** Runs all event source mappings of the templates. */
export class EventSourceMappings {
  readonly #checkpoints: Checkpoints;
  readonly #queues: QueueMapping[] = [];
  /** The mappings of streams, in the order of the templates. */
  readonly streams: StreamMapping[] = [];

  constructor(parts: MappingParts, checkpointsPath: string) {
    this.#checkpoints = new Checkpoints(checkpointsPath);
    for (const declared of readEventSourceMappings(parts.assembly)) {
      if (declared.sourceArn.includes(":sqs:")) this.#queues.push(queueMapping(declared, parts));
      else this.streams.push(streamMapping(declared, parts, this.#checkpoints));
    }
  }

  /** Number of queue mappings with a batch in progress. */
  get activeQueueMappings(): number {
    return this.#queues.filter((mapping) => mapping.isBusy).length;
  }

  /** Makes the stream of a written table poll soon. @param written a name as in {@link ReadWriteTracker}. */
  notifyWrite(written: string): void {
    for (const mapping of this.streams)
      if (ReadWriteTracker.affectsTable(written, mapping.tableName)) mapping.notifyWrite();
  }

  /** Processes all records that the streams contain now. @returns the number of records. */
  async drainStreams(): Promise<number> {
    const counts = await Promise.all(this.streams.map((mapping) => mapping.drain()));
    return counts.reduce((total, count) => total + count, 0);
  }

  async stop(): Promise<void> {
    for (const mapping of this.#queues) mapping.stop();
    await Promise.all(this.streams.map((mapping) => mapping.stop()));
    this.#checkpoints.close();
  }
}

function queueMapping(
  { functionArn, sourceArn, batchSize, maxConcurrency }: MappingDeclaration,
  { assembly, queues, host }: MappingParts,
): QueueMapping {
  const queueUrl = queues.queues().find(({ arn }) => arn === sourceArn)?.url ?? "";
  const { region } = assembly;
  const wiring = { queueUrl, queueArn: sourceArn, functionArn, batchSize, region };
  return new QueueMapping({ queues, host, ...wiring, ...(maxConcurrency === undefined ? {} : { maxConcurrency }) });
}

function streamMapping(
  declared: MappingDeclaration,
  { assembly, queues, host, dynamodb }: MappingParts,
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
    onDiscarded: (about) => deadLetters && queues.send(deadLetters.url, { body: JSON.stringify(about) }),
  });
}
