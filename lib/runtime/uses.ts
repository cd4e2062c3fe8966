import type { Grant } from "../contract/access.ts";
import { type ReadItem, readTogether } from "../store/read-item.ts";
import { commit, type WriteItem } from "../store/transaction.ts";
import { documents } from "./aws.ts";
import { keptByContainer } from "./container.ts";
import { chance } from "./ports.ts";

/**
 * The factories of dependencies, by the name in the grant. A function imports a factory only if it has the grant. The
 * bundler omits all others from the function's asset, so a route contains no client of a service it may not call.
 */
const makers = {
  orgs: () => import("./uses/orgs.ts"),
  teams: () => import("./uses/teams.ts"),
  keys: () => import("./uses/keys.ts"),
  keyUses: () => import("./uses/key-uses.ts"),
  pullPreferences: () => import("./uses/pull-preferences.ts"),
  customCredentials: () => import("./uses/custom-credentials.ts"),
  scopeRequirements: () => import("./uses/scope-requirements.ts"),
  sourcePriorities: () => import("./uses/source-priorities.ts"),
  users: () => import("./uses/users.ts"),
  reservations: () => import("./uses/reservations.ts"),
  userInfos: () => import("./uses/user-infos.ts"),
  insurances: () => import("./uses/insurances.ts"),
  payors: () => import("./uses/payors.ts"),
  chunks: () => import("./uses/chunks.ts"),
  summaries: () => import("./uses/summaries.ts"),
  outbox: () => import("./uses/outbox.ts"),
  eventFeed: () => import("./uses/event-feed.ts"),
  webhookEndpoints: () => import("./uses/webhook-endpoints.ts"),
  deliveries: () => import("./uses/deliveries.ts"),
  newestEvents: () => import("./uses/newest-events.ts"),
  deliveryLeases: () => import("./uses/delivery-leases.ts"),
  endpointHealth: () => import("./uses/endpoint-health.ts"),
  endpointPlaces: () => import("./uses/endpoint-places.ts"),
  deliverySlots: () => import("./uses/delivery-slots.ts"),
  endpointRates: () => import("./uses/endpoint-rates.ts"),
  receipts: () => import("./uses/receipts.ts"),
  syncParts: () => import("./uses/sync-parts.ts"),
  destinations: () => import("./uses/destinations.ts"),
  exportJobs: () => import("./uses/export-jobs.ts"),
  labTests: () => import("./uses/lab-tests.ts"),
  labAccounts: () => import("./uses/lab-accounts.ts"),
  orders: () => import("./uses/orders.ts"),
  orderWork: () => import("./uses/order-work.ts"),
  appointments: () => import("./uses/appointments.ts"),
  slots: () => import("./uses/slots.ts"),
  physicians: () => import("./uses/physicians.ts"),
  results: () => import("./uses/results.ts"),
  matchReviews: () => import("./uses/match-reviews.ts"),
  labMessages: () => import("./uses/lab-messages.ts"),
  matchTests: () => import("./uses/match-tests.ts"),
  labReports: () => import("./uses/lab-reports.ts"),
  reportAliases: () => import("./uses/report-aliases.ts"),
  reviewLinks: () => import("./uses/review-links.ts"),
  requests: () => import("./uses/requests.ts"),
  continuousQueries: () => import("./uses/continuous-queries.ts"),
  queryTasks: () => import("./uses/query-tasks.ts"),
  queryResults: () => import("./uses/query-results.ts"),
  queryRuns: () => import("./uses/query-runs.ts"),
  auditLog: () => import("./uses/audit-log.ts"),
  accessLog: () => import("./uses/access-log.ts"),
  auditChains: () => import("./uses/audit-chains.ts"),
  userPortalLinks: () => import("./uses/user-portal-links.ts"),
  portalSessions: () => import("./uses/portal-sessions.ts"),
  linkTokens: () => import("./uses/link-tokens.ts"),
  signInTokens: () => import("./uses/sign-in-tokens.ts"),
  sessions: () => import("./uses/sessions.ts"),
  oauthTickets: () => import("./uses/oauth-tickets.ts"),
  oauthAttempts: () => import("./uses/oauth-attempts.ts"),
  loginAttempts: () => import("./uses/login-attempts.ts"),
  connectionCredentials: () => import("./uses/connection-credentials.ts"),
  historicalPulls: () => import("./uses/historical-pulls.ts"),
  connectionPolls: () => import("./uses/connection-polls.ts"),
  deliveredData: () => import("./uses/delivered-data.ts"),
  throttles: () => import("./uses/throttles.ts"),
  bulkOps: () => import("./uses/bulk-ops.ts"),
  bulkSteps: () => import("./uses/bulk-steps.ts"),
  providerAccounts: () => import("./uses/provider-accounts.ts"),
  deliveryMetrics: () => import("./uses/delivery-metrics.ts"),
  webhookTasks: () => import("./uses/webhook-tasks.ts"),
  webhookTaskSteps: () => import("./uses/webhook-task-steps.ts"),
  quotas: () => import("./uses/quotas.ts"),
  userKeys: () => import("./uses/user-keys.ts"),
  erasures: () => import("./uses/erasures.ts"),
  usage: () => import("./uses/usage.ts"),
  ingestion: () => import("./uses/ingestion.ts"),
  historyPulls: () => import("./uses/history-pulls.ts"),
  connectionPulls: () => import("./uses/connection-pulls.ts"),
  bulkWork: () => import("./uses/bulk-work.ts"),
  changedPulls: () => import("./uses/changed-pulls.ts"),
  historyEnds: () => import("./uses/history-ends.ts"),
  webhooks: () => import("./uses/webhooks.ts"),
  webhookAttempts: () => import("./uses/webhook-attempts.ts"),
  exportRuns: () => import("./uses/export-runs.ts"),
  labWork: () => import("./uses/lab-work.ts"),
  matchTestRuns: () => import("./uses/match-test-runs.ts"),
  reportParses: () => import("./uses/report-parses.ts"),
  bus: () => import("./uses/bus.ts"),
  batches: () => import("./uses/batches.ts"),
  streams: () => import("./uses/streams.ts"),
  userExports: () => import("./uses/user-exports.ts"),
  orderPlacements: () => import("./uses/order-placements.ts"),
  reportFiles: () => import("./uses/report-files.ts"),
  reportUploads: () => import("./uses/report-uploads.ts"),
  deletions: () => import("./uses/deletions.ts"),
  secrets: () => import("./uses/secrets.ts"),
  credentials: () => import("./uses/credentials.ts"),
  providerApps: () => import("./uses/provider-apps.ts"),
};

