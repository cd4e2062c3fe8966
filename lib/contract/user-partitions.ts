import {
  batches,
  bulkSteps,
  chunks,
  connectionCredentials,
  connectionHealth,
  connectionPolls,
  deliveredData,
  deliveries,
  deliveryLeases,
  exportJobs,
  historicalPulls,
  insurances,
  labReports,
  lakeUsers,
  matchReviews,
  newestEvents,
  orderPlacements,
  queryResults,
  queryTasks,
  receipts,
  reportFiles,
  reportUploads,
  requests,
  results,
  sessions,
  streamRecords,
  streams,
  summaries,
  syncParts,
  userExports,
  userInfos,
  userPortalLinks,
} from "./resources.ts";

/** Entities with a partition for each user. An erasure deletes these partitions whole, in this order. */
export const userPartitions = [
  chunks,
  summaries,
  streamRecords,
  receipts,
  exportJobs,
  userInfos,
  insurances,
  connectionCredentials,
  historicalPulls,
  connectionPolls,
  connectionHealth,
  deliveredData,
  bulkSteps,
  sessions,
  syncParts,
  requests,
  deliveries,
  deliveryLeases,
  newestEvents,
  userPortalLinks,
  queryResults,
  queryTasks,
  results,
  matchReviews,
  labReports,
  lakeUsers,
] as const;

/** Buckets whose object keys start with the ids of team and user. */
export const userBuckets = [batches, streams, userExports, orderPlacements, reportFiles, reportUploads] as const;
/** Returns the key prefix of a user's objects. */
export const userObjectPrefix = ({
  team_id,
  user_id,
}: {
  readonly team_id: string;
  readonly user_id: string;
}): string => `${team_id}/${user_id}/`;
