import { credentialPurposes } from "./credential-purposes.ts";
import { listedOfOrders } from "./listed-orders.ts";
import {
  type BucketResource,
  bucket,
  entity,
  key,
  type SecretResource,
  secret,
  type TableResource,
  table,
} from "./resource-kinds.ts";

/**
 * What the service consists of besides functions: tables with their entities, queues, buckets, machines, keys, secrets.
 * Stacks create these, grants name them, environments point at them; nothing else declares storage.
 */

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
const teamOrders = { partitionKey: "team_orders", sortKey: "created_at", carries: listedOfOrders };

/** Lab accounts, the lab tests that teams have made, and orders with their work and appointments. */
export const labTable = table("labs", { team_orders: teamOrders, due });
/** Who did what through the management interface, which calls touched data of users, and the seals of both. */
export const auditTable = table("audit");
/** What teams have used by day, and what they may still ask for within this second. */
export const usageTable = table("usage");
/** Who was erased, apart from all that may be restored from a backup. */
export const erasureTable = table("erasures");

/** Keys of users and of teams, wrapped. What its copies can bring back has to be over soon after an erasure. */
export const userKeyTable = table("userKeys", {}, { mostRestoreDays: 7 });

export const tables: readonly TableResource[] = [
  directory,
  samples,
  summaryTable,
  eventTable,
  labTable,
  auditTable,
  usageTable,
  erasureTable,
  userKeyTable,
];

export const orgs = entity("orgs", directory, "org#");
export const teams = entity("teams", directory, "team#");
export const keys = entity("keys", directory, "key#");
/** When keys were last used: apart from the keys themselves, which no route may change by the way. */
export const keyUses = entity("keyUses", directory, "key_use#");
export const pullPreferences = entity("pullPreferences", directory, "pull_preferences#");
export const customCredentials = entity("customCredentials", directory, "custom_credentials#");
export const scopeRequirements = entity("scopeRequirements", directory, "scope_requirements#");
export const sourcePriorities = entity("sourcePriorities", directory, "source_priorities#");
export const users = entity("users", directory, "user#");
export const portalSessions = entity("portalSessions", directory, "portal#");
/** Links to the pages on which users see their orders. */
export const userPortalLinks = entity("userPortalLinks", directory, "user_portal#");
/** Links to the page on which somebody looks through a lab report. */
export const reviewLinks = entity("reviewLinks", directory, "report_review#");
export const linkTokens = entity("linkTokens", directory, "link_token#");
export const signInTokens = entity("signInTokens", directory, "sign_in#");
export const sessions = entity("sessions", directory, "session#");
/** Tickets by which a browser begins OAuth. */
export const oauthTickets = entity("oauthTickets", directory, "oauth_ticket#");
/** Users on the way through a provider's own pages, and logins that wait for a code. */
export const oauthAttempts = entity("oauthAttempts", directory, "oauth_attempt#");
export const loginAttempts = entity("loginAttempts", directory, "login_attempt#");
export const connectionCredentials = entity("connectionCredentials", directory, "connection#");
/** Pulls of the histories of new connections. */
export const historicalPulls = entity("historicalPulls", directory, "pull#");
/** What of each connection is pulled, and when somebody is to look again; and how often users were refreshed. */
export const connectionPolls = entity("connectionPolls", directory, "poll#");
/** What each provider has sent of a user, by resource. */
export const deliveredData = entity("deliveredData", directory, "delivered#");
/** Connections of a team that may still be begun with at a provider for now. */
export const throttles = entity("throttles", directory, "throttle#");
/** Work on many connections at once, and what of it is to be done for each user. */
export const bulkOps = entity("bulkOps", directory, "bulk_op#");
export const bulkSteps = entity("bulkSteps", directory, "bulk_step#");
export const providerAccounts = entity("providerAccounts", directory, "account#");
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
/** The results of continuous queries, of each user in one partition. */
export const queryResults = entity("queryResults", summaryTable, "query_result#");
export const outbox = entity("outbox", eventTable, "event#");
export const eventFeed = entity("eventFeed", eventTable, "feed#");
export const webhookEndpoints = entity("webhookEndpoints", eventTable, "endpoint#");
/** How many endpoints a team has, in all and at each host. */
export const endpointPlaces = entity("endpointPlaces", eventTable, "endpoint_places#");
export const deliveries = entity("deliveries", eventTable, "delivery#");
export const newestEvents = entity("newestEvents", eventTable, "newest#");
export const deliveryLeases = entity("deliveryLeases", eventTable, "lease#");
export const endpointHealth = entity("endpointHealth", eventTable, "health#");
export const endpointRates = entity("endpointRates", eventTable, "rate#");
/** Attempts that are open to slow endpoints, by team. */
export const deliverySlots = entity("deliverySlots", eventTable, "slots#");
export const deliveryMetrics = entity("deliveryMetrics", eventTable, "metric#");
export const webhookTasks = entity("webhookTasks", eventTable, "task#");
export const receipts = entity("receipts", eventTable, "receipt#");
/** Parts of what phones synchronise. */
export const syncParts = entity("syncParts", eventTable, "sync#");
/** What is to be computed of continuous queries, and when. */
export const queryTasks = entity("queryTasks", eventTable, "query_task#");
export const destinations = entity("destinations", eventTable, "destination#");
export const exportJobs = entity("exportJobs", eventTable, "export#");
export const labTests = entity("labTests", labTable, "lab_test#");
export const labAccounts = entity("labAccounts", labTable, "lab_account#");
export const orders = entity("orders", labTable, "order#");
export const orderWork = entity("orderWork", labTable, "order_work#");
export const appointments = entity("appointments", labTable, "appointment#");
/** Times that are taken, of all teams. */
export const slots = entity("slots", labTable, "slot#");
/** Who has ordered for a team. */
export const physicians = entity("physicians", labTable, "physician#");
export const results = entity("results", labTable, "result#");
export const matchReviews = entity("matchReviews", labTable, "match_review#");
/** Messages that laboratories have sent, by their own numbers: each is taken once. */
export const labMessages = entity("labMessages", labTable, "lab_message#");
/** Trials of unmatched results, in a sandbox. */
export const matchTests = entity("matchTests", labTable, "match_test#");
/** Lab reports that are parsed, with what was read of them, and how many a team has. */
export const labReports = entity("labReports", labTable, "lab_report#");
/** Names of tests whose codes people have told while they looked through lab reports. */
export const reportAliases = entity("reportAliases", labTable, "report_alias#");
/** Answers to requests that carried an idempotency key. */
export const requests = entity("requests", labTable, "request#");
export const auditLog = entity("auditLog", auditTable, "audit#");
/** Calls that may have touched data of users. */
export const accessLog = entity("accessLog", auditTable, "access#");
/** Hours of both logs that are not sealed yet; within the keys of the logs, as whoever notes a call marks its hour. */
export const accessHours = entity("accessHours", auditTable, `${accessLog.keyPrefix}due#`);
export const auditHours = entity("auditHours", auditTable, `${auditLog.keyPrefix}due#`);
/** Chains of hashes over both logs, by which a later change is found. */
export const auditChains = entity("auditChains", auditTable, "audit_chain#");
export const usage = entity("usage", usageTable, "usage#");
/** Certificates of erasures. */
export const erasures = entity("erasures", erasureTable, "erasure#");
export const teamKeys = entity("teamKeys", userKeyTable, "team_key#");
/** Under which the data of users is sealed. */
export const userKeys = entity("userKeys", userKeyTable, "user_key#");

