/**
 * What the service consists of besides functions: tables with their entities, queues, buckets, machines, keys.
 * Stacks create these, grants name them, environments point at them; nothing else declares storage.
 */

/** The key attributes of a sparse index and what else it carries: whole items unless it names the attributes. */
export interface IndexKeys {
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Empty for the keys alone. */
  readonly carries?: readonly string[];
}

/** A DynamoDB table; every table has the string keys `pk` and `sk`. */
export interface TableResource {
  readonly kind: "table";
  readonly name: string;
  /** Sparse secondary indexes: index name -> its key attributes. */
  readonly indexes: Readonly<Record<string, IndexKeys>>;
  /** Whether changes are streamed to a relay. */
  readonly stream: boolean;
}

/** One kind of item inside a table, told apart by the prefix of its partition key. */
export interface EntityResource<Store extends string = string> {
  readonly kind: "entity";
  /** The name under which a function receives the store of this entity. */
  readonly store: Store;
  readonly table: TableResource;
  /** What every partition key of the entity begins with; the grant is limited to it (`dynamodb:LeadingKeys`). */
  readonly keyPrefix: string;
}

const table = (
  name: string,
  indexes: TableResource["indexes"] = {},
  options: { stream?: boolean } = {},
): TableResource => ({ kind: "table", name, indexes, stream: options.stream ?? false });

const entity = <const Store extends string>(
  store: Store,
  ofTable: TableResource,
  keyPrefix: string,
): EntityResource<Store> => ({ kind: "entity", store, table: ofTable, keyPrefix });

const byTeam = { partitionKey: "team_users", sortKey: "team_users_sort", carries: [] };
const unsent = {
  partitionKey: "unsent_shard",
  sortKey: "created_at",
  carries: ["event_id", "team_id", "user_id", "type", "key", "version", "order_key"],
};
const due = { partitionKey: "due_shard", sortKey: "due_at" };
const byEndpoint = { partitionKey: "of_endpoint", sortKey: "planned_at", carries: [] };

/** Organisations, teams, keys, users and the reservations of their `client_user_id`. */
export const directory = table("directory", { team_users: byTeam, due });
/** Timeseries chunks. */
export const samples = table("samples");
/** Summaries by their natural key, and by day those of which the key tells no time. */
export const summaryTable = table("summaries", {
  by_id: { partitionKey: "summary_id", sortKey: "sk" },
  by_day: { partitionKey: "summary_days", sortKey: "summary_time" },
});
/** Outbox, event feed, webhook endpoints, their deliveries and health, destinations, ingestion receipts, exports. */
export const eventTable = table("events", { unsent, due, by_endpoint: byEndpoint }, { stream: true });
/** Lab accounts and the lab tests that teams have made. */
export const labTable = table("labs");
/** Who did what through the management interface. */
export const auditTable = table("audit");
/** What teams have used by day, and what they may still ask for within this second. */
export const usageTable = table("usage");

export const tables: readonly TableResource[] = [
  directory,
  samples,
  summaryTable,
  eventTable,
  labTable,
  auditTable,
  usageTable,
];

export const orgs = entity("orgs", directory, "org#");
export const teams = entity("teams", directory, "team#");
export const keys = entity("keys", directory, "key#");
/** When keys were last used: apart from the keys themselves, which no route may change by the way. */
export const keyUses = entity("keyUses", directory, "key_use#");
export const pullPreferences = entity("pullPreferences", directory, "pull_preferences#");
export const customCredentials = entity("customCredentials", directory, "custom_credentials#");
export const scopeRequirements = entity("scopeRequirements", directory, "scope_requirements#");
export const users = entity("users", directory, "user#");
export const portalSessions = entity("portalSessions", directory, "portal#");
export const quotas = entity("quotas", directory, "quota#");
export const reservations = entity("reservations", directory, "client_user#");
export const userInfos = entity("userInfos", directory, "info#");
export const insurances = entity("insurances", directory, "insurance#");
export const payors = entity("payors", directory, "payor#");
export const continuousQueries = entity("continuousQueries", directory, "query#");
export const chunks = entity("chunks", samples, "chunk#");
export const summaries = entity("summaries", summaryTable, "summary#");
/** Where the streams of workouts and sleep are among the objects of the bucket {@link streams}; one store has both. */
export const streamRecords = entity("streams", summaryTable, "stream#");
export const outbox = entity("outbox", eventTable, "event#");
export const eventFeed = entity("eventFeed", eventTable, "feed#");
export const webhookEndpoints = entity("webhookEndpoints", eventTable, "endpoint#");
export const deliveries = entity("deliveries", eventTable, "delivery#");
export const newestEvents = entity("newestEvents", eventTable, "newest#");
export const deliveryLeases = entity("deliveryLeases", eventTable, "lease#");
export const endpointHealth = entity("endpointHealth", eventTable, "health#");
export const endpointRates = entity("endpointRates", eventTable, "rate#");
export const deliveryMetrics = entity("deliveryMetrics", eventTable, "metric#");
export const webhookTasks = entity("webhookTasks", eventTable, "task#");
export const receipts = entity("receipts", eventTable, "receipt#");
export const destinations = entity("destinations", eventTable, "destination#");
export const exportJobs = entity("exportJobs", eventTable, "export#");
export const labTests = entity("labTests", labTable, "lab_test#");
export const labAccounts = entity("labAccounts", labTable, "lab_account#");
export const auditLog = entity("auditLog", auditTable, "audit#");
export const usage = entity("usage", usageTable, "usage#");

