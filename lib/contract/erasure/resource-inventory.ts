import { erasedData, expiringData, type InventoryEntry, nonPersonalData, releasedData } from "./data-inventory.ts";

/** A resource of the templates, other than a table, that stores data or passes it on. */
export interface InventoriedResource extends InventoryEntry {
  readonly type: string;
  /** Description in words. */
  readonly name: string;
  /** Prefix of its logical id, before the hash that CDK adds. */
  readonly logicalId: RegExp;
}

const [BUCKET, QUEUE] = ["AWS::S3::Bucket", "AWS::SQS::Queue"];
const LOG = "AWS::Logs::LogGroup";

const place = (type: string, name: string, logicalId: RegExp, holding: InventoryEntry): InventoriedResource => ({
  type,
  name,
  logicalId,
  ...holding,
});

/** Retention of queues: 4 days, and 14 days for dead letters. */
const [QUEUE_DAYS, DEAD_LETTER_DAYS] = [4, 14];
/** The queue whose messages carry user data. All other queues carry ids only. */
const CONTENT_QUEUE = "ingestion";

/**
 * Data inventory of all resources that store user data or pass it on. A test fails for a resource of the templates
 * without an entry.
 */
export const resourceInventory: readonly InventoriedResource[] = [
  place(
    BUCKET,
    "bucket `batches`",
    /^Batches$/,
    erasedData("batches that are too big for a message, until they are stored"),
  ),
  place(BUCKET, "bucket `streams`", /^Streams$/, erasedData("streams of workouts and sleep")),
  place(
    BUCKET,
    "bucket `rawPayloads`",
    /^RawPayloads$/,
    erasedData("responses and pushes of providers as received, and their mapping"),
  ),
  place(BUCKET, "bucket `userExports`", /^UserExports$/, erasedData("finished exports, for two days")),
  place(
    BUCKET,
    "bucket `orderPlacements`",
    /^OrderPlacements$/,
    erasedData("order content for laboratories, with images"),
  ),
  place(BUCKET, "bucket `reportFiles`", /^ReportFiles$/, erasedData("lab report files and their words")),
  place(BUCKET, "bucket `reportUploads`", /^ReportUploads$/, erasedData("lab report files before parsing")),
  place(
    BUCKET,
    "bucket `lake`",
    /^Lake$/,
    releasedData("eraseFromLake", "rows of samples, summaries, events and orders, in tables"),
  ),
  place(BUCKET, "bucket of access logs", /^AccessLogs$/, expiringData(91, "names of objects, which are ids")),
  place(QUEUE, "queue `ingestion`", /^QueueingestionQueue$/, expiringData(QUEUE_DAYS, "received batches")),
  place(
    QUEUE,
    "dead letters of `ingestion`",
    /^QueueingestionDeadLettersQueue$/,
    expiringData(DEAD_LETTER_DAYS, "batches that could not be stored; an alarm reports the first"),
  ),
  place(
    QUEUE,
    "every other queue",
    new RegExp(`^Queue(?!${CONTENT_QUEUE}Queue$)(?!.*DeadLetters)\\w+Queue$`),
    expiringData(QUEUE_DAYS, "ids"),
  ),
  place(
    QUEUE,
    "all other dead letters",
    new RegExp(`^(Queue(?!${CONTENT_QUEUE}Dead)\\w+DeadLetters|Und\\w+|UnroutedEvents|\\w+Missed)Queue$`),
    expiringData(DEAD_LETTER_DAYS, "ids"),
  ),
  place(
    LOG,
    "log groups of functions",
    /^\w+Logs$(?<!^(Access|Machine)Logs)/,
    expiringData(90, "ids, counts, names of errors"),
  ),
  place(LOG, "access logs of the interfaces", /^AccessLogs$/, expiringData(90, "routes, without the path itself")),
  place(
    LOG,
    "log group of the deletion machine",
    /^MachineLogs$/,
    expiringData(90, "names of states, without their data"),
  ),
  place(
    "AWS::StepFunctions::StateMachine",
    "executions of the deletion machine",
    /^Machine$/,
    expiringData(90, "ids, instants and counts"),
  ),
  place("AWS::Events::EventBus", "event bus", /^Bus$/, nonPersonalData("passes ids on and stores nothing")),
  place("AWS::SNS::Topic", "topic of alarms", /^Alarms$/, nonPersonalData("passes names of alarms on")),
];

/** The change stream of the events table. It has no template resource of its own. */
export const changeStreamEntry: InventoryEntry = expiringData(
  1,
  "new items of the table `events`, bodies of events among them",
);
