import { credentialPurposes } from "./credential-purposes.ts";
import type { BucketResource, SecretResource, TableResource } from "./resource-kinds.ts";
import { bucket, entity, key, secret, table, teamEntity } from "./resource-kinds.ts";
import { byClientUserId, byEndpoint, byTeam, due, reportsByStatus, teamOrders, unsent } from "./table-indexes.ts";

/**
 * Resources of the service besides functions: tables with their entities, queues, buckets, machines, keys, secrets.
 * Stacks create these, grants name them, environments point at them; no other file declares storage.
 */

/** Organisations, teams, keys, users and the reservations of their `client_user_id`. */
export const directoryTable = table("directory", {
  team_users: byTeam,
  client_user_ids: byClientUserId,
  due,
});
/** Timeseries chunks. */
export const sampleTable = table("samples");
/** Summaries by natural key. An index by day covers those whose key contains no date. */
export const summaryTable = table("summaries", {
  by_id: { partitionKey: "summary_id", sortKey: "sk" },
  by_day: { partitionKey: "summary_days", sortKey: "summary_time" },
});
/** Outbox, event feed, webhook endpoints, their deliveries and health, destinations, ingestion receipts, exports. */
export const eventTable = table("events", { unsent, due, by_endpoint: byEndpoint }, { stream: true });
/** Lab accounts, lab tests that teams created, and orders with their tasks and appointments. */
export const labTable = table("labs", { team_orders: teamOrders, reports_by_status: reportsByStatus, due });
/** Audit log of the management interface, access log of calls that touched user data, and the seals of both. */
export const auditTable = table("audit");
/** Usage of teams by day, and their remaining requests within the current second. */
export const usageTable = table("usage");
/** Certificates of erasures, in a table that no restore of a backup affects. */
export const erasureTable = table("erasures");

/** Wrapped keys of users and teams. A short recovery window keeps erased keys from coming back with a restored copy. */
export const userKeyTable = table("userKeys", {}, { maxRestoreDays: 7 });

export const tables: readonly TableResource[] = [
  directoryTable,
  sampleTable,
  summaryTable,
  eventTable,
  labTable,
  auditTable,
  usageTable,
  erasureTable,
  userKeyTable,
];

