import { erased, expires, type Holding, nobodys } from "./holding.ts";

/** A resource of the templates, other than a table, that stores data or passes it on. */
export interface KeptPlace extends Holding {
  readonly type: string;
  /** Description in words. */
  readonly name: string;
  /** Prefix of its logical id, before the hash that CDK adds. */
  readonly logicalId: RegExp;
}

const [BUCKET, QUEUE] = ["AWS::S3::Bucket", "AWS::SQS::Queue"];
const LOG = "AWS::Logs::LogGroup";

const place = (type: string, name: string, logicalId: RegExp, holding: Holding): KeptPlace => ({
  type,
  name,
  logicalId,
  ...holding,
});

/** Retention of queues: 4 days, and 14 days for dead letters. */
const [QUEUE_DAYS, DEAD_LETTER_DAYS] = [4, 14];
/** The queue whose messages carry user data. All other queues carry ids only. */
const WITH_CONTENT = "ingestion";

/**
 * Data inventory of all resources that store user data or pass it on. A test fails for a resource of the templates
 * without an entry.
 */
export const keptPlaces: readonly KeptPlace[] = [
  place(
    BUCKET,
    "bucket `batches`",
    /^Batches$/,
    erased("batches that are too big for a message, until they are stored"),
  ),
  place(BUCKET, "bucket `streams`", /^Streams$/, erased("streams of workouts and sleep")),
  place(BUCKET, "bucket `userExports`", /^UserExports$/, erased("finished exports, for two days")),
  place(BUCKET, "bucket `orderPlacements`", /^OrderPlacements$/, erased("order content for laboratories, with images")),
  place(BUCKET, "bucket `reportFiles`", /^ReportFiles$/, erased("lab report files and their words")),
  place(BUCKET, "bucket `reportUploads`", /^ReportUploads$/, erased("lab report files before parsing")),
  place(BUCKET, "bucket of access logs", /^AccessLogs$/, expires(91, "names of objects, which are ids")),
  place(QUEUE, "queue `ingestion`", /^QueueingestionQueue$/, expires(QUEUE_DAYS, "received batches")),
  place(
    QUEUE,
    "dead letters of `ingestion`",
    /^QueueingestionDeadLettersQueue$/,
    expires(DEAD_LETTER_DAYS, "batches that could not be stored; an alarm reports the first"),
  ),
  place(
    QUEUE,
    "every other queue",
    new RegExp(`^Queue(?!${WITH_CONTENT}Queue$)(?!.*DeadLetters)\\w+Queue$`),
    expires(QUEUE_DAYS, "ids"),
  ),
  place(
    QUEUE,
    "all other dead letters",
    new RegExp(`^(Queue(?!${WITH_CONTENT}Dead)\\w+DeadLetters|Und\\w+|UnroutedEvents|\\w+Missed)Queue$`),
    expires(DEAD_LETTER_DAYS, "ids"),
  ),
  place(
    LOG,
    "log groups of functions",
    /^\w+Logs$(?<!^(Access|Machine)Logs)/,
    expires(90, "ids, counts, names of errors"),
  ),
  place(LOG, "access logs of the interfaces", /^AccessLogs$/, expires(90, "routes, without the path itself")),
  place(LOG, "log group of the deletion machine", /^MachineLogs$/, expires(90, "names of states, without their data")),
  place(
    "AWS::StepFunctions::StateMachine",
    "executions of the deletion machine",
    /^Machine$/,
    expires(90, "ids, instants and counts"),
  ),
  place("AWS::Events::EventBus", "event bus", /^Bus$/, nobodys("passes ids on and stores nothing")),
  place("AWS::SNS::Topic", "topic of alarms", /^Alarms$/, nobodys("passes names of alarms on")),
];

/** The change stream of the events table. It has no template resource of its own. */
export const changeStream: Holding = expires(1, "new items of the table `events`, bodies of events among them");