/** The EventBridge bus that carries the ids of every event. */
export const bus = { kind: "bus", name: "events" } as const;

/** Batches too big for a queue message, until they are stored. */
export const batches = bucket("batches", 14);
/** Streams of workouts and sleep, one object each. */
export const streams = bucket("streams");
/** Finished exports of users, for as long as they can be downloaded. */
export const userExports = bucket("userExports", 2);
/** What laboratories are told with orders beside what answers show: among it pictures that no table item holds. */
export const orderPlacements = bucket("orderPlacements");
/** The files of lab reports, and where the words stand on their pages. */
export const reportFiles = bucket("reportFiles");
/** Files of lab reports that are sent to a signed address, until their parsing is started. */
export const reportUploads = bucket("reportUploads", 1);
const reportBuckets = [reportFiles, reportUploads] as const;
export const buckets: readonly BucketResource[] = [batches, streams, userExports, orderPlacements, ...reportBuckets];

/** The state machine that holds a deletion for its grace period and then erases. */
export const deletionMachine = { kind: "machine", name: "deletion" } as const;

/** The KMS key under which webhook secrets are enveloped. */
export const webhookSecretsKey = key("webhookSecrets", "secrets", "webhook-secret", "webhook-headers");
/** The KMS key under which credentials for other services are enveloped. */
export const credentialsKey = key("credentials", "credentials", ...credentialPurposes);
/** The KMS key of all data, where it wraps the keys of teams, which wrap those of users. */
export const dataKey = key("data", "userKeys", "user-keys");

/** The deployment's own applications at providers; teams' lie with their custom credentials. */
export const providerApps = secret("providerApps");
export const secrets: readonly SecretResource[] = [providerApps];