export const orgs = teamEntity("orgs", directoryTable, "org#");
export const teams = teamEntity("teams", directoryTable, "team#");
export const keys = teamEntity("keys", directoryTable, "key#");
/** Last use of keys. A separate entity, because no route may change keys as a side effect. */
export const keyUses = teamEntity("keyUses", directoryTable, "key_use#");
export const pullPreferences = teamEntity("pullPreferences", directoryTable, "pull_preferences#");
export const customCredentials = teamEntity("customCredentials", directoryTable, "custom_credentials#");
export const scopeRequirements = teamEntity("scopeRequirements", directoryTable, "scope_requirements#");
export const sourcePriorities = teamEntity("sourcePriorities", directoryTable, "source_priorities#");
export const users = entity("users", directoryTable, "user#");
/** SMART clients of teams, and the ids of their used assertions. */
export const fhirClients = teamEntity("fhirClients", directoryTable, "fhir_client#");
/** Sessions of the console, and the one-time tickets that open them. */
export const consoleSessions = teamEntity("consoleSessions", directoryTable, "console_session#");
export const consoleTickets = teamEntity("consoleTickets", directoryTable, "console_ticket#");
/** OpenID Connect providers at which the people of a team sign in to the console, and the sign-ins that wait for them. */
export const consoleProviders = teamEntity("consoleProviders", directoryTable, "console_provider#");
export const consoleSignIns = teamEntity("consoleSignIns", directoryTable, "console_sign_in#");
export const portalSessions = teamEntity("portalSessions", directoryTable, "portal#");
/** Links to the order pages of users. */
export const userPortalLinks = entity("userPortalLinks", directoryTable, "user_portal#");
/** Links to the review page of a lab report. */
export const reviewLinks = entity("reviewLinks", directoryTable, "report_review#");
export const linkTokens = entity("linkTokens", directoryTable, "link_token#");
export const signInTokens = entity("signInTokens", directoryTable, "sign_in#");
export const sessions = entity("sessions", directoryTable, "session#");
/** Tickets with which a browser starts OAuth. */
export const oauthTickets = entity("oauthTickets", directoryTable, "oauth_ticket#");
/** Pending OAuth authorizations, and logins that wait for a code. */
export const oauthAttempts = entity("oauthAttempts", directoryTable, "oauth_attempt#");
export const loginAttempts = entity("loginAttempts", directoryTable, "login_attempt#");
export const connectionCredentials = entity("connectionCredentials", directoryTable, "connection#");
/** Consents of users to connections, with their signed receipts. */
export const consents = entity("consents", directoryTable, "consent#");
/** Keys with which teams sign consent receipts. */
export const consentKeys = teamEntity("consentKeys", directoryTable, "consent_key#");
/** Historical pulls of new connections. */
export const historicalPulls = entity("historicalPulls", directoryTable, "pull#");
/** Progress of pulling each connection, its next due time, and the refreshes of each user. */
export const connectionPolls = entity("connectionPolls", directoryTable, "poll#");
/** Deadlines of connections for new data, and the stale connections of a team. */
export const connectionHealth = entity("connectionHealth", directoryTable, "connection_health#");
/** Data that each provider has sent for a user, by resource. */
export const deliveredData = entity("deliveredData", directoryTable, "delivered#");
/** Responses and pushes of providers, kept as received in the bucket {@link rawPayloadObjects}. One store serves both. */
export const rawPayloads = entity("rawPayloads", directoryTable, "raw_payload#");
/** Remaps of kept payloads, one of each user. */
export const remaps = entity("remaps", directoryTable, "remap#");
/** Connection starts of a team at a provider within the current window. */
export const throttles = teamEntity("throttles", directoryTable, "throttle#");
/** Bulk operations on connections, and their step for each user. */
export const bulkOps = teamEntity("bulkOps", directoryTable, "bulk_op#");
export const bulkSteps = entity("bulkSteps", directoryTable, "bulk_step#");
export const providerAccounts = entity("providerAccounts", directoryTable, "account#");
export const quotas = teamEntity("quotas", directoryTable, "quota#");
export const reservations = entity("reservations", directoryTable, "client_user#");
export const userInfos = entity("userInfos", directoryTable, "info#");
export const insurances = entity("insurances", directoryTable, "insurance#");
export const payors = teamEntity("payors", directoryTable, "payor#");
export const continuousQueries = teamEntity("continuousQueries", directoryTable, "query#");
/** Settings of a team's lake, and the current metadata file of each of its tables. */
export const lakeTables = teamEntity("lakeTables", directoryTable, "lake#");
/** Days of the lake with rows of a user, and the appended receipts. */
export const lakeUsers = entity("lakeUsers", directoryTable, "lake_user#");
export const chunks = entity("chunks", sampleTable, "chunk#");
export const summaries = entity("summaries", summaryTable, "summary#");
/** Object keys of workout and sleep streams in the bucket {@link streams}. One store serves both. */
export const streamRecords = entity("streams", summaryTable, "stream#");
/** Results of continuous queries, one partition for each user. */
export const queryResults = entity("queryResults", summaryTable, "query_result#");
export const outbox = entity("outbox", eventTable, "event#");
export const eventFeed = entity("eventFeed", eventTable, "feed#");
export const webhookEndpoints = teamEntity("webhookEndpoints", eventTable, "endpoint#");
/** Number of endpoints of a team, in total and for each host. */
export const endpointPlaces = teamEntity("endpointPlaces", eventTable, "endpoint_places#");
export const deliveries = entity("deliveries", eventTable, "delivery#");
export const newestEvents = entity("newestEvents", eventTable, "newest#");
export const deliveryLeases = entity("deliveryLeases", eventTable, "lease#");
export const endpointHealth = teamEntity("endpointHealth", eventTable, "health#");
export const endpointRates = teamEntity("endpointRates", eventTable, "rate#");
/** Open attempts at slow endpoints, by team. */
export const deliverySlots = teamEntity("deliverySlots", eventTable, "slots#");
export const deliveryMetrics = teamEntity("deliveryMetrics", eventTable, "metric#");
export const webhookTasks = teamEntity("webhookTasks", eventTable, "task#");
export const receipts = entity("receipts", eventTable, "receipt#");
/** Parts of phone synchronizations. */
export const syncParts = entity("syncParts", eventTable, "sync#");
/** Pending computations of continuous queries, with their due times. */
export const queryTasks = entity("queryTasks", eventTable, "query_task#");
export const destinations = teamEntity("destinations", eventTable, "destination#");
export const exportJobs = entity("exportJobs", eventTable, "export#");
/** Bulk exports of teams, with their files. */
export const bulkExports = entity("bulkExports", eventTable, "bulk_export#");
export const labTests = teamEntity("labTests", labTable, "lab_test#");
export const labAccounts = teamEntity("labAccounts", labTable, "lab_account#");
export const orders = entity("orders", labTable, "order#");
export const orderWork = entity("orderWork", labTable, "order_work#");
export const appointments = entity("appointments", labTable, "appointment#");
/** Reserved appointment times of all teams. */
export const slots = entity("slots", labTable, "slot#");
/** Physicians who have ordered for a team. */
export const physicians = teamEntity("physicians", labTable, "physician#");
export const results = entity("results", labTable, "result#");
export const matchReviews = entity("matchReviews", labTable, "match_review#");
/** Messages of laboratories by their control ids. Each is received once. */
export const labMessages = entity("labMessages", labTable, "lab_message#");
/** Match tests of unmatched results, in a sandbox. */
export const matchTests = entity("matchTests", labTable, "match_test#");
/** Lab report jobs with the parsed content, and the number of jobs of a team. */
export const labReports = entity("labReports", labTable, "lab_report#");
/** Test names whose codes reviewers of lab reports have entered. */
export const reportAliases = teamEntity("reportAliases", labTable, "report_alias#");
/** Responses to requests with an idempotency key. */
export const requests = entity("requests", labTable, "request#");
export const auditLog = teamEntity("auditLog", auditTable, "audit#");
/** Calls that may have touched user data. */
export const accessLog = entity("accessLog", auditTable, "access#");
/** Unsealed hours of both logs. Their keys share the log's prefix: the writer of an entry also marks its hour. */
export const accessHours = teamEntity("accessHours", auditTable, `${accessLog.keyPrefix}due#`);
export const auditHours = teamEntity("auditHours", auditTable, `${auditLog.keyPrefix}due#`);
/** Hash chains over both logs, which expose later changes. */
export const auditChains = teamEntity("auditChains", auditTable, "audit_chain#");
export const usage = entity("usage", usageTable, "usage#");
/** Certificates of erasures. */
export const erasures = entity("erasures", erasureTable, "erasure#");
export const teamKeys = teamEntity("teamKeys", userKeyTable, "team_key#");
/** Keys that encrypt the data of users. */
export const userKeys = entity("userKeys", userKeyTable, "user_key#");

