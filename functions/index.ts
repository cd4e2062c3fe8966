import type { ConsumerContract } from "../lib/contract/consumer.ts";
import type { EndpointContract } from "../lib/contract/endpoint.ts";
import { contract as beginErasure } from "./deletion/begin-erasure.ts";
import { contract as eraseUser } from "./deletion/erase-user.ts";
import { contract as sweepDeletions } from "./deletion/sweep-deletions.ts";
import { contract as listEvents } from "./events/list-events.ts";
import { contract as relayEvents } from "./events/relay-events.ts";
import { contract as sweepEvents } from "./events/sweep-events.ts";
import { contract as getExport } from "./exports/get-export.ts";
import { contract as runExport } from "./exports/run-export.ts";
import { contract as startExport } from "./exports/start-export.ts";
import { contract as forwardToBus } from "./forwarding/forward-to-bus.ts";
import { contract as forwardToKinesis } from "./forwarding/forward-to-kinesis.ts";
import { contract as forwardToQueue } from "./forwarding/forward-to-queue.ts";
import { contract as forwardToTeam } from "./forwarding/forward-to-team.ts";
import { contract as getReceipt } from "./ingest/get-receipt.ts";
import { contract as ingestBatch } from "./ingest/ingest-batch.ts";
import { contract as storeBatch } from "./ingest/store-batch.ts";
import { contract as connectDemoProvider } from "./link/connect-demo-provider.ts";
import { contract as createTeam } from "./management/create-team.ts";
import { contract as createTeamApiKey } from "./management/create-team-api-key.ts";
import { contract as createWebhook } from "./management/create-webhook.ts";
import { contract as deleteTeamEtlPipeline } from "./management/delete-team-etl-pipeline.ts";
import { contract as listTeamEtlPipelines } from "./management/list-team-etl-pipelines.ts";
import { contract as listTeams } from "./management/list-teams.ts";
import { contract as setTeamEtlPipeline } from "./management/set-team-etl-pipeline.ts";
import { contract as getOpenApi } from "./service/get-open-api.ts";
import { contract as refuseUnknownRoute } from "./service/refuse-unknown-route.ts";
import { contract as getActivity } from "./summaries/get-activity.ts";
import { contract as getBody } from "./summaries/get-body.ts";
import { contract as getDevicesRaw } from "./summaries/get-devices-raw.ts";
import { contract as getElectrocardiogram } from "./summaries/get-electrocardiogram.ts";
import { contract as getMeal } from "./summaries/get-meal.ts";
import { contract as getMenstrualCycle } from "./summaries/get-menstrual-cycle.ts";
import { contract as getProfile } from "./summaries/get-profile.ts";
import { contract as getProfileRaw } from "./summaries/get-profile-raw.ts";
import { contract as getSleep } from "./summaries/get-sleep.ts";
import { contract as getSleepCycle } from "./summaries/get-sleep-cycle.ts";
import { contract as getSummariesRaw } from "./summaries/get-summaries-raw.ts";
import { contract as getWorkouts } from "./summaries/get-workouts.ts";
import { contract as getCholesterol } from "./timeseries/get-cholesterol.ts";
import { contract as getGroupedTimeseries } from "./timeseries/get-grouped-timeseries.ts";
import { contract as getStreamBySleepId } from "./timeseries/get-stream-by-sleep-id.ts";
import { contract as getStreamByWorkoutId } from "./timeseries/get-stream-by-workout-id.ts";
import { contract as getTimeseries } from "./timeseries/get-timeseries.ts";
import { contract as createUser } from "./users/create-user.ts";
import { contract as deleteUser } from "./users/delete-user.ts";
import { contract as getUser } from "./users/get-user.ts";
import { contract as getUserByClientUserId } from "./users/get-user-by-client-user-id.ts";
import { contract as listUsers } from "./users/list-users.ts";
import { contract as patchUser } from "./users/patch-user.ts";
import { contract as undoDelete } from "./users/undo-delete.ts";
import { contract as attemptDelivery } from "./webhooks/attempt-delivery.ts";
import { contract as planDeliveries } from "./webhooks/plan-deliveries.ts";
import { contract as sweepDeliveries } from "./webhooks/sweep-deliveries.ts";

/** Every function of the service. Stacks, OpenAPI, bundles and tests derive from this list; a test proves it complete. */
export const contracts: readonly (EndpointContract | ConsumerContract)[] = [
  beginErasure,
  eraseUser,
  sweepDeletions,
  listEvents,
  relayEvents,
  sweepEvents,
  getExport,
  runExport,
  startExport,
  forwardToBus,
  forwardToKinesis,
  forwardToQueue,
  forwardToTeam,
  getReceipt,
  ingestBatch,
  storeBatch,
  connectDemoProvider,
  createTeamApiKey,
  createTeam,
  createWebhook,
  deleteTeamEtlPipeline,
  listTeamEtlPipelines,
  listTeams,
  setTeamEtlPipeline,
  getOpenApi,
  refuseUnknownRoute,
  getActivity,
  getBody,
  getDevicesRaw,
  getElectrocardiogram,
  getMeal,
  getMenstrualCycle,
  getProfile,
  getProfileRaw,
  getSleep,
  getSleepCycle,
  getSummariesRaw,
  getWorkouts,
  getCholesterol,
  getGroupedTimeseries,
  getStreamBySleepId,
  getStreamByWorkoutId,
  getTimeseries,
  createUser,
  deleteUser,
  getUserByClientUserId,
  getUser,
  listUsers,
  patchUser,
  undoDelete,
  attemptDelivery,
  planDeliveries,
  sweepDeliveries,
];

/** The routes among them. */
export const endpoints = contracts.filter((contract) => contract.kind === "endpoint");

/** The functions that are fed by queues, streams, schedules and state machines. */
export const consumers = contracts.filter((contract) => contract.kind === "consumer");
