import { type QueueResource, queue } from "./resource-kinds.ts";

/** Batches of records that wait to be stored. */
export const ingestion = queue("ingestion", { holdsData: true });
/** Historical pulls of new connections, each with a window to pull. */
export const historyPulls = queue("historyPulls");
/** Connections whose newest data is due to be pulled. */
export const connectionPulls = queue("connectionPulls");
/** Steps of bulk operations on connections. */
export const bulkWork = queue("bulkWork");
/** Data that providers announced as changed and that is due to be pulled. */
export const changedPulls = queue("changedPulls");
/** Histories that arrive as a whole. Their event follows once they are stored. */
export const historyEnds = queue("historyEnds");
/** Events to plan deliveries for. The bus feeds this queue. */
export const webhooks = queue("webhooks");
/** Webhook attempts that are due now or within 15 minutes. */
export const webhookAttempts = queue("webhookAttempts");
/** Steps of tasks that resend many deliveries. */
export const webhookTaskSteps = queue("webhookTaskSteps");
/** User exports that wait to run. */
export const exportRuns = queue("exportRuns");
/** Order tasks that are due: messages to laboratories, or actions of simulated laboratories. */
export const labWork = queue("labWork");
/** Data events whose days continuous queries must recompute. The bus feeds this queue. */
export const queryChanges = queue("queryChanges");
/** Continuous queries that are due for a user. */
export const queryRuns = queue("queryRuns");
/** Match tests of unmatched results that wait to run. */
export const matchTestRuns = queue("matchTestRuns");
/** Lab reports that wait to be parsed. */
export const reportParses = queue("reportParses");
/** Events for the destinations of their teams, unless the deployment forwards them elsewhere. */
export const teamForwards = queue("teamForwards");
/** Events for the Kinesis streams, queues and buses that the deployment configures. */
export const kinesisForwards = queue("kinesisForwards", { forwardsTo: "kinesis" });
export const queueForwards = queue("queueForwards", { forwardsTo: "sqs" });
export const busForwards = queue("busForwards", { forwardsTo: "bus" });
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
];
