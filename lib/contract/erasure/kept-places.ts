import { erased, expires, type Holding, nobodys } from "./holding.ts";

/** Something of the templates that keeps data or passes it on, other than tables. */
export interface KeptPlace extends Holding {
  readonly type: string;
  /** In words. */
  readonly name: string;
  /** What its logical id begins with, before the hash that CDK adds. */
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

/** A queue lets go of what it holds after four days, its dead letters after fourteen. */
const [QUEUE_DAYS, DEAD_LETTER_DAYS] = [4, 14];
/** Queues whose messages carry what was sent; in all others there are ids alone. */
const WITH_CONTENT = "ingestion";

/** Places where something of users is, or passes. A test fails for a resource of the templates that none of them names. */
export const keptPlaces: readonly KeptPlace[] = [
  place(
    BUCKET,
    "bucket `batches`",
    /^Batches$/,
    erased("batches that are too big for a message, until they are stored"),
  ),
  place(BUCKET, "bucket `streams`", /^Streams$/, erased("streams of workouts and sleep")),
  place(BUCKET, "bucket `userExports`", /^UserExports$/, erased("finished exports, for two days")),
  place(BUCKET, "bucket `orderPlacements`", /^OrderPlacements$/, erased("what laboratories are told, with pictures")),
  place(BUCKET, "bucket `reportFiles`", /^ReportFiles$/, erased("files of lab reports, and their words")),
  place(BUCKET, "bucket `reportUploads`", /^ReportUploads$/, erased("files of lab reports before they are parsed")),
  place(BUCKET, "bucket of access logs", /^AccessLogs$/, expires(91, "names of objects, which are ids")),
  place(QUEUE, "queue `ingestion`", /^QueueingestionQueue$/, expires(QUEUE_DAYS, "batches as they came in")),
  place(
    QUEUE,
    "dead letters of `ingestion`",
    /^QueueingestionDeadLettersQueue$/,
    expires(DEAD_LETTER_DAYS, "batches that could not be stored; an alarm tells of the first"),
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
  place("AWS::Events::EventBus", "event bus", /^Bus$/, nobodys("passes ids on and keeps nothing")),
  place("AWS::SNS::Topic", "topic of alarms", /^Alarms$/, nobodys("passes names of alarms on")),
];

/** The change stream of the events table, which no template resource of its own stands for. */
export const changeStream: Holding = expires(1, "new items of the table `events`, bodies of events among them");
