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
 * Resources of the service besides functions: tables with their entities, queues, buckets, machines, keys, secrets.
 * Stacks create these, grants name them, environments point at them; no other file declares storage.
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
/** Summaries by natural key. An index by day covers those whose key contains no date. */
export const summaryTable = table("summaries", {
  by_id: { partitionKey: "summary_id", sortKey: "sk" },
  by_day: { partitionKey: "summary_days", sortKey: "summary_time" },
});
/** Outbox, event feed, webhook endpoints, their deliveries and health, destinations, ingestion receipts, exports. */
export const eventTable = table("events", { unsent, due, by_endpoint: byEndpoint }, { stream: true });
const teamOrders = { partitionKey: "team_orders", sortKey: "created_at", carries: listedOfOrders };

/** Lab accounts, lab tests that teams created, and orders with their tasks and appointments. */
export const labTable = table("labs", { team_orders: teamOrders, due });
/** Audit log of the management interface, access log of calls that touched user data, and the seals of both. */
export const auditTable = table("audit");
/** Usage of teams by day, and their remaining requests within the current second. */
export const usageTable = table("usage");
/** Certificates of erasures, in a table that no restore of a backup affects. */
export const erasureTable = table("erasures");

/** Wrapped keys of users and teams. A short recovery window keeps erased keys from coming back with a restored copy. */
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
/** Last use of keys. A separate entity, because no route may change keys as a side effect. */
export const keyUses = entity("keyUses", directory, "key_use#");
export const pullPreferences = entity("pullPreferences", directory, "pull_preferences#");
export const customCredentials = entity("customCredentials", directory, "custom_credentials#");
export const scopeRequirements = entity("scopeRequirements", directory, "scope_requirements#");
export const sourcePriorities = entity("sourcePriorities", directory, "source_priorities#");
export const users = entity("users", directory, "user#");
export const portalSessions = entity("portalSessions", directory, "portal#");
/** Links to the order pages of users. */
export const userPortalLinks = entity("userPortalLinks", directory, "user_portal#");
/** Links to the review page of a lab report. */
export const reviewLinks = entity("reviewLinks", directory, "report_review#");
export const linkTokens = entity("linkTokens", directory, "link_token#");
export const signInTokens = entity("signInTokens", directory, "sign_in#");
export const sessions = entity("sessions", directory, "session#");
/** Tickets with which a browser starts OAuth. */
export const oauthTickets = entity("oauthTickets", directory, "oauth_ticket#");
/** Pending OAuth authorizations, and logins that wait for a code. */
export const oauthAttempts = entity("oauthAttempts", directory, "oauth_attempt#");
export const loginAttempts = entity("loginAttempts", directory, "login_attempt#");
export const connectionCredentials = entity("connectionCredentials", directory, "connection#");
/** Historical pulls of new connections. */
export const historicalPulls = entity("historicalPulls", directory, "pull#");
/** Progress of pulling each connection, its next due time, and the refreshes of each user. */
export const connectionPolls = entity("connectionPolls", directory, "poll#");
/** Data that each provider has sent for a user, by resource. */
export const deliveredData = entity("deliveredData", directory, "delivered#");
/** Connection starts of a team at a provider within the current window. */
export const throttles = entity("throttles", directory, "throttle#");
/** Bulk operations on connections, and their step for each user. */
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
/** Object keys of workout and sleep streams in the bucket {@link streams}. One store serves both. */
export const streamRecords = entity("streams", summaryTable, "stream#");
/** Results of continuous queries, one partition for each user. */
export const queryResults = entity("queryResults", summaryTable, "query_result#");
export const outbox = entity("outbox", eventTable, "event#");
export const eventFeed = entity("eventFeed", eventTable, "feed#");
export const webhookEndpoints = entity("webhookEndpoints", eventTable, "endpoint#");
/** Number of endpoints of a team, in total and for each host. */
export const endpointPlaces = entity("endpointPlaces", eventTable, "endpoint_places#");
export const deliveries = entity("deliveries", eventTable, "delivery#");
export const newestEvents = entity("newestEvents", eventTable, "newest#");
export const deliveryLeases = entity("deliveryLeases", eventTable, "lease#");
export const endpointHealth = entity("endpointHealth", eventTable, "health#");
export const endpointRates = entity("endpointRates", eventTable, "rate#");
/** Open attempts at slow endpoints, by team. */
export const deliverySlots = entity("deliverySlots", eventTable, "slots#");
export const deliveryMetrics = entity("deliveryMetrics", eventTable, "metric#");
export const webhookTasks = entity("webhookTasks", eventTable, "task#");
export const receipts = entity("receipts", eventTable, "receipt#");
/** Parts of phone synchronizations. */
export const syncParts = entity("syncParts", eventTable, "sync#");
/** Pending computations of continuous queries, with their due times. */
export const queryTasks = entity("queryTasks", eventTable, "query_task#");
export const destinations = entity("destinations", eventTable, "destination#");
export const exportJobs = entity("exportJobs", eventTable, "export#");
export const labTests = entity("labTests", labTable, "lab_test#");
export const labAccounts = entity("labAccounts", labTable, "lab_account#");
export const orders = entity("orders", labTable, "order#");
export const orderWork = entity("orderWork", labTable, "order_work#");
export const appointments = entity("appointments", labTable, "appointment#");
/** Reserved appointment times of all teams. */
export const slots = entity("slots", labTable, "slot#");
/** Physicians who have ordered for a team. */
export const physicians = entity("physicians", labTable, "physician#");
export const results = entity("results", labTable, "result#");
export const matchReviews = entity("matchReviews", labTable, "match_review#");
/** Messages of laboratories by their control ids. Each is received once. */
export const labMessages = entity("labMessages", labTable, "lab_message#");
/** Match tests of unmatched results, in a sandbox. */
export const matchTests = entity("matchTests", labTable, "match_test#");
/** Lab report jobs with the parsed content, and the number of jobs of a team. */
export const labReports = entity("labReports", labTable, "lab_report#");
/** Test names whose codes reviewers of lab reports have entered. */
export const reportAliases = entity("reportAliases", labTable, "report_alias#");
/** Responses to requests with an idempotency key. */
export const requests = entity("requests", labTable, "request#");
export const auditLog = entity("auditLog", auditTable, "audit#");
/** Calls that may have touched user data. */
export const accessLog = entity("accessLog", auditTable, "access#");
/** Unsealed hours of both logs. Their keys share the log's prefix: the writer of an entry also marks its hour. */
export const accessHours = entity("accessHours", auditTable, `${accessLog.keyPrefix}due#`);
export const auditHours = entity("auditHours", auditTable, `${auditLog.keyPrefix}due#`);
/** Hash chains over both logs, which expose later changes. */
export const auditChains = entity("auditChains", auditTable, "audit_chain#");
export const usage = entity("usage", usageTable, "usage#");
/** Certificates of erasures. */
export const erasures = entity("erasures", erasureTable, "erasure#");
export const teamKeys = entity("teamKeys", userKeyTable, "team_key#");
/** Keys that encrypt the data of users. */
export const userKeys = entity("userKeys", userKeyTable, "user_key#");

