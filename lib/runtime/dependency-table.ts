import { resourceVariable } from "../contract/access.ts";
import {
  bulkWork,
  changedPulls,
  connectionPulls,
  exportRuns,
  historyEnds,
  historyPulls,
  ingestion,
  labWork,
  lakeAppends,
  matchTestRuns,
  queryChanges,
  queryRuns,
  reportParses,
  webhookAttempts,
  webhooks,
  webhookTaskSteps,
} from "../contract/queues.ts";
import type { BucketResource, EntityResource, QueueResource, TableResource } from "../contract/resource-kinds.ts";
import {
  auditTable,
  batches,
  bus,
  consoleSignIns,
  consoleTickets,
  credentialsKey,
  deletionStateMachine,
  directoryTable,
  erasureTable,
  eventTable,
  labTable,
  lake,
  linkTokens,
  loginAttempts,
  oauthAttempts,
  oauthTickets,
  orderPlacements,
  providerApps,
  rawPayloadObjects,
  reportFiles,
  reportUploads,
  sampleTable,
  signInTokens,
  streams,
  summaryTable,
  usageTable,
  userExports,
  webhookSecretsKey,
} from "../contract/resources.ts";
import type { OneTimeTokenSchema } from "../store/connections/one-time-tokens.ts";
import type { ReadCollector } from "../store/read-collector.ts";
import type { Table } from "../store/table.ts";
import type { WriteItem } from "../store/transaction.ts";
import { locateResource } from "./aws/aws.ts";
import type { TableAccess } from "./aws/table-access.ts";
import { versionRetentionMs } from "./deployment.ts";
import { currentTraceparent } from "./span.ts";

/** A factory of a store over one table. */
const store =
  <Store>(table: TableResource, load: () => Promise<new (table: Table) => Store>) =>
  async ({ open }: TableAccess): Promise<Store> =>
    new (await load())(open(table));

/** A factory of a store of one-time tokens of one kind. */
const oneTimeTokens =
  <S extends OneTimeTokenSchema>(entity: EntityResource, load: () => Promise<S>) =>
  async ({ open }: TableAccess) => {
    const { OneTimeTokenStore } = await import("../store/connections/one-time-tokens.ts");
    return new OneTimeTokenStore(open(directoryTable), entity, await load());
  };

/** A factory of a sender to one queue. */
const queue = (resource: QueueResource) => async () =>
  new (await import("./aws/queue.ts")).Queue(locateResource(resource));

/** A factory of a sender to a queue that not every deployment has; undefined without it. */
const optionalQueue = (resource: QueueResource) => async () =>
  process.env[resourceVariable(resource)]
    ? new (await import("./aws/queue.ts")).Queue(locateResource(resource))
    : undefined;

/** A factory of a client of one bucket. */
const bucket = (resource: BucketResource) => async () =>
  new (await import("./aws/bucket.ts")).Bucket(locateResource(resource));

/** In tests and locally the outbox checks each event against its schema. Deployed functions do not load the schemas. */
const eventCheck = async () =>
  process.env.CHECK_RESPONSES ? (await import("../events/catalogue/check-event.ts")).checkEvent : undefined;

/**
 * Creates each dependency that a grant names. A factory imports its module when a function first asks for it, and the
 * bundler leaves the modules of other grants out of the function's asset (lib/build/bundle.ts reads this table).
 */
