import { type QueueResource, queue } from "./resource-kinds.ts";

/** Batches of records that wait to be stored. */
export const ingestion = queue("ingestion", { impact: "Accepted batches are not stored.", carriesUserData: true });
/** Historical pulls of new connections, each with a window to pull. */
export const historyPulls = queue("historyPulls", {
  impact: "The history of new connections is not pulled; the sweeper retries it.",
});
/** Connections whose newest data is due to be pulled. */
export const connectionPulls = queue("connectionPulls", {
  impact: "New data of connections is not pulled; the sweeper retries it.",
});
/** Steps of bulk operations on connections, and of remaps of kept payloads. An empty queue costs its polls, so they share one. */
export const bulkWork = queue("bulkWork", {
  impact: "Bulk imports and history pulls stop until the sweeper retries them; teams must start stopped remaps again.",
});
/** Data that providers announced as changed and that is due to be pulled. */
export const changedPulls = queue("changedPulls", {
  impact: "Changes that providers announce are not pulled; the next pull of the same days includes them.",
});
/** Histories that arrive as a whole. Their event follows once they are stored. */
export const historyEnds = queue("historyEnds", {
  impact: "The history of connections is stored, but the events that announce it are not sent.",
});
/** Events to plan deliveries for. The bus feeds this queue. */
export const webhooks = queue("webhooks", { impact: "New events get no webhook deliveries.", delaysWebhooks: true });
/** Webhook attempts that are due now or within 15 minutes. */
export const webhookAttempts = queue("webhookAttempts", {
  impact: "Webhook attempts fail before they are sent; the sweeper retries them.",
  delaysWebhooks: true,
});
/** Steps of tasks that resend many deliveries. */
export const webhookTaskSteps = queue("webhookTaskSteps", {
  impact: "Some deliveries that a team requested to resend are not sent again.",
  delaysWebhooks: true,
});
/** Exports of users that wait to run, and steps of bulk exports. */
export const exportRuns = queue("exportRuns", {
  impact: "Exports of users and bulk exports fail; their teams must request them again.",
});
/** Order tasks that are due: messages to laboratories, or actions of simulated laboratories. */
export const labWork = queue("labWork", {
  impact: "Orders are not sent to their laboratories; the sweeper retries them.",
});
/** Data events and deletions whose days continuous queries must recompute. The bus and `storeBatch` feed this queue. */
export const queryChanges = queue("queryChanges", {
  impact: "Continuous queries miss changed data until the next change of the same days.",
});
/** Continuous queries that are due for a user. */
export const queryRuns = queue("queryRuns", {
  impact: "Continuous queries are not computed; the sweeper retries them.",
});
/** Match tests of unmatched results that wait to run. */
export const matchTestRuns = queue("matchTestRuns", {
  impact: "Test runs of unmatched results stay queued (sandbox only).",
});
/** Lab reports that wait to be parsed. */
export const reportParses = queue("reportParses", { impact: "Lab reports are not parsed; the sweeper retries them." });
/** Events for the destinations of their teams, unless the deployment forwards them elsewhere. */
export const teamForwards = queue("teamForwards", {
  impact: "Events do not reach the configured destination of a team.",
});
/** Events for the Kinesis streams, queues and buses that the deployment configures. */
export const kinesisForwards = queue("kinesisForwards", {
  impact: "Events do not reach the Kinesis stream of a forwarding rule.",
  forwardsTo: "kinesis",
});
export const queueForwards = queue("queueForwards", {
  impact: "Events do not reach the queue of a forwarding rule.",
  forwardsTo: "sqs",
});
export const busForwards = queue("busForwards", {
  impact: "Events do not reach the event bus of a forwarding rule.",
  forwardsTo: "bus",
});
/** Stored batches and events that the lakes of teams take. */
export const lakeAppends = queue("lakeAppends", {
  impact: "Stored data is missing in the lakes of teams.",
  forwardsTo: "lake",
});
export const queues: readonly QueueResource[] = [
  ingestion,
  historyPulls,
  connectionPulls,
  bulkWork,
  changedPulls,
  historyEnds,
  webhooks,
  webhookAttempts,
  webhookTaskSteps,
  exportRuns,
  labWork,
  queryChanges,
  queryRuns,
  matchTestRuns,
  reportParses,
  teamForwards,
  kinesisForwards,
  queueForwards,
  busForwards,
  lakeAppends,
];
