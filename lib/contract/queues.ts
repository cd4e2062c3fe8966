import { type QueueResource, queue } from "./resource-kinds.ts";

/** Batches of samples waiting to be stored. */
export const ingestion = queue("ingestion", { holdsData: true });
/** Histories of new connections of which a window is to be pulled. */
export const historyPulls = queue("historyPulls");
/** Connections whose newest data is to be pulled. */
export const connectionPulls = queue("connectionPulls");
/** Steps of work on many connections. */
export const bulkWork = queue("bulkWork");
/** Data that providers told of as changed, to be pulled. */
export const changedPulls = queue("changedPulls");
/** Histories that are delivered whole and are told of once they are stored. */
export const historyEnds = queue("historyEnds");
/** Events waiting to be planned for the endpoints of their team; fed by the bus. */
export const webhooks = queue("webhooks");
/** Webhook attempts due now or within 15 minutes. */
export const webhookAttempts = queue("webhookAttempts");
/** Steps of sending many deliveries again. */
export const webhookTaskSteps = queue("webhookTaskSteps");
/** Exports of users waiting to be run. */
export const exportRuns = queue("exportRuns");
/** Work on orders that is due: told to laboratories, or done by those that are simulated. */
export const labWork = queue("labWork");
/** Events of data whose days are to be noted for continuous queries; fed by the bus. */
export const queryChanges = queue("queryChanges");
/** Continuous queries of users that are due. */
export const queryRuns = queue("queryRuns");
/** Trials of unmatched results waiting to be run. */
export const matchTestRuns = queue("matchTestRuns");
/** Lab reports waiting to be parsed. */
export const reportParses = queue("reportParses");
/** Events on their way to the destinations of their teams, unless the deployment forwards them elsewhere. */
export const teamForwards = queue("teamForwards");
/** Events on their way to Kinesis streams, to queues and to buses of the deployment's choice. */
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