/** What a deployment can have events forwarded to. */
export type ForwardKind = "kinesis" | "sqs" | "bus";

/** An SQS queue; each has a dead-letter queue of its own. */
export interface QueueResource<Name extends string = string> {
  readonly kind: "queue";
  readonly name: Name;
  /** Of a queue that is there only where events are forwarded to such targets. */
  readonly forwardsTo?: ForwardKind;
}
const queue = <const Name extends string>(name: Name, forwardsTo?: ForwardKind): QueueResource<Name> => ({
  kind: "queue",
  name,
  ...(forwardsTo === undefined ? {} : { forwardsTo }),
});

/** Batches of samples waiting to be stored. */
export const ingestion = queue("ingestion");
/** Events waiting to be planned for the endpoints of their team; fed by the bus. */
export const webhooks = queue("webhooks");
/** Webhook attempts due now or within 15 minutes. */
export const webhookAttempts = queue("webhookAttempts");
/** Steps of sending many deliveries again. */
export const webhookTaskSteps = queue("webhookTaskSteps");
/** Exports of users waiting to be run. */
export const exportRuns = queue("exportRuns");
/** Events on their way to the destinations of their teams, unless the deployment forwards them elsewhere. */
export const teamForwards = queue("teamForwards");
/** Events on their way to Kinesis streams, to queues and to buses of the deployment's choice. */
export const kinesisForwards = queue("kinesisForwards", "kinesis");
export const queueForwards = queue("queueForwards", "sqs");
export const busForwards = queue("busForwards", "bus");
export const queues: readonly QueueResource[] = [
  ingestion,
  webhooks,
  webhookAttempts,
  webhookTaskSteps,
  exportRuns,
  teamForwards,
  kinesisForwards,
  queueForwards,
  busForwards,
];

/** The EventBridge bus that carries the ids of every event. */
export const bus = { kind: "bus", name: "events" } as const;

/** An S3 bucket; objects are named by whoever keeps them. */
export interface BucketResource<Name extends string = string> {
  readonly kind: "bucket";
  readonly name: Name;
  /** After so many days an object is deleted by itself; absent where objects stay until they are dropped. */
  readonly expireDays?: number;
}
const bucket = <const Name extends string>(name: Name, expireDays?: number): BucketResource<Name> => ({
  kind: "bucket",
  name,
  ...(expireDays === undefined ? {} : { expireDays }),
});

/** Batches too big for a queue message, until they are stored. */
export const batches = bucket("batches", 14);
/** Streams of workouts and sleep, one object each. */
export const streams = bucket("streams");
/** Finished exports of users, for as long as they can be downloaded. */
export const userExports = bucket("userExports", 2);
export const buckets: readonly BucketResource[] = [batches, streams, userExports];

/** The state machine that holds a deletion for its grace period and then erases. */
export const deletionMachine = { kind: "machine", name: "deletion" } as const;

/** A KMS key of its own kind of secrets; `use` is the name under which a function receives the envelopes under it. */
export interface KeyResource<Use extends string = string> {
  readonly kind: "key";
  readonly name: string;
  readonly use: Use;
}
const key = <const Use extends string>(name: string, use: Use): KeyResource<Use> => ({ kind: "key", name, use });

/** The KMS key under which webhook secrets are enveloped. */
export const webhookSecretsKey = key("webhookSecrets", "secrets");
/** The KMS key under which credentials for other services are enveloped. */
export const credentialsKey = key("credentials", "credentials");