type Maker = { readonly make: () => unknown };
type MadeBy<Load extends () => Promise<Maker>> = Awaited<ReturnType<Awaited<ReturnType<Load>>["make"]>>;
type Made = { readonly [Name in keyof typeof makers]: MadeBy<(typeof makers)[Name]> };

/** The dependencies of a function with these grants: the declared stores and clients, and nothing else. */
export type Uses<Access extends readonly Grant[]> = Pick<Made, Access[number]["use"] & keyof Made> & {
  /** Writes items of several stores in one transaction. */
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
  /** Reads items of several stores together, with one request per table. */
  readonly read: Reading;
};

/** Returns the results in the order of the requested items. */
export type Reading = <const Items extends readonly ReadItem<unknown>[]>(
  items: Items,
) => ReturnType<typeof readTogether<Items>>;

const madeBefore = keptByContainer(() => new Map<string, Promise<unknown>>());

function make(name: keyof Made): Promise<unknown> {
  const made = madeBefore();
  const known = made.get(name) ?? makers[name]().then((module: Maker) => module.make());
  made.set(name, known);
  return known;
}

/** Resolves the dependencies that a function declared. Each is created once per container. */
export async function usesOf<const Access extends readonly Grant[]>(access: Access): Promise<Uses<Access>> {
  const names = [...new Set(access.map((grant) => grant.use))].filter((name) => name in makers) as (keyof Made)[];
  const entries = await Promise.all(names.map(async (name) => [name, await make(name)] as const));
  const run = (items: readonly WriteItem[]) => commit(documents(), items, chance);
  const read: Reading = (items) => readTogether(documents(), items);
  return { ...Object.fromEntries(entries), commit: run, read } as Uses<Access>;
}