/** The EventBridge bus that carries references of all events. */
export const bus = { kind: "bus", name: "events" } as const;

/** Batches that are too large for a queue message, until they are stored. */
export const batches = bucket("batches", {
  expireDays: 14,
  wildcardReason:
    "Objects of one bucket, named when a batch arrives; the actions are single-object actions without listing.",
});
/** Workout and sleep streams, one object each. */
export const streams = bucket("streams", {
  wildcardReason: "Objects of one bucket, named when a stream arrives; the actions are single-object actions.",
});
/** Responses and pushes of providers as received, and what their connectors made of them. */
export const rawPayloadObjects = bucket("rawPayloads", {
  expireDays: 90,
  wildcardReason: "Objects of one bucket, named by the digests of bodies; the actions are single-object actions.",
});
/** Finished user exports, for as long as they can be downloaded. */
export const userExports = bucket("userExports", {
  expireDays: 2,
  wildcardReason: "Objects of one bucket, named when an export starts; the actions are single-object actions.",
});
/** Order content for laboratories beyond what responses show, such as images that exceed a table item. */
export const orderPlacements = bucket("orderPlacements", {
  wildcardReason: "Objects of one bucket, named when an order is placed; the actions are single-object actions.",
});
/** Files of lab reports, and the positions of words on their pages. */
export const reportFiles = bucket("reportFiles", {
  wildcardReason: "Objects of one bucket, named when a lab report arrives; the actions are single-object actions.",
});
/** Lab report files uploaded to a signed URL, until parsing starts. */
export const reportUploads = bucket("reportUploads", {
  expireDays: 1,
  wildcardReason: "Objects of one bucket, named when upload URLs are issued; the actions are single-object actions.",
});
/** Tables of the lake: data and metadata files of Apache Iceberg, below the ids of team and table. */
export const lake = bucket("lake", {
  wildcardReason: "Objects of one bucket, named when rows are appended; the actions are single-object actions.",
});
const reportBuckets = [reportFiles, reportUploads] as const;
export const buckets: readonly BucketResource[] = [
  batches,
  streams,
  rawPayloadObjects,
  userExports,
  orderPlacements,
  ...reportBuckets,
  lake,
];

/** The state machine that waits for the grace period of a deletion and then erases the user. */
export const deletionStateMachine = { kind: "machine", name: "deletion" } as const;

/** The KMS key for webhook secrets (envelope encryption). */
export const webhookSecretsKey = key("webhookSecrets", "secrets", "webhook-secret", "webhook-headers");
/** The KMS key for credentials of other services (envelope encryption). */
export const credentialsKey = key("credentials", "credentials", ...credentialPurposes);
/** The KMS key of all user data: it wraps the team keys, which wrap the user keys. */
export const dataKey = key("data", "userKeys", "user-keys");

/** The deployment's own applications at providers. Those of teams are in their custom credentials. */
export const providerApps = secret("providerApps");
export const secrets: readonly SecretResource[] = [providerApps];