export const factories = {
  orgs: store(directoryTable, async () => (await import("../store/management/orgs.ts")).OrgStore),
  teams: store(directoryTable, async () => (await import("../store/management/teams.ts")).TeamStore),
  keys: store(directoryTable, async () => (await import("../store/management/keys.ts")).KeyStore),
  keyUses: store(directoryTable, async () => (await import("../store/management/key-uses.ts")).KeyUseStore),
  pullPreferences: store(
    directoryTable,
    async () => (await import("../store/connections/pull-preferences.ts")).PullPreferenceStore,
  ),
  customCredentials: store(
    directoryTable,
    async () => (await import("../store/connections/custom-credentials.ts")).CustomCredentialStore,
  ),
  scopeRequirements: store(
    directoryTable,
    async () => (await import("../store/connections/scope-requirements.ts")).ScopeRequirementStore,
  ),
  sourcePriorities: store(
    directoryTable,
    async () => (await import("../store/connections/source-priorities.ts")).SourcePriorityStore,
  ),
  fhirClients: store(directoryTable, async () => (await import("../store/fhir/fhir-clients.ts")).FhirClientStore),
  users: store(directoryTable, async () => (await import("../store/users/users.ts")).UserStore),
  reservations: store(directoryTable, async () => (await import("../store/users/reservations.ts")).ReservationStore),
  userInfos: store(directoryTable, async () => (await import("../store/users/user-infos.ts")).UserInfoStore),
  insurances: store(directoryTable, async () => (await import("../store/insurance/insurances.ts")).InsuranceStore),
  payors: store(directoryTable, async () => (await import("../store/insurance/payors.ts")).PayorStore),
  chunks: async (tables: TableAccess) => {
    const { ChunkStore } = await import("../store/timeseries/chunks.ts");
    const { userKeyRing } = await import("./aws/user-key-ring.ts");
    return new ChunkStore(tables.open(sampleTable), userKeyRing(tables), versionRetentionMs());
  },
  outbox: async ({ open }: TableAccess) => {
    const { OutboxStore } = await import("../store/events/outbox.ts");
    return new OutboxStore(open(eventTable), await eventCheck(), currentTraceparent);
  },
  userKeys: async (tables: TableAccess) => (await import("./aws/user-key-ring.ts")).userKeyRing(tables),
  summaries: async (tables: TableAccess) => {
    const { SummaryStore } = await import("../store/summaries/summaries.ts");
    const { userKeyRing } = await import("./aws/user-key-ring.ts");
    return new SummaryStore(tables.open(summaryTable), userKeyRing(tables), versionRetentionMs());
  },
  eventFeed: store(eventTable, async () => (await import("../store/events/event-feed.ts")).EventFeedStore),
  webhookEndpoints: store(
    eventTable,
    async () => (await import("../store/webhooks/webhook-endpoints.ts")).WebhookEndpointStore,
  ),
  deliveries: store(eventTable, async () => (await import("../store/webhooks/deliveries.ts")).DeliveryStore),
  newestEvents: store(eventTable, async () => (await import("../store/events/newest-events.ts")).NewestEventStore),
  deliveryLeases: store(
    eventTable,
    async () => (await import("../store/webhooks/delivery-leases.ts")).DeliveryLeaseStore,
  ),
  endpointHealth: store(
    eventTable,
    async () => (await import("../store/webhooks/endpoint-health.ts")).EndpointHealthStore,
  ),
  endpointPlaces: store(
    eventTable,
    async () => (await import("../store/webhooks/endpoint-quotas.ts")).EndpointQuotaStore,
  ),
  deliverySlots: store(eventTable, async () => (await import("../store/webhooks/delivery-slots.ts")).DeliverySlotStore),
  endpointRates: store(eventTable, async () => (await import("../store/webhooks/endpoint-rates.ts")).EndpointRateStore),
  receipts: store(eventTable, async () => (await import("../store/ingest/receipts.ts")).ReceiptStore),
  syncParts: store(eventTable, async () => (await import("../store/connections/sync-parts.ts")).SyncPartStore),
  destinations: store(eventTable, async () => (await import("../store/forwarding/destinations.ts")).DestinationStore),
  lakeTables: store(directoryTable, async () => (await import("../store/lake/lake-tables.ts")).LakeTableStore),
  lakeUsers: store(directoryTable, async () => (await import("../store/lake/lake-users.ts")).LakeUserStore),
  exportJobs: store(eventTable, async () => (await import("../store/exports/export-jobs.ts")).ExportJobStore),
  bulkExports: store(eventTable, async () => (await import("../store/fhir/bulk-exports.ts")).BulkExportStore),
  labTests: store(labTable, async () => (await import("../store/lab-tests/lab-tests.ts")).LabTestStore),
  labAccounts: store(labTable, async () => (await import("../store/lab-tests/lab-accounts.ts")).LabAccountStore),
  orders: store(labTable, async () => (await import("../store/orders/orders.ts")).OrderStore),
  orderWork: store(labTable, async () => (await import("../store/lab-work/order-tasks.ts")).OrderTaskStore),
  appointments: store(labTable, async () => (await import("../store/appointments/appointments.ts")).AppointmentStore),
  slots: store(labTable, async () => (await import("../store/appointments/slots.ts")).SlotStore),
  physicians: store(labTable, async () => (await import("../store/orders/physicians.ts")).PhysicianStore),
  results: store(labTable, async () => (await import("../store/results/results.ts")).ResultStore),
  matchReviews: store(labTable, async () => (await import("../store/results/match-reviews.ts")).MatchReviewStore),
  labMessages: store(labTable, async () => (await import("../store/results/lab-messages.ts")).LabMessageStore),
  matchTests: store(labTable, async () => (await import("../store/results/match-tests.ts")).MatchTestStore),
  labReports: store(labTable, async () => (await import("../store/lab-reports/lab-reports.ts")).LabReportStore),
  reportAliases: store(labTable, async () => (await import("../store/lab-reports/report-aliases.ts")).ReportAliasStore),
  reviewLinks: store(
    directoryTable,
    async () => (await import("../store/lab-reports/review-links.ts")).ReviewLinkStore,
  ),
  requests: store(labTable, async () => (await import("../store/idempotency.ts")).IdempotencyStore),
  continuousQueries: store(
    directoryTable,
    async () => (await import("../store/queries/continuous-queries.ts")).ContinuousQueryStore,
  ),
  queryTasks: store(eventTable, async () => (await import("../store/queries/query-tasks.ts")).QueryTaskStore),
  queryResults: store(summaryTable, async () => (await import("../store/queries/query-results.ts")).QueryResultStore),
  queryChanges: queue(queryChanges),
  queryRuns: queue(queryRuns),
  auditLog: store(auditTable, async () => (await import("../store/audit/audit-log.ts")).AuditLogStore),
  accessLog: store(auditTable, async () => (await import("../store/audit/access-log.ts")).AccessLogStore),
  auditChains: store(auditTable, async () => (await import("../store/audit/audit-chains.ts")).AuditChainStore),
  userPortalLinks: store(
    directoryTable,
    async () => (await import("../store/portal/user-portal-links.ts")).UserPortalLinkStore,
  ),
  portalSessions: store(
    directoryTable,
    async () => (await import("../store/portal/portal-sessions.ts")).PortalSessionStore,
  ),
  consoleSessions: store(
    directoryTable,
    async () => (await import("../store/console/console-sessions.ts")).ConsoleSessionStore,
  ),
  consoleTickets: oneTimeTokens(
    consoleTickets,
    async () => (await import("../domain/console/console-ticket.ts")).consoleTicket,
  ),
  consoleProviders: store(
    directoryTable,
    async () => (await import("../store/console/console-providers.ts")).ConsoleProviderStore,
  ),
  consoleSignIns: oneTimeTokens(
    consoleSignIns,
    async () => (await import("../domain/console/console-sign-in.ts")).consoleSignIn,
  ),
  linkTokens: oneTimeTokens(
    linkTokens,
    async () => (await import("../domain/connections/link/link-token.ts")).linkToken,
  ),
  signInTokens: oneTimeTokens(
    signInTokens,
    async () => (await import("../domain/connections/link/session.ts")).signInToken,
  ),
  sessions: store(directoryTable, async () => (await import("../store/connections/sessions.ts")).SessionStore),
  oauthTickets: oneTimeTokens(
    oauthTickets,
    async () => (await import("../domain/connections/link/link-attempt.ts")).oauthTicket,
  ),
  oauthAttempts: oneTimeTokens(
    oauthAttempts,
    async () => (await import("../domain/connections/link/link-attempt.ts")).oauthAttempt,
  ),
  loginAttempts: oneTimeTokens(
    loginAttempts,
    async () => (await import("../domain/connections/link/link-attempt.ts")).loginAttempt,
  ),
  connectionCredentials: store(
    directoryTable,
    async () => (await import("../store/connections/connection-credentials.ts")).ConnectionCredentialStore,
  ),
  consents: store(directoryTable, async () => (await import("../store/connections/consents.ts")).ConsentStore),
  consentKeys: store(
    directoryTable,
    async () => (await import("../store/connections/consent-keys.ts")).ConsentKeyStore,
  ),
  historicalPulls: store(
    directoryTable,
    async () => (await import("../store/connections/historical-pulls.ts")).HistoricalPullStore,
  ),
  connectionPolls: store(
    directoryTable,
    async () => (await import("../store/connections/connection-polls.ts")).ConnectionPollStore,
  ),
  connectionHealth: store(
    directoryTable,
    async () => (await import("../store/connections/connection-health.ts")).ConnectionHealthStore,
  ),
  deliveredData: store(
    directoryTable,
    async () => (await import("../store/connections/delivered-data.ts")).DeliveredDataStore,
  ),
  rawPayloads: async (tables: TableAccess) => {
    const { RawPayloadStore } = await import("../store/connections/raw-payloads.ts");
    const { Bucket } = await import("./aws/bucket.ts");
    const { userKeyRing } = await import("./aws/user-key-ring.ts");
    const openStorage = () => new Bucket(locateResource(rawPayloadObjects));
    return new RawPayloadStore(tables.open(directoryTable), openStorage, userKeyRing(tables));
  },
  remaps: store(directoryTable, async () => (await import("../store/connections/remaps.ts")).RemapStore),
  throttles: store(directoryTable, async () => (await import("../store/connections/throttles.ts")).ThrottleStore),
  bulkOps: store(directoryTable, async () => (await import("../store/connections/bulk-ops.ts")).BulkOpStore),
  bulkSteps: store(directoryTable, async () => (await import("../store/connections/bulk-steps.ts")).BulkStepStore),
  providerAccounts: store(
    directoryTable,
    async () => (await import("../store/connections/provider-accounts.ts")).ProviderAccountStore,
  ),
  deliveryMetrics: store(
    eventTable,
    async () => (await import("../store/webhooks/delivery-metrics.ts")).DeliveryMetricStore,
  ),
  webhookTasks: store(eventTable, async () => (await import("../store/webhooks/webhook-tasks.ts")).WebhookTaskStore),
  webhookTaskSteps: queue(webhookTaskSteps),
  quotas: store(directoryTable, async () => (await import("../store/usage/quotas.ts")).QuotaStore),
  erasures: store(erasureTable, async () => (await import("../store/erasure/erasures.ts")).ErasureStore),
  usage: store(usageTable, async () => (await import("../store/usage/usage.ts")).UsageStore),
  ingestion: queue(ingestion),
  historyPulls: queue(historyPulls),
  connectionPulls: queue(connectionPulls),
  bulkWork: queue(bulkWork),
  changedPulls: queue(changedPulls),
  historyEnds: queue(historyEnds),
  webhooks: queue(webhooks),
  webhookAttempts: queue(webhookAttempts),
  exportRuns: queue(exportRuns),
  labWork: queue(labWork),
  lakeAppends: optionalQueue(lakeAppends),
  matchTestRuns: queue(matchTestRuns),
  reportParses: queue(reportParses),
  bus: () => import("./aws/event-bus.ts").then(({ EventBus }) => new EventBus(locateResource(bus))),
  batches: bucket(batches),
  streams: async (tables: TableAccess) => {
    const { StreamStore } = await import("../store/summaries/streams.ts");
    const { Bucket } = await import("./aws/bucket.ts");
    const { userKeyRing } = await import("./aws/user-key-ring.ts");
    return new StreamStore(tables.open(summaryTable), new Bucket(locateResource(streams)), userKeyRing(tables));
  },
  userExports: () =>
    import("./aws/download-bucket.ts").then(({ DownloadBucket }) => new DownloadBucket(locateResource(userExports))),
  lake: () => import("./aws/lake-bucket.ts").then(({ LakeBucket }) => new LakeBucket(locateResource(lake))),
  orderPlacements: bucket(orderPlacements),
  reportFiles: bucket(reportFiles),
  reportUploads: () =>
    import("./upload-bucket.ts").then(({ UploadBucket }) => new UploadBucket(locateResource(reportUploads))),
  deletions: () =>
    import("./aws/deletion-machine.ts").then(
      ({ DeletionMachine }) => new DeletionMachine(locateResource(deletionStateMachine)),
    ),
  secrets: async () => {
    const { EnvelopeEncryption } = await import("../crypto/envelope-encryption.ts");
    const { kmsDataKeys } = await import("./aws/kms.ts");
    return new EnvelopeEncryption(kmsDataKeys(locateResource(webhookSecretsKey)));
  },
  credentials: async () => {
    const { EnvelopeEncryption } = await import("../crypto/envelope-encryption.ts");
    const { kmsDataKeys } = await import("./aws/kms.ts");
    return new EnvelopeEncryption(kmsDataKeys(locateResource(credentialsKey)));
  },
  providerApps: async () => {
    const { ProviderApps } = await import("./provider-apps.ts");
    const { readSecretText } = await import("./secret-text.ts");
    const arn = locateResource(providerApps);
    return new ProviderApps(() => readSecretText(arn));
  },
};

type Factories = typeof factories;

/** Every dependency by name, and two that need no grant of their own. */
export type AllDependencies = { readonly [Name in keyof Factories]: Awaited<ReturnType<Factories[Name]>> } & {
  /** Commits one transaction of items that stores create. */
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
  /** Reads several items with one request for each table. */
  readonly read: ReadCollector["read"];
};

/**
 * The dependencies that a service takes, by name.
 *
 * @example
 * type RecordEventsDependencies = Dependencies<"newestEvents" | "outbox">;
 */
export type Dependencies<Names extends keyof AllDependencies> = Pick<AllDependencies, Names>;