/** The EventBridge bus that carries references of all events. */
export const bus = { kind: "bus", name: "events" } as const;

/** Batches that are too large for a queue message, until they are stored. */
export const batches = bucket("batches", 14);
/** Workout and sleep streams, one object each. */
export const streams = bucket("streams");
/** Finished user exports, for as long as they can be downloaded. */
export const userExports = bucket("userExports", 2);
/** Order content for laboratories beyond what responses show, such as images that exceed a table item. */
export const orderPlacements = bucket("orderPlacements");
/** Files of lab reports, and the positions of words on their pages. */
export const reportFiles = bucket("reportFiles");
/** Lab report files uploaded to a signed URL, until parsing starts. */
export const reportUploads = bucket("reportUploads", 1);
const reportBuckets = [reportFiles, reportUploads] as const;
export const buckets: readonly BucketResource[] = [batches, streams, userExports, orderPlacements, ...reportBuckets];

/** The state machine that waits for the grace period of a deletion and then erases the user. */
export const deletionMachine = { kind: "machine", name: "deletion" } as const;

/** The KMS key for webhook secrets (envelope encryption). */
export const webhookSecretsKey = key("webhookSecrets", "secrets", "webhook-secret", "webhook-headers");
/** The KMS key for credentials of other services (envelope encryption). */
export const credentialsKey = key("credentials", "credentials", ...credentialPurposes);
/** The KMS key of all user data: it wraps the team keys, which wrap the user keys. */
export const dataKey = key("data", "userKeys", "user-keys");

/** The deployment's own applications at providers. Those of teams are in their custom credentials. */
export const providerApps = secret("providerApps");
export const secrets: readonly SecretResource[] = [providerApps];
